/** A file of access tests as it is written: who must get which rows, with the place of each name and expectation. */
import type { JsonObject } from '../plan/values/json.ts';
import type { SourceRow } from '../plan/values/source.ts';
import type { Span } from '../text/span.ts';

export interface WithPlace<T = string> {
  readonly value: T;
  readonly span: Span;
}

export interface TestFile {
  /** Path of the sync config, from the folder of the file. */
  readonly config?: WithPlace;
  /** The SQL files that create the tables; absent: the known tables of the project. */
  readonly schema?: WithPlace;
  readonly users: readonly TestUser[];
  /** Paths of SQL files with the shared rows that are not written here. */
  readonly seeds: readonly WithPlace[];
  /** Shared by all tests. */
  readonly rows: readonly TestRow[];
  readonly tests: readonly AccessTest[];
  readonly always: readonly AlwaysClaim[];
  /** The places of the lists of tests and claims. Everything outside them concerns all tests. */
  readonly lists: readonly Span[];
}

export interface TestUser {
  readonly name: WithPlace;
  /** Claims of the token; `sub` is the `id`. */
  readonly claims: JsonObject;
  /** Parameters of the connection. */
  readonly parameters: JsonObject;
}

/** A row of the source. */
export interface TestRow {
  readonly table: WithPlace;
  /** The id as clients see it. */
  readonly id: string;
  readonly values: SourceRow;
  readonly columns: readonly TestColumn[];
  readonly span: Span;
}

interface TestColumn extends WithPlace {
  readonly ofValue: Span;
}

export interface AccessTest {
  readonly name: WithPlace;
  readonly span: Span;
  /** A table that is not named must be empty. */
  readonly strict: boolean;
  readonly subscriptions: readonly TestSubscription[];
  readonly steps: readonly TestStep[];
}

export interface TestSubscription {
  readonly stream: WithPlace;
  readonly parameters: JsonObject;
  readonly names: readonly WithPlace[];
}

/** The steps in their order. Each begins with the rows that the one before has left. */
export type TestStep =
  | { readonly kind: 'insert'; readonly rows: readonly TestRow[] }
  /** The columns that are written replace those of the row with that id. */
  | { readonly kind: 'update'; readonly rows: readonly TestRow[] }
  | { readonly kind: 'delete'; readonly rows: readonly DeletedRow[] }
  | { readonly kind: 'expect'; readonly expectation: TestExpectation };

export interface DeletedRow {
  readonly table: WithPlace;
  readonly id: WithPlace;
}

export interface TestExpectation {
  readonly span: Span;
  readonly users: readonly UserExpectation[];
}

export interface UserExpectation {
  readonly user: WithPlace;
  readonly span: Span;
  /** `nothing`: not one row of any table. */
  readonly tables: 'nothing' | readonly TableExpectation[];
}

export interface TableExpectation {
  readonly table: WithPlace;
  readonly span: Span;
  readonly rows?: WantedRows;
  /** Exactly these, in any order. */
  readonly columns?: WithPlace<readonly string[]>;
}

export type WantedRows =
  | { readonly kind: 'all' | 'none' }
  | { readonly kind: 'exactly'; readonly ids: readonly WithPlace[] }
  | {
      readonly kind: 'some';
      readonly includes: readonly WithPlace[];
      readonly excludes: readonly WithPlace[];
    };

/** A condition that must hold for each row of a table on each device. */
export interface AlwaysClaim {
  readonly name: WithPlace;
  readonly table: WithPlace;
  /** A condition in SQL about the row, with `auth.user_id()` and similar for the user who has it. */
  readonly holds: WithPlace;
}
