/** What the language server may ask of the machine it runs on. Each entry has its own. */
export interface Host {
  /** The names, never the values, of the variables that a config at this URI may read with `!env`. */
  readonly environmentNames: (uri: string) => readonly string[];
}

/** Without files and without a process, as in a web worker. */
export const bareHost: Host = { environmentNames: () => [] };
