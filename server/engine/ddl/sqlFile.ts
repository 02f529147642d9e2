/** An SQL file of a project. */
export interface SqlFile {
  /** The path with `/` between folders. Files in a folder are ordered by name. */
  readonly path: string;
  readonly text: string;
}
