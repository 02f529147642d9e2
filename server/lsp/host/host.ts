import type { ClaimJudge, RunSeeds } from '../../engine/index.ts';
import { type RelativePath, type Uri, type UriReader, uriReader } from '../../shared/uri.ts';

/** The functions of the machine that the language server uses. Each entry has its own. */
export interface Host {
  /** The names, never the values, of the variables that a config at this URI may read with `!env`. */
  readonly environmentNames: (uri: Uri) => readonly string[];
  /** Compares names as the file systems of this machine do. */
  readonly readUri: UriReader;
  /** Absent where there are none to be read. */
  readonly files?: WorkspaceFiles;
  /** Opens SQLite for judging claims; undefined or absent if there is none. */
  readonly openJudge?: () => Promise<{ readonly judge: ClaimJudge } | undefined>;
  /** The SQL files of access tests; absent where no database can be started. */
  readonly runSeeds?: RunSeeds;
  readonly clock: HostClock;
}

/** For work that takes long, and answers that may never come. */
interface HostClock {
  /** Returns a time in milliseconds. */
  readonly now: () => number;
  /** Lets those come in between who wait for an answer. */
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
  /** Lists the files below a folder whose path from there is wanted. */
  readonly list: (folder: Uri, isWanted: (path: RelativePath) => boolean) => Promise<readonly Uri[]>;
  /** Returns undefined if there is no file, or none with text of an acceptable size. */
  readonly read: (uri: Uri) => Promise<string | undefined>;
  /** A file or a folder. Undefined if that cannot be known. */
  readonly exists: (uri: Uri) => boolean | undefined;
}

/** A host without files and without a process, as in a web worker. */
export const bareHost: Host = { environmentNames: () => [], readUri: uriReader('linux'), clock: usualClock };
