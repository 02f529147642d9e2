/** Reads the schemas, tables and columns of the source, for configs. */
import type {
  ListedTable,
  SourceColumn,
  SourceKey,
  SourceReference,
  SourceSchema,
  SourceTrigger,
} from '../source.ts';
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
      keys: row.keys,
      triggers: row.triggers,
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

interface FoundTable extends Omit<ListedTable, 'name'> {
  readonly columns: SourceColumn[];
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
  readonly not_null: boolean;
  readonly is_computed: boolean;
  /** Null: no default. */
  readonly default_text: string | null;
  /** The labels of an enum. Null: another type. */
  readonly labels: readonly string[] | null;
  /** The definitions of the checks of this column alone. Null: no such check. */
  readonly checks: readonly string[] | null;
  readonly keys: readonly SourceKey[];
  readonly triggers: readonly SourceTrigger[];
}

const onDelete = `CASE f.confdeltype WHEN 'c' THEN 'cascade' WHEN 'n' THEN 'set null' WHEN 'd' THEN 'set default' ELSE 'refuse' END`;

/** Selects the names of the columns with these numbers, in their order. */
const namesOf = (table: string, numbers: string): string =>
  `(SELECT json_agg(na.attname ORDER BY nu.place) FROM unnest(${numbers}) WITH ORDINALITY AS nu(number, place)
    JOIN pg_catalog.pg_attribute na ON na.attrelid = ${table} AND na.attnum = nu.number)`;

/** Selects the columns. A domain is stored as its base type. */
const statement = `
SELECT n.nspname::text AS schema, c.relname::text AS table_name, c.relrowsecurity AS row_security,
  CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'p' THEN 'partitioned table'
    WHEN 'f' THEN 'foreign table' WHEN 'r' THEN CASE c.relpersistence WHEN 'u' THEN 'unlogged table' END END AS form,
  a.attname::text AS name,
  format_type(a.atttypid, a.atttypmod) AS display_type, t.typname::text AS type,
  e.typname::text AS element_type, COALESCE(b.typname, t.typname)::text AS base_type, k.refers_to,
  a.attnotnull OR t.typnotnull AS not_null,
  a.attidentity <> '' OR COALESCE(to_jsonb(a) ->> 'attgenerated', '') <> '' AS is_computed,
  pg_get_expr(d.adbin, d.adrelid) AS default_text,
  (SELECT json_agg(l.enumlabel ORDER BY l.enumsortorder) FROM pg_catalog.pg_enum l WHERE l.enumtypid = a.atttypid) AS labels,
  (SELECT json_agg(pg_get_constraintdef(o.oid)) FROM pg_catalog.pg_constraint o
    WHERE o.conrelid = c.oid AND o.contype = 'c' AND o.conkey = ARRAY[a.attnum]) AS checks,
  COALESCE((SELECT json_agg(json_build_object('schema', fn.nspname, 'table', fc.relname,
      'columns', ${namesOf('f.conrelid', 'f.conkey')}, 'parentColumns', ${namesOf('f.confrelid', 'f.confkey')},
      'onDelete', ${onDelete}) ORDER BY f.conname)
    FROM pg_catalog.pg_constraint f
    JOIN pg_catalog.pg_class fc ON fc.oid = f.confrelid
    JOIN pg_catalog.pg_namespace fn ON fn.oid = fc.relnamespace
    WHERE f.conrelid = c.oid AND f.contype = 'f' AND cardinality(f.conkey) > 1), '[]') AS keys,
  COALESCE((SELECT json_agg(json_build_object('name', g.tgname, 'isBefore', g.tgtype & 2 <> 0,
      'events', to_json(array_remove(ARRAY[CASE WHEN g.tgtype & 4 <> 0 THEN 'insert' END,
        CASE WHEN g.tgtype & 16 <> 0 THEN 'update' END, CASE WHEN g.tgtype & 8 <> 0 THEN 'delete' END], NULL)))
      ORDER BY g.tgname)
    FROM pg_catalog.pg_trigger g
    WHERE g.tgrelid = c.oid AND NOT g.tgisinternal AND g.tgenabled <> 'D' AND g.tgtype & 64 = 0 AND g.tgtype & 28 <> 0), '[]') AS triggers
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
LEFT JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem AND t.typtype = 'b' AND t.typoutput = 'pg_catalog.array_out'::regproc
LEFT JOIN pg_catalog.pg_type b ON b.oid = t.typbasetype
LEFT JOIN (
  SELECT DISTINCT ON (f.conrelid, f.conkey[1]) f.conrelid, f.conkey[1] AS attnum,
    json_build_object('schema', fn.nspname, 'table', fc.relname, 'column', fa.attname, 'onDelete', ${onDelete}) AS refers_to
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
  const values = row.labels ?? listedIn(row.checks ?? []);
  return {
    name,
    displayType,
    shortType: element_type === null ? type : `${element_type}[]`,
    sqliteType: sqliteTypeOf(base_type),
    nullable: !row.not_null,
    ...(row.is_computed
      ? { default: 'computed' as const }
      : row.default_text !== null && { default: { expression: row.default_text } }),
    ...(values && { values }),
    ...(refers_to !== null && { references: refers_to }),
  };
}

/** Reads the values of a check such as `CHECK ((kind = ANY (ARRAY['a'::text, 'b'::text])))`. */
function listedIn(checks: readonly string[]): readonly string[] | undefined {
  for (const check of checks) {
    const [, items] =
      /^CHECK \(\(\(?(?:"[^"]+"|[\w$]+)\)?(?:::[\w ]+)? = ANY \(+ARRAY\[(.*?)\]\)?(?:::[\w []+\])?\)+$/s.exec(
        check,
      ) ?? [];
    if (items === undefined) continue;
    const literals = [...items.matchAll(/'((?:[^']|'')*)'(?:::[\w ]+)?(?:, |$)/g)];
    if (literals.map(([whole]) => whole).join('') === items)
      return literals.map(([, value = '']) => value.replaceAll("''", "'"));
  }
  return undefined;
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
