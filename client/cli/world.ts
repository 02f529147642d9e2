/** Everything that a command may touch besides its arguments, so that tests need no process, terminal or disk. */

import type { RunSeeds } from '../../server/engine/index.ts';
import type { Platform } from '../../server/shared/uri.ts';
import type { Api } from '../api/api.ts';
import type { Endpoint } from '../api/connection.ts';
import type { Grant, PlaceGrant } from '../project/trust.ts';
import type { ExitCode } from './failure.ts';

export interface World {
  /** Writes a line to standard output: the answer. */
  readonly print: (line: string) => void;
  /** Writes a line to standard error: what went wrong, and what to do. */
  readonly complain: (line: string) => void;
  /** Writes to standard error, without a line break. */
  readonly scribble: (text: string) => void;
  readonly terminal: { readonly output: boolean; readonly errors: boolean };
  /** The variables of the process and of `.env` in the working directory, as for the service. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The variables that the user has set, without those of `.env`. */
  readonly userEnv: Readonly<Record<string, string | undefined>>;
  /** Asks a question at the terminal. Undefined if there is none to answer at. */
  readonly confirm: (question: string) => Promise<boolean | undefined>;
  /** Asks which one at the terminal. Undefined if there is none to answer at, or no answer. */
  readonly choose: (question: string, from: readonly string[]) => Promise<string | undefined>;
  /** The first of these ports that is free; 0, for any port, if none is. */
  readonly firstFreePort: (ports: readonly number[]) => Promise<number>;
  /** Reads all of standard input. */
  readonly input: () => Promise<string>;
  /** Opens standard input and output line by line, for a protocol. */
  readonly channel: () => LineChannel;
  readonly grants: Grants;
  /** The version of this Node, on which our other programs run, too. */
  readonly nodeVersion: string;
  /** The system, which decides the notation of paths. */
  readonly platform: Platform;
  /** The working directory, absolute. */
  readonly folder: string;
  /** Makes another folder the working directory, of this process and of the world that is returned. */
  readonly moveTo: (folder: string) => World;
  readonly files: Files;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Milliseconds; rejects when the signal is aborted. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Letters and digits that nobody can guess, made of so many bytes; base64url. */
  readonly secret: (bytes: number) => string;
  readonly fetch: typeof fetch;
  readonly openApi: (endpoint: Endpoint) => Promise<Api>;
  /** Runs SQL on the PostgreSQL at an address. Rejects with a failure in a sentence. */
  readonly runSql: (url: string, statements: string) => Promise<readonly SqlResult[]>;
  /** The SQL files of access tests; absent where no database can be started. */
  readonly runSeeds?: RunSeeds;
  /** A page of `docs/`, without `.md`: `rules/unknown-function`. Rejects if it is not there. */
  readonly readPage: (name: string) => Promise<string>;
  readonly startProgram: (
    program: Program,
    args: readonly string[],
    options?: ProgramOptions,
  ) => RunningProgram;
  readonly resets: Resets;
}

export interface LineChannel {
  /** `undefined` is a line that was too long. Ends with standard input. */
  readonly lines: AsyncIterable<string | undefined>;
  /** Resolves when the reader has taken it, or the system keeps it. */
  readonly send: (line: string) => Promise<void>;
}

/** The agreements of the user. */
interface Grants {
  /** For messages. */
  readonly path: string;
  readonly read: () => Promise<readonly (Grant | PlaceGrant)[]>;
  readonly add: (grant: Grant | PlaceGrant) => Promise<void>;
}

/** Paths are relative to the working directory, or absolute, with `/`. All of them reject or throw with Node's errors. */
export interface Files {
  readonly read: (path: string) => Promise<string>;
  /** Writes the whole file at once. A reader gets either the old text or the new one. */
  readonly write: (path: string, text: string) => Promise<void>;
  /** Writes a file that exists, and leaves it to its owner alone where that is possible. */
  readonly writePrivately: (path: string, text: string) => Promise<Privacy>;
  /** Creates a file. Returns false if it exists. On Windows, the folder decides who can read it. */
  readonly create: (path: string, text: string, readers: 'all' | 'owner') => Promise<boolean>;
  /** Creates a folder and those above it. */
  readonly makeFolder: (path: string, readers: 'all' | 'owner') => Promise<unknown>;
  /** A path, as people of this system write it. */
  readonly shown: (path: string) => string;
  /** Whether there is such a file or folder. */
  readonly exists: (path: string) => boolean;
  readonly isFolder: (path: string) => boolean;
  /** Absolute, with all links resolved as far as the path exists. */
  readonly real: (path: string) => string;
  /** The files of a folder and its subfolders, without hidden and generated ones; relative to it, in order. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /** Calls back some time after a change. Returns what ends it. */
  readonly watch: (path: string, changed: () => void) => () => void;
}

/** The readers of a file that was written privately. */
export type Privacy =
  /** No other user could read the file before. */
  | { readonly kind: 'private' }
  | { readonly kind: 'made private' }
  /** The reason is a sentence without its end. */
  | { readonly kind: 'open'; readonly reason: string };

/** The result of one statement. */
export interface SqlResult {
  /** For example `INSERT`. */
  readonly command: string;
  /** The number of rows that were changed or are returned; undefined for statements without rows. */
  readonly rowCount: number | undefined;
  readonly columns: readonly string[];
  /** As PostgreSQL writes the values. */
  readonly rows: readonly (readonly (string | null)[])[];
}

/** The programs that are shipped beside this one, and those of others. */
export type Program = 'service' | 'server' | 'docker' | 'git' | 'powersync';

interface ProgramOptions {
  /** Takes its standard output line by line; otherwise it is ours. */
  readonly onLine?: (line: string) => void;
  /** Takes its standard error line by line, or drops it. Absent: it goes to ours. */
  readonly errors?: 'dropped' | ((line: string) => void);
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunningProgram {
  /** The exit code; 127 if the program does not exist. */
  readonly ended: Promise<ExitCode>;
  /** Stops the program as Ctrl-C does. */
  readonly stop: () => void;
}

/** The connection between `headwater reset` and the `headwater dev` or `serve` of the working directory. */
export interface Resets {
  /** Calls back whenever it is asked for. Returns what ends that. */
  readonly answer: (restart: () => Promise<ResetReply>) => Promise<() => void>;
  /** Whether something runs here. */
  readonly isAnswered: () => Promise<boolean>;
  /** Asks for a restart. Returns undefined if nothing runs here. */
  readonly ask: () => Promise<ResetReply | undefined>;
}

export interface ResetReply {
  /** The address of the restarted service; absent if it does not answer. */
  readonly url?: string | undefined;
  /** The token for a deploy. */
  readonly token?: string | undefined;
}
