/** The surroundings of a service config, which decide about its meaning together with its text. */
import type { Problem } from './problem.ts';

/** Options of the command line. An empty text counts as absent. */
export interface ConfigOptions {
  /** Base64 of YAML or JSON. */
  readonly configBase64?: string | undefined;
  readonly configPath?: string | undefined;
  /** Base64 of a sync config. */
  readonly syncBase64?: string | undefined;
  /** `unified`, `api` or `sync`. */
  readonly role?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** The port of the embedded database. */
  readonly databasePort?: number | undefined;
  /** The ports that nobody has asked for, so that another one will do. */
  readonly proposed?: readonly PortOption[] | undefined;
  /** The only folders and files that the config may use, the project first; absent: any. */
  readonly within?: readonly string[] | undefined;
}

export type PortOption = 'port' | 'databasePort';

export interface ConfigWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory, absolute. */
  readonly folder: string;
  /** Returns undefined if the file does not exist, and throws any other error. */
  readonly readFile: (path: string) => Uint8Array | undefined;
  /** A file or folder. */
  readonly exists: (path: string) => boolean;
  /** Absolute, with all links resolved as far as the path exists. */
  readonly real: (path: string) => string;
  /** The path of a link in a folder or below. Undefined if there is none, or no such folder. */
  readonly firstLinkIn: (folder: string) => string | undefined;
}

export interface DecodeContext {
  readonly options: ConfigOptions;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the config. */
  readonly folder: string;
  readonly warn: (warning: Problem) => void;
}
