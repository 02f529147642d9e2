import type { ClaimJudge, RunScripts, RunSeeds } from '../../engine/index.ts';
import type { FoundFiles } from '../../shared/places.ts';
import { type RelativePath, type Uri, type UriReader, uriReader } from '../../shared/uri.ts';

/** The functions of the machine that the language server uses. Each entry point provides its own. */
export interface Host {
  /** The names, never the values, of the variables that a config at this URI may read with `!env`. */
  readonly environmentNames: (uri: Uri) => readonly string[];
  /** Parses URIs so that names are compared as the file systems of this machine do. */
  readonly readUri: UriReader;
  /** Absent if there are no files to read. */
  readonly files?: WorkspaceFiles;
  /** Opens SQLite for judging claims. Absent, or resolves to undefined, if SQLite is not available. */
  readonly openJudge?: () => Promise<{ readonly judge: ClaimJudge } | undefined>;
  /** Runs the SQL files of access tests; absent if no database can be started. */
  readonly runSeeds?: RunSeeds;
  /** Runs the SQL files of a project to learn their tables; absent if no database can be started. */
  readonly runScripts?: RunScripts;
  readonly clock: HostClock;
}

export function withoutDatabases({ runSeeds, runScripts, ...host }: Host): Host {
  return host;
}

/** The clock, for work that takes long and answers that may never arrive. */
interface HostClock {
  /** Returns the current time in milliseconds. */
  readonly now: () => number;
  /** Pauses so that other pending requests can be answered. */
  readonly rest: () => Promise<void>;
  /** Waits for this many milliseconds. */
  readonly wait: (time: number) => Promise<void>;
}

export const usualClock: HostClock = {
  now: () => performance.now(),
  rest: () => new Promise((resolve) => setTimeout(resolve)),
  wait: (time) => new Promise((resolve) => setTimeout(resolve, time)),
};

export interface WorkspaceFiles {
  /** Lists the files below a folder whose relative path is wanted. Folders that `.gitignore` excludes may be left out. */
  readonly list: (folder: Uri, isWanted: (path: RelativePath) => boolean) => Promise<FoundFiles<Uri>>;
  /** Returns undefined if the file does not exist, is not text, or is too large. */
  readonly read: (uri: Uri) => Promise<string | undefined>;
  /** Whether a file or folder exists; undefined if that is not known. */
  readonly exists: (uri: Uri) => boolean | undefined;
}

/** A host without files and processes, as in a web worker. */
export const bareHost: Host = { environmentNames: () => [], readUri: uriReader('linux'), clock: usualClock };
