/** Everything that a command can access in addition to its arguments, so that tests need no process, terminal or disk. */

import type { RunScripts, RunSeeds } from '../../server/engine/index.ts';
import type { FoundFiles } from '../../server/shared/places.ts';
import type { Rehearse } from '../../server/shared/rehearsal.ts';
import type { Platform } from '../../server/shared/uri.ts';
import type { Api } from '../api/api.ts';
import type { Endpoint } from '../api/connection.ts';
import type { Grant, PlaceGrant } from '../project/trust.ts';
import type { ExitCode } from './failure.ts';

export interface World {
  /** Writes a line of the answer to standard output. */
  readonly print: (line: string) => void;
  /** Writes a line to standard error, for problems and advice. */
  readonly complain: (line: string) => void;
  /** Writes to standard error, without a line break. */
  readonly scribble: (text: string) => void;
  readonly terminal: { readonly output: boolean; readonly errors: boolean };
  /** The variables of the process and of `.env` in the working directory, as for the service. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The variables that the user has set, without those of `.env`. */
  readonly userEnv: Readonly<Record<string, string | undefined>>;
  /** Asks a yes-or-no question at the terminal. Undefined if there is no terminal. */
  readonly confirm: (question: string) => Promise<boolean | undefined>;
  /** Lets the user choose one text at the terminal. Undefined if there is no terminal or no answer. */
  readonly choose: (question: string, from: readonly string[]) => Promise<string | undefined>;
  /** Returns the first free port of the list. If none is free, returns 0, which means any port. */
  readonly firstFreePort: (ports: readonly number[]) => Promise<number>;
  /** Reads all of standard input. */
  readonly input: () => Promise<string>;
  /** Opens standard input and output line by line, for a protocol. */
  readonly channel: () => LineChannel;
  readonly grants: Grants;
  /** The version of this Node, which also runs our other programs. */
  readonly nodeVersion: string;
  /** The operating system, which determines the notation of paths. */
  readonly platform: Platform;
  /** The working directory, absolute. */
  readonly folder: string;
  /** Changes the working directory of this process, and returns the world of the new directory. */
  readonly moveTo: (folder: string) => World;
  readonly files: Files;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Waits for this time. Rejects when the signal is aborted. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Returns a random secret of this many bytes, in base64url. */
  readonly secret: (bytes: number) => string;
  readonly fetch: typeof fetch;
  readonly openApi: (endpoint: Endpoint) => Promise<Api>;
  /** Runs SQL on the PostgreSQL server at an address. Rejects with a failure whose message is a sentence. */
  readonly runSql: (url: string, statements: string) => Promise<readonly SqlResult[]>;
  /** Runs the SQL files of access tests. Absent if no database can be started. */
  readonly runSeeds?: RunSeeds;
  /** Runs the SQL files of a project to learn their tables. Absent if no database can be started. */
  readonly runScripts?: RunScripts;
  /** Predicts the consequences of SQL files that are not run yet. Absent if no database can be started. */
  readonly rehearse?: Rehearse;
  /** Reads a page of `docs/` by its path without `.md`, for example `rules/unknown-function`. Rejects if there is no such page. */
  readonly readPage: (name: string) => Promise<string>;
  readonly startProgram: (
    program: Program,
    args: readonly string[],
    options?: ProgramOptions,
  ) => RunningProgram;
  readonly resets: Resets;
}

export interface LineChannel {
  /** The lines of standard input, where `undefined` is a line that was too long. Ends when standard input ends. */
  readonly lines: AsyncIterable<string | undefined>;
  /** Resolves when the reader or the system has taken over the line. */
  readonly send: (line: string) => Promise<void>;
}

/** The permissions that the user has given. */
interface Grants {
  /** The path of the file with the permissions, for messages. */
  readonly path: string;
  readonly read: () => Promise<readonly (Grant | PlaceGrant)[]>;
  readonly add: (grant: Grant | PlaceGrant) => Promise<void>;
}

/** Paths are relative to the working directory, or absolute, with `/`. All functions reject or throw with Node's errors. */
export interface Files {
  readonly read: (path: string) => Promise<string>;
  /** Writes the entire file at once, so that a reader gets either the old or the new text. */
  readonly write: (path: string, text: string) => Promise<void>;
  /** Writes an existing file, and makes it readable only by its owner if possible. */
  readonly writePrivately: (path: string, text: string) => Promise<Privacy>;
  /** Creates a file. Returns false if it exists. */
  readonly create: (path: string, text: string, readers: 'all' | 'owner') => Promise<boolean>;
  /** Creates a folder and its parent folders. */
  readonly makeFolder: (path: string, readers: 'all' | 'owner') => Promise<unknown>;
  /** Returns a path in the notation of this system, for messages. */
  readonly shown: (path: string) => string;
  /** Whether the file or folder exists. */
  readonly exists: (path: string) => boolean;
  readonly isFolder: (path: string) => boolean;
  /** Returns the absolute path. Links are resolved as far as the path exists. */
  readonly real: (path: string) => string;
  /**
   * Returns the sorted paths of the wanted files in a folder and its subfolders, relative to the folder. Hidden and generated
   * folders, and those that `.gitignore` excludes, are not searched.
   */
  readonly list: (folder: string, isWanted: (path: string) => boolean) => Promise<FoundFiles<string>>;
  /** Calls back shortly after a change. Returns a function that stops watching. */
  readonly watch: (path: string, changed: () => void) => () => void;
}

/** The possible readers of a file that was written privately. */
export type Privacy =
  /** No other user could read the file before. */
  | { readonly kind: 'private' }
  | { readonly kind: 'made private' }
  /** The reason is a sentence without a final full stop. */
  | { readonly kind: 'open'; readonly reason: string };

/** The result of one statement. */
export interface SqlResult {
  /** The name of the command, for example `INSERT`. */
  readonly command: string;
  /** The number of rows that were changed or are returned; undefined for statements without rows. */
  readonly rowCount: number | undefined;
  readonly columns: readonly string[];
  /** The values in PostgreSQL's text format. */
  readonly rows: readonly (readonly (string | null)[])[];
}

/** The programs that are shipped with this one, and programs of other vendors. */
export type Program = 'service' | 'server' | 'docker' | 'git' | 'powersync';

interface ProgramOptions {
  /** Receives the program's standard output line by line. Absent: it goes to our standard output. */
  readonly onLine?: (line: string) => void;
  /** Receives the program's standard error line by line, or drops it. Absent: it goes to our standard error. */
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
  /** Answers requests for a restart. Returns a function that stops answering. */
  readonly answer: (restart: () => Promise<ResetReply>) => Promise<() => void>;
  /** Whether a process is running here. */
  readonly isAnswered: () => Promise<boolean>;
  /** Requests a restart. Returns undefined if no process is running here. */
  readonly ask: () => Promise<ResetReply | undefined>;
}

export interface ResetReply {
  /** The address of the restarted service; absent if it does not answer. */
  readonly url?: string | undefined;
  /** The token for a deploy. */
  readonly token?: string | undefined;
}
