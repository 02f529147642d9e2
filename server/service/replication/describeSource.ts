/** The answer to `POST /api/admin/v1/schema`: the tables and columns of a source. */
import type { ListedTable, Source, SourceKey, SourceReference, SourceSchema } from './source.ts';

export function describeSource(
  { id, tag, defaultSchema }: Pick<Source, 'id' | 'tag' | 'defaultSchema'>,
  found: readonly SourceSchema[],
): Record<string, unknown> {
  const schemas = found.map(({ name, tables }) => {
    const others = tables.filter(({ form }) => form !== undefined);
    return {
      name,
      tables: describeTables(tables.filter(({ form }) => form === undefined)),
      // Not in the reference API; clients that do not know it ignore it.
      ...(others.length > 0 && { not_replicated: describeTables(others) }),
    };
  });
  return { connections: [{ id, tag, schemas }], defaultConnectionTag: 'default', defaultSchema };
}

function describeTables(tables: readonly ListedTable[]): readonly object[] {
  return tables.map((table) => ({
    name: table.name,
    // Not in the reference API; clients that do not know these fields ignore them.
    ...(table.rowSecurity && { row_security: true }),
    ...(table.form && { form: table.form }),
    ...(table.keys.length > 0 && { foreign_keys: table.keys.map(describeKey) }),
    triggers: table.triggers.map(({ name, isBefore, events }) => ({ name, before: isBefore, events })),
    columns: table.columns.map(({ name: column, displayType, shortType, sqliteType, ...rules }) => ({
      name: column,
      sqlite_type: sqliteType,
      internal_type: displayType,
      type: displayType,
      pg_type: shortType,
      nullable: rules.nullable,
      ...(rules.default !== undefined &&
        (rules.default === 'computed' ? { computed: true } : { default: rules.default.expression })),
      ...(rules.values && { values: rules.values }),
      ...(rules.references && { references: describeReference(rules.references) }),
    })),
  }));
}

function describeReference({ onDelete, ...reference }: SourceReference): object {
  return { ...reference, on_delete: onDelete };
}

function describeKey({ onDelete, parentColumns, ...key }: SourceKey): object {
  return { ...key, parent_columns: parentColumns, on_delete: onDelete };
}
