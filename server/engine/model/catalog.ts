/** The source database as far as it is known. Absent means unknown, and something unknown is not an error. */
import { versionOf } from './version.ts';

export type ColumnType = 'text' | 'integer' | 'real' | 'blob';

export interface CatalogColumn {
  readonly name: string;
  /** The class in which values are synced; absent if only the column name is known. */
  readonly type?: ColumnType;
  /** The type name in the source, such as `uuid`. */
  readonly sourceType?: string;
  /** Whether the column can be NULL; absent if that is unknown. */
  readonly nullable?: boolean;
  /** The value of a row that is inserted without one. Absent: NULL, or unknown. */
  readonly default?: ColumnDefault;
  /** The possible texts of the column, if the source lists them. */
  readonly values?: readonly string[];
  /** The column that this one refers to. */
  readonly references?: ColumnReference;
}

/** A constant as text, such as `0` or `draft`, or a value that the database computes. */
export type ColumnDefault = { readonly constant: string } | 'computed';

export interface ColumnReference {
  readonly schema: string;
  readonly table: string;
  /** Absent: the primary key. */
  readonly column?: string;
  /** The effect on the row if the row to which it refers is deleted. `refuse`: that row cannot be deleted. Absent: unknown. */
  readonly onDelete?: 'cascade' | 'set null' | 'set default' | 'refuse';
}

export interface CompositeKey {
  readonly columns: readonly string[];
  readonly schema: string;
  readonly table: string;
  /** The columns to which `columns` refer, in the same order. */
  readonly parentColumns: readonly string[];
  readonly onDelete: NonNullable<ColumnReference['onDelete']>;
}

export const triggerEvents = ['insert', 'update', 'delete'] as const;

export type TriggerEvent = (typeof triggerEvents)[number];

/** A trigger that runs for each row. */
export interface TableTrigger {
  readonly name: string;
  readonly events: readonly TriggerEvent[];
  /** The columns of the written row that it may fill. */
  readonly fills: readonly string[] | 'any';
  /** The tables in which it may change other rows. Without a schema, the table is in the search path. */
  readonly writes: readonly { readonly schema?: string; readonly name: string }[] | 'any';
  /** Whether it may keep the row from being written. */
  readonly mayRefuse: boolean;
}

/** Objects that look like tables in a query but whose rows no service replicates. */
export const rowlessForms = [
  'view',
  'materialized view',
  'partitioned table',
  'unlogged table',
  'foreign table',
] as const;

export type RowlessForm = (typeof rowlessForms)[number];

export interface CatalogTable {
  /** The tag of the connection; `default` if there is only one connection. */
  readonly tag: string;
  readonly schema: string;
  readonly name: string;
  readonly columns: ReadonlyMap<string, CatalogColumn>;
  /** Whether the table may have other, unknown columns. */
  readonly open?: boolean;
  /** Present if policies restrict the rows that a user may see. Absent if not, or if that is unknown. */
  readonly rowSecurity?: boolean;
  /** Present if only the names and types of the columns are known: not their defaults, NOT NULL, checks and keys, and no triggers. */
  readonly areRulesUnknown?: true;
  /** The triggers that may change rows. Absent if there is none, or if that is unknown. */
  readonly triggers?: readonly TableTrigger[];
  /** Foreign keys of several columns. Those of one column are in its `references`. */
  readonly keys?: readonly CompositeKey[];
  /** Absent: an ordinary table. */
  readonly form?: RowlessForm;
}

export function isReplicated({ form }: Pick<CatalogTable, 'form'>): boolean {
  return form === undefined;
}

export interface Catalog {
  /** A value that changes whenever the content does. Cached analyses are identified by it. */
  readonly version: string;
  readonly tables: readonly CatalogTable[];
  /**
   * `files`: these are all tables that files of the project create, and the database may have other tables. `schema`: so are these,
   * but files that are not part of the schema may create others. Absent: a database has reported its tables.
   */
  readonly from?: 'files' | 'schema';
  /** Whether the source may have other tables, and its tables other columns. */
  readonly open?: boolean;
}

/** Returns the catalog of tables that files create. Its version differs from that of a real database, because the messages differ. */
export function filesCatalog(
  tables: readonly CatalogTable[],
  from: NonNullable<Catalog['from']> = 'files',
): Catalog {
  return { version: `${from}-${versionOf(tables)}`, tables, from };
}

/**
 * Returns the catalog for a source that may have other tables and columns, so that none counts as missing. Its columns may also be
 * able to be NULL, and its enums may have further values.
 */
export function openCatalog({ version, tables, ...catalog }: Catalog): Catalog {
  return {
    ...catalog,
    version: `open-${version}`,
    tables: tables.map((table) => ({
      ...table,
      columns: new Map(
        [...table.columns].map(([name, { values: _, nullable: __, ...column }]) => [name, column]),
      ),
    })),
    open: true,
  };
}
