/** The classes in which values of source types are synced. */
import type { ColumnType } from '../model/catalog.ts';

const typeNames: Readonly<Record<ColumnType, string>> = {
  integer: `bigint bigserial bool boolean int int2 int4 int8 integer mediumint oid serial serial2 serial4 serial8
    smallint smallserial tinyint year`,
  real: 'double float float4 float8 real',
  blob: 'binary blob bytea longblob mediumblob tinyblob varbinary',
  text: `varbit bpchar char character cidr citext date datetime decimal enum geography geometry hstore inet interval
    json jsonb longtext macaddr macaddr8 mediumtext money name nchar ntext numeric nvarchar point line lseg box path
    polygon circle pg_lsn set string text time timestamp timestamptz timetz tinytext tsquery tsvector uniqueidentifier
    uuid varchar xml int4range int8range numrange tsrange tstzrange daterange`,
};

const classes: ReadonlyMap<string, ColumnType> = new Map(
  Object.entries(typeNames).flatMap(([type, names]) =>
    names.split(/\s+/).map((name) => [name, type as ColumnType] as const),
  ),
);

/** The types that the migrations create, by name. */
export type OwnTypes = ReadonlyMap<string, 'text' | 'domain'>;

/** Returns undefined for an unknown type. Arrays are JSON text. */
export function classOfType(type: string, own: OwnTypes): ColumnType | undefined {
  if (/\[|\barray\b/.test(type)) return 'text';
  const name = /^(?:[\w$]+\.)*([\w$]+)/.exec(type)?.[1] ?? '';
  const declared = own.get(name);
  return declared === 'text' ? 'text' : declared === undefined ? classes.get(name) : undefined;
}
