/** Reads the schemas, tables and columns of the source, for configs. */
import type { ListedTable, SourceColumn, SourceReference, SourceSchema } from '../source.ts';
import type { Queries } from './queries.ts';

export async function readSourceSchema(queries: Pick<Queries, 'all'>): Promise<readonly SourceSchema[]> {
  const columns = await queries.all<ColumnRow>(statement);
  const schemas = new Map<string, Map<string, FoundTable>>();
  for (const row of columns) {
    const tables = schemas.get(row.schema) ?? new Map<string, FoundTable>();
    schemas.set(row.schema, tables);
    const table = tables.get(row.table_name) ?? {
      columns: [],
      rowSecurity: row.row_security,
      ...(row.form !== null && { form: row.form }),
    };
    tables.set(row.table_name, table);
    if (row.name !== null) table.columns.push(toColumn(row, row.name));
  }
  return [...schemas].map(([name, tables]) => ({
    name,
    tables: [...tables].map(([table, found]) => ({ name: table, ...found })),
  }));
}

type TableForm = NonNullable<ListedTable['form']>;

interface FoundTable {
  readonly form?: TableForm;
  readonly columns: SourceColumn[];
  readonly rowSecurity: boolean;
}

interface ColumnRow {
  readonly schema: string;
  readonly table_name: string;
  readonly row_security: boolean;
  /** Null: an ordinary table. */
  readonly form: TableForm | null;
  /** Null: a table without columns. */
  readonly name: string | null;
  readonly display_type: string;
  readonly type: string;
  /** The type of the elements, for an array. */
  readonly element_type: string | null;
  readonly base_type: string;
  /** Null: no foreign key. */
  readonly refers_to: SourceReference | null;
}

/** Selects the columns. A domain is stored as its base type. */
const statement = `
SELECT n.nspname::text AS schema, c.relname::text AS table_name, c.relrowsecurity AS row_security,
  CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'p' THEN 'partitioned table'
    WHEN 'f' THEN 'foreign table' WHEN 'r' THEN CASE c.relpersistence WHEN 'u' THEN 'unlogged table' END END AS form,
  a.attname::text AS name,
  format_type(a.atttypid, a.atttypmod) AS display_type, t.typname::text AS type,
  e.typname::text AS element_type, COALESCE(b.typname, t.typname)::text AS base_type, k.refers_to
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem AND t.typtype = 'b' AND t.typoutput = 'pg_catalog.array_out'::regproc
LEFT JOIN pg_catalog.pg_type b ON b.oid = t.typbasetype
LEFT JOIN (
  SELECT DISTINCT ON (f.conrelid, f.conkey[1]) f.conrelid, f.conkey[1] AS attnum,
    json_build_object('schema', fn.nspname, 'table', fc.relname, 'column', fa.attname) AS refers_to
  FROM pg_catalog.pg_constraint f
  JOIN pg_catalog.pg_class fc ON fc.oid = f.confrelid
  JOIN pg_catalog.pg_namespace fn ON fn.oid = fc.relnamespace
  JOIN pg_catalog.pg_attribute fa ON fa.attrelid = f.confrelid AND fa.attnum = f.confkey[1]
  WHERE f.contype = 'f' AND cardinality(f.conkey) = 1
  ORDER BY f.conrelid, f.conkey[1], f.conname
) k ON k.conrelid = c.oid AND k.attnum = a.attnum
WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND c.relpersistence <> 't'
  AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
ORDER BY n.nspname, c.relname, a.attnum`;

function toColumn(row: ColumnRow, name: string): SourceColumn {
  const { display_type: displayType, type, element_type, base_type, refers_to } = row;
  return {
    name,
    displayType,
    shortType: element_type === null ? type : `${element_type}[]`,
    sqliteType: sqliteTypeOf(base_type),
    ...(refers_to !== null && { references: refers_to }),
  };
}

const integerCode = 4;
const textCode = 2;

const sqliteTypes: Readonly<Record<string, number>> = {
  bool: integerCode,
  int2: integerCode,
  int4: integerCode,
  int8: integerCode,
  oid: integerCode,
  float4: 8,
  float8: 8,
  bytea: 1,
};

function sqliteTypeOf(type: string): number {
  return sqliteTypes[type] ?? textCode;
}
