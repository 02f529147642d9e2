/** The content of an access test file: which users must get which rows, with the span of each name and expectation. */

import type { ColumnReference } from '../model/catalog.ts';
import type { JsonObject } from '../plan/values/json.ts';
import type { SourceRow, SourceValue } from '../plan/values/source.ts';
import type { Span } from '../text/span.ts';

export interface WithPlace<T = string> {
  readonly value: T;
  readonly span: Span;
}

export interface TestFile {
  /** The path of the sync config, relative to the folder of the file. */
  readonly config?: WithPlace;
  /** The SQL files that create the tables; absent: the known tables of the project. */
  readonly schema?: WithPlace;
  readonly users: readonly TestUser[];
  /** The paths of SQL files with shared rows, in addition to the rows in this file. */
  readonly seeds: readonly WithPlace[];
  /** The rows that all tests share. */
  readonly rows: readonly TestRow[];
  readonly tests: readonly AccessTest[];
  readonly always: readonly AlwaysClaim[];
  /** The spans of the lists of tests and claims. Everything outside them affects all tests. */
  readonly lists: readonly Span[];
}

export interface TestUser {
  readonly name: WithPlace;
  /** The claims of the token. `sub` is the `id`. */
  readonly claims: JsonObject;
  /** The parameters of the connection. */
  readonly parameters: JsonObject;
}

/** A row of the source. */
export interface TestRow {
  readonly table: WithPlace;
  /** The id under which clients know the row. */
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
  /** Whether a table that is not named must be empty. */
  readonly strict: boolean;
  readonly subscriptions: readonly TestSubscription[];
  readonly steps: readonly TestStep[];
}

export interface TestSubscription {
  readonly stream: WithPlace;
  readonly parameters: JsonObject;
  readonly names: readonly WithPlace[];
}

/** The steps in order. Each one starts with the rows that the previous one has left. */
export type TestStep =
  | {
      readonly kind: 'insert';
      readonly rows: readonly TestRow[];
      /** Present if these are the rows with which the test starts, so that nothing happens when they are added. */
      readonly isStart?: true;
    }
  /** An update. The given columns replace those of the row with the same id. */
  | { readonly kind: 'update'; readonly rows: readonly TestRow[] }
  | {
      readonly kind: 'delete';
      readonly rows: readonly DeletedRow[];
      /** The foreign keys of the source. Absent: none is known. */
      readonly references?: readonly TableReference[];
    }
  | { readonly kind: 'expect'; readonly expectation: TestExpectation };

/** A foreign key, with the names of tables as tests write them. */
export interface TableReference {
  readonly table: string;
  readonly columns: readonly string[];
  readonly parent: string;
  /** The columns to which `columns` refer, in the same order. */
  readonly parentColumns: readonly string[];
  readonly onDelete: NonNullable<ColumnReference['onDelete']>;
  /** The values that `SET DEFAULT` writes. */
  readonly fallbacks: readonly SourceValue[];
}

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
  /** The expected tables. `nothing`: no row of any table. */
  readonly tables: 'nothing' | readonly TableExpectation[];
}

export interface TableExpectation {
  readonly table: WithPlace;
  readonly span: Span;
  readonly rows?: WantedRows;
  /** The exact set of columns, in any order. */
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

/** A condition that must hold for each row of a table on every device. */
export interface AlwaysClaim {
  readonly name: WithPlace;
  readonly table: WithPlace;
  /** An SQL condition on the row, with functions such as `auth.user_id()` for the user who has the row. */
  readonly holds: WithPlace;
}
