/** A file of SQL in a project. */
export interface SqlFile {
  /** The path with `/` between folders. The order of files in a folder is that of their names. */
  readonly path: string;
  readonly text: string;
}
