/** The source database as far as it is known: a snapshot. Absent means unknown, and unknown is not an error. */

export type ColumnType = 'text' | 'integer' | 'real' | 'blob';

export interface CatalogColumn {
  readonly name: string;
  /** The class in which values are synced; absent when only the name is known. */
  readonly type?: ColumnType;
  /** The type as the source calls it, e.g. `uuid`. */
  readonly sourceType?: string;
  /** Absent when it is not known whether it can be NULL. */
  readonly nullable?: boolean;
  /** The texts that it can have, where the source lists them. */
  readonly values?: readonly string[];
  /** The column whose values it has. */
  readonly references?: ColumnReference;
}

export interface ColumnReference {
  readonly schema: string;
  readonly table: string;
  /** Absent: the primary key. */
  readonly column?: string;
}

/** Objects that look like tables in a query, but whose rows no service replicates. */
export const rowlessForms = [
  'view',
  'materialized view',
  'partitioned table',
  'unlogged table',
  'foreign table',
] as const;

export type RowlessForm = (typeof rowlessForms)[number];

export interface CatalogTable {
  /** Connection tag; `default` when there is one connection only. */
  readonly tag: string;
  readonly schema: string;
  readonly name: string;
  readonly columns: ReadonlyMap<string, CatalogColumn>;
  /** Whether it may have further, unknown columns. */
  readonly open?: boolean;
  /** Its policies say who may see which of its rows. Absent also where that is not known. */
  readonly rowSecurity?: boolean;
  /** Absent: an ordinary table. */
  readonly form?: RowlessForm;
}

export function isReplicated({ form }: Pick<CatalogTable, 'form'>): boolean {
  return form === undefined;
}

export interface Catalog {
  /** Changes whenever the content does: cached analyses are kept by it. */
  readonly version: string;
  readonly tables: readonly CatalogTable[];
  /**
   * `files`: files of the project create these tables, and a database may have others. Absent: a database has reported its
   * tables.
   */
  readonly from?: 'files';
}
