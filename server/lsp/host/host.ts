/** What the language server may ask of the machine it runs on. Each entry has its own. */
export interface Host {
  /** The names, never the values, of the variables that a config at this URI may read with `!env`. */
  readonly environmentNames: (uri: string) => readonly string[];
  /** Absent where there are none to be read. */
  readonly files?: WorkspaceFiles;
}

/** Files by their URIs. */
export interface WorkspaceFiles {
  /** Those below a folder whose path from there is wanted. */
  readonly list: (folder: string, isWanted: (path: string) => boolean) => Promise<readonly string[]>;
  /** Undefined if there is none, or none that is text of a size that can be dealt with. */
  readonly read: (uri: string) => Promise<string | undefined>;
  /** A file or a folder. Undefined if that cannot be known. */
  readonly exists: (uri: string) => boolean | undefined;
}

/** Without files and without a process, as in a web worker. */
export const bareHost: Host = { environmentNames: () => [] };
