/** The source database as far as it is known. Absent means unknown, and something unknown is not an error. */

export type ColumnType = 'text' | 'integer' | 'real' | 'blob';

export interface CatalogColumn {
  readonly name: string;
  /** The class in which values are synced; absent if only the column name is known. */
  readonly type?: ColumnType;
  /** The type name in the source, such as `uuid`. */
  readonly sourceType?: string;
  /** Whether the column can be NULL; absent if that is unknown. */
  readonly nullable?: boolean;
  /** The possible texts of the column, if the source lists them. */
  readonly values?: readonly string[];
  /** The column that this one refers to. */
  readonly references?: ColumnReference;
}

export interface ColumnReference {
  readonly schema: string;
  readonly table: string;
  /** Absent: the primary key. */
  readonly column?: string;
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
   * `files`: files of the project create these tables, and the database may have other tables. Absent: a database has reported its
   * tables.
   */
  readonly from?: 'files';
}
