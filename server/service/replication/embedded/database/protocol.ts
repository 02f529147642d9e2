/** The messages between the service and the process of its database. */

import type { FatalPlace, StatementPlace } from '../loading/places.ts';
import type { Script, SkippedStep } from '../loading/run.ts';

/** The file descriptor on which the process reports its work, one line for each pulse, also while a statement blocks it. */
export const pulseFile = 4;
/** The interval of pulses, in milliseconds. */
export const pulseEvery = 1_000;

export interface Pulse {
  /** Milliseconds since it last did anything else but run a statement. */
  readonly blocked: number;
  /** Milliseconds since the statement began; absent: none runs. */
  readonly runs?: number;
  /** Milliseconds since a client sent anything, while its transaction is open and no statement runs. */
  readonly held?: number;
  /** The beginning of the statement, or of the last one of the transaction. */
  readonly statement?: string;
  /** The reason why the process ends. */
  readonly ended?: string;
}

/**
 * A name in place of a folder: the data is gone with the process, which no client can reach. The same statements lead to the
 * same rows there, whenever they run.
 */
export const inMemory = 'memory://';

/** The process finds the password of its clients here. */
export const passwordVariable = 'HEADWATER_DATABASE_PASSWORD';

export type Request =
  | Query
  | Read
  | Copy
  | { readonly kind: 'execute'; readonly sql: string }
  | Activity
  | LoadScripts;

/** Each statement is announced before it begins: one that never ends blocks the process. */
export interface LoadScripts {
  readonly kind: 'load';
  readonly scripts: readonly HashedScript[];
  /** Whether they find what Supabase has set up. */
  readonly host: 'plain' | 'supabase';
  /** Files that scripts may include, by name. */
  readonly includes: readonly Script[];
  /** Statements that the database did not survive before. */
  readonly leaveOut: readonly FatalPlace[];
  /** Statements of scripts that were run before, which failed. */
  readonly earlier: readonly SkippedStep[];
}

export interface HashedScript extends Script {
  /** The hash of its text, and of the texts that it includes. */
  readonly hash: string;
  /** `seed`: it makes rows to begin with, and nobody misses it. */
  readonly kind: 'schema' | 'seed';
  /** Starts of statements that were run before, when the script was another text. */
  readonly done?: readonly number[];
}

export interface Query {
  readonly kind: 'query';
  /** `owner`: the rights of the superuser. `user`: the rights of scripts and clients, for statements that may run code of a project. */
  readonly rights: 'owner' | 'user';
  readonly sql: string;
  readonly parameters: readonly (string | number | boolean | null)[];
}

/** A user's statement, which can only read. Its start is reported, because it blocks the process until it ends. */
export interface Read {
  readonly kind: 'read';
  readonly sql: string;
  readonly args: readonly (string | number | boolean)[];
}

/** Rows in the text format of `COPY`: a fifth of the work that rows of a query are. */
interface Copy {
  readonly kind: 'copy';
  /** Selects rows. */
  readonly select: string;
}

/** Answered as soon as there were more turns than this. */
interface Activity {
  readonly kind: 'activity';
  readonly after: number;
}

/** A message that nobody waits for the answer any more, so work that has not begun is skipped. */
interface Cancel {
  readonly kind: 'cancel';
}

/** Stops cleanly, where a signal would not. Not answered. */
interface Stop {
  readonly kind: 'stop';
}

export type ToDatabase = { readonly id: number; readonly request: Request | Cancel | Stop };

export type FromDatabase =
  /** The port is 0 where no client can reach it. */
  | { readonly kind: 'ready'; readonly port: number }
  /** The database could not be opened. */
  | { readonly kind: 'broken'; readonly problem: DatabaseProblem }
  /** A message for the log. */
  | { readonly kind: 'warning'; readonly message: string }
  | { readonly kind: 'begun'; readonly id: number; readonly place?: StatementPlace }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'failure'; readonly id: number; readonly problem: DatabaseProblem };

export interface Answer {
  /** Values as Postgres writes them. */
  readonly rows: readonly (readonly (string | null)[])[];
  readonly columns: readonly string[];
  /** For a copy: lines, in UTF-8. */
  readonly lines?: Uint8Array;
  /** For a user's statement: the oid of each column's type, and their descriptions (`headwater.types`). */
  readonly oids?: readonly number[];
  readonly types?: string;
  /** Whether there are more rows. */
  readonly truncated?: boolean;
  /** The number of turns that others have had: their changes are committed. */
  readonly turns: number;
}

export interface DatabaseProblem {
  readonly message: string;
  /** SQLSTATE, of errors in SQL. */
  readonly code?: string;
  /** Counted from 1, into the text of the statement. */
  readonly position?: number;
}
