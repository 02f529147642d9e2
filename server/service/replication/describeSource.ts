/** The answer to `POST /api/admin/v1/schema`: the tables and columns of a source. */
import type { ListedTable, Source, SourceSchema } from './source.ts';

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
    columns: table.columns.map(({ name: column, displayType, shortType, sqliteType, references }) => ({
      name: column,
      sqlite_type: sqliteType,
      internal_type: displayType,
      type: displayType,
      pg_type: shortType,
      ...(references && { references }),
    })),
  }));
}
