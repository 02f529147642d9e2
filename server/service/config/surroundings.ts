/** What else than its text decides what a service config says. */
import type { Problem } from './problem.ts';

/** As the command line gives them. An empty text counts as not given. */
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
  /** Of the embedded database. */
  readonly databasePort?: number | undefined;
  /** Those of these ports that nobody has asked for: another one will do. */
  readonly proposed?: readonly PortOption[] | undefined;
  /** The only folders and files that the config may use, the project first; absent: any. */
  readonly within?: readonly string[] | undefined;
}

export type PortOption = 'port' | 'databasePort';

export interface ConfigWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory, absolute. */
  readonly folder: string;
  /** Undefined if the file does not exist; any other error is thrown. */
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
