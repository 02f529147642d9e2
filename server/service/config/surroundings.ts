/** The environment of a service config: facts that influence its meaning, in addition to its text. */
import type { Problem } from './problem.ts';

/** Options of the command line. An empty string counts as absent. */
export interface ConfigOptions {
  /** YAML or JSON, in Base64. */
  readonly configBase64?: string | undefined;
  readonly configPath?: string | undefined;
  /** A sync config, in Base64. */
  readonly syncBase64?: string | undefined;
  /** The role: `unified`, `api` or `sync`. */
  readonly role?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** The port of the embedded database. */
  readonly databasePort?: number | undefined;
  /** The ports that are only defaults, so that other ports may be used instead. */
  readonly proposed?: readonly PortOption[] | undefined;
  /** The only folders and files that the config may use, beginning with the project. Absent: no restriction. */
  readonly within?: readonly string[] | undefined;
}

export type PortOption = 'port' | 'databasePort';

export interface ConfigWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory, absolute. */
  readonly folder: string;
  /** Returns undefined if the file does not exist, and throws any other error. */
  readonly readFile: (path: string) => Uint8Array | undefined;
  /** Whether a file or folder exists. */
  readonly exists: (path: string) => boolean;
  /** Returns the absolute path, with all links resolved as far as the path exists. */
  readonly real: (path: string) => string;
  /** Returns the path of a link anywhere in a folder, or undefined if there is no link or no folder. */
  readonly firstLinkIn: (folder: string) => string | undefined;
}

export interface DecodeContext {
  readonly options: ConfigOptions;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the config. */
  readonly folder: string;
  readonly warn: (warning: Problem) => void;
}
