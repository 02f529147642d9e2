/** The messages between the service and the process of its database. */

import type { FatalPlace, StatementPlace } from '../loading/places.ts';
import type { Script, SkippedStep } from '../loading/run.ts';

/** The file descriptor on which the process reports its work, one line for each pulse, even while a statement blocks it. */
export const pulseFile = 4;
/** The interval of pulses, in milliseconds. */
export const pulseEvery = 1_000;

export interface Pulse {
  /** Milliseconds since the process last did anything other than running a statement. */
  readonly blocked: number;
  /** Milliseconds since the statement began; absent: no statement is running. */
  readonly runs?: number;
  /** Milliseconds since a client last sent anything. Present while the client's transaction is open and no statement is running. */
  readonly held?: number;
  /** The beginning of the running statement, or of the last one of the transaction. */
  readonly statement?: string;
  /** The reason why the process is ending. */
  readonly ended?: string;
}

/**
 * Used instead of a folder: the data is only in memory, and no client can connect. There, the same statements always produce the
 * same rows, regardless of the time.
 */
export const inMemory = 'memory://';

/** The variable in which the process finds the password of its clients. */
export const passwordVariable = 'HEADWATER_DATABASE_PASSWORD';

export type Request =
  | Query
  | Read
  | Copy
  | { readonly kind: 'execute'; readonly sql: string }
  | Activity
  | LoadScripts;

/** Loads scripts. Each statement is announced before it begins, because one that never ends blocks the process. */
export interface LoadScripts {
  readonly kind: 'load';
  readonly scripts: readonly HashedScript[];
  /** Whether the scripts expect the objects that Supabase has set up. */
  readonly host: 'plain' | 'supabase';
  /** The files that scripts may include, by name. */
  readonly includes: readonly Script[];
  /** Statements that the database has not survived before. */
  readonly leaveOut: readonly FatalPlace[];
  /** Failed statements of scripts that were run before. */
  readonly earlier: readonly SkippedStep[];
}

export interface HashedScript extends Script {
  /** The hash of the script's text and of the included texts. */
  readonly hash: string;
  /** `seed`: the script creates initial rows, which are optional. */
  readonly kind: 'schema' | 'seed';
  /** The starts of statements that have already run, if the script has been changed since then. */
  readonly done?: readonly number[];
}

export interface Query {
  readonly kind: 'query';
  /**
   * `owner`: the rights of the superuser. `user`: the rights of scripts and clients, for statements that may run code of a
   * project.
   */
  readonly rights: 'owner' | 'user';
  readonly sql: string;
  readonly parameters: readonly (string | number | boolean | null)[];
}

/** A statement of the user, which can only read. Its start is reported, because it blocks the process until it ends. */
export interface Read {
  readonly kind: 'read';
  readonly sql: string;
  readonly args: readonly (string | number | boolean)[];
}

/** Reads rows in the text format of `COPY`, which is a fifth of the work of a query. */
interface Copy {
  readonly kind: 'copy';
  /** The statement that selects the rows. */
  readonly select: string;
}

/** Answered as soon as clients have had more turns than this. */
interface Activity {
  readonly kind: 'activity';
  readonly after: number;
}

/** Reports that the answer is no longer needed, so that work that has not begun is skipped. */
interface Cancel {
  readonly kind: 'cancel';
}

/** Stops cleanly, on systems on which a signal would not. Not answered. */
interface Stop {
  readonly kind: 'stop';
}

export type ToDatabase = { readonly id: number; readonly request: Request | Cancel | Stop };

export type FromDatabase =
  /** The port is 0 if no client can connect. */
  | { readonly kind: 'ready'; readonly port: number }
  /** The database could not be opened. */
  | { readonly kind: 'broken'; readonly problem: DatabaseProblem }
  /** A message for the log. */
  | { readonly kind: 'warning'; readonly message: string }
  | { readonly kind: 'begun'; readonly id: number; readonly place?: StatementPlace }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'failure'; readonly id: number; readonly problem: DatabaseProblem };

export interface Answer {
  /** The values as PostgreSQL writes them. */
  readonly rows: readonly (readonly (string | null)[])[];
  readonly columns: readonly string[];
  /** The lines of a copy, in UTF-8. */
  readonly lines?: Uint8Array;
  /** For a statement of the user: the oid of each column's type, and the descriptions of the types (`headwater.types`). */
  readonly oids?: readonly number[];
  readonly types?: string;
  /** Whether there are more rows. */
  readonly truncated?: boolean;
  /** The number of turns that clients have had. Their changes are committed. */
  readonly turns: number;
}

export interface DatabaseProblem {
  readonly message: string;
  /** The SQLSTATE of an error in SQL. */
  readonly code?: string;
  /** The position in the text of the statement, beginning with 1. */
  readonly position?: number;
}
