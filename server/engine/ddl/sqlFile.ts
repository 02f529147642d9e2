/** A file of SQL in a project. */
export interface SqlFile {
  /** With `/` between folders: the order of files in a folder is that of their names. */
  readonly path: string;
  readonly text: string;
}
