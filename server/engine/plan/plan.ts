/**
 * The plan of a stream: all that is needed to put rows into buckets and to give buckets to requests. Immutable
 * and free of references to syntax; `at` says where a part is written, for traces.
 *
 * Rows: each {@link RowRule} of a {@link BucketSource} takes rows of its table. A row that passes the filter goes
 * to the bucket that its key values name, once per combination of elements of the rule's expansions.
 *
 * Requests: each {@link BucketRoute} that passes its request filters walks its steps, which give tuples of values, and
 * computes from them the key values of the buckets of its source.
 */
import type { Priority } from '../model/definition.ts';
import type { Expression, Origin } from './expression.ts';

/** A name, or the beginning of names if it was written with a trailing `%`. */
export interface NamePattern {
  readonly text: string;
  readonly wildcard: boolean;
}

export interface TablePattern {
  readonly tag: string;
  readonly schema: NamePattern;
  readonly name: NamePattern;
}

/**
 * A table function over a row or a request: one element at a time.
 *
 * `json_array` is what IN and && of bucket definitions and of streams before edition 3 read: the elements of a JSON
 * array; anything else, objects included, has none if it belongs to the request, and is a failure in a row.
 */
export interface Expansion {
  readonly function: string;
  readonly args: readonly Expression[];
  readonly at: Origin;
}

/** Rows of one table that pass a filter. `filter` holds conditions that must all be true. */
export interface RowSelection {
  readonly table: TablePattern;
  readonly expansions: readonly Expansion[];
  readonly filter: readonly Expression[];
  readonly at: Origin;
}

/** One column of the output, or all columns of the row. A later column overwrites an earlier one with the same name. */
export type OutputColumn =
  | {
      readonly kind: 'star';
      /** Whether columns whose names begin with `_` are left out, as before edition 3. */
      readonly visibleOnly?: true;
      readonly at: Origin;
    }
  | {
      readonly kind: 'column';
      readonly name: string;
      readonly value: Expression;
      /** Whether the row's own column of that name stays if this value is NULL: before edition 3, if a star follows it. */
      readonly yieldsToStar?: true;
      readonly at: Origin;
    };

export interface RowRule extends RowSelection {
  /** The keys, in the order of the key values of the source's routes. */
  readonly keys: readonly Expression[];
  readonly columns: readonly OutputColumn[];
  /** Absent for a wildcard without alias: then it is the name of the table that the row comes from. */
  readonly outputTable?: string;
}

export interface BucketSource {
  /** The identity of the source. Sources of other streams with an equal identity share its buckets. */
  readonly identity: string;
  /** Number of the first branch that needs it, counted over all queries of the stream. */
  readonly number: number;
  readonly keys: number;
  readonly rules: readonly RowRule[];
}

/** An index over a table: from the inputs of its rows to their outputs. */
export interface Lookup extends RowSelection {
  /** Lookups of equal identity share their entries. */
  readonly identity: string;
  readonly inputs: readonly Expression[];
  /** Empty for a check whether such a row exists. */
  readonly outputs: readonly Expression[];
}

/** A value that a route computes. */
export type RouteValue =
  | { readonly kind: 'request'; readonly value: Expression; readonly at: Origin }
  | { readonly kind: 'output'; readonly step: number; readonly output: number; readonly at: Origin };

/** Values that must all be equal, in class and value. In most cases, there is one. */
export type Meeting = readonly RouteValue[];

export interface LookupStep {
  readonly kind: 'lookup';
  /** Index into the lookups of the stream. */
  readonly lookup: number;
  /** Steps of one stage do not depend on each other; those of stage 0 depend on the request only. */
  readonly stage: number;
  readonly inputs: readonly Meeting[];
}

/** The elements of request data. Expressions in it refer to the expansion as number 0. */
export interface ExpandStep {
  readonly kind: 'expand';
  readonly stage: 0;
  readonly expansion: Expansion;
  readonly filter: readonly Expression[];
  readonly outputs: readonly Expression[];
}

export type RouteStep = LookupStep | ExpandStep;

/** One way in which a request gets buckets of a source. */
export interface BucketRoute {
  /** Index into the sources of the stream. */
  readonly source: number;
  /** Conditions on the request that must all be true. */
  readonly filter: readonly Expression[];
  /** Each depends on earlier ones only. Values of one tuple of rows and elements stay together. */
  readonly steps: readonly RouteStep[];
  readonly keys: readonly Meeting[];
  /** Instead of the priority of the stream. */
  readonly priority?: Priority;
  readonly at: Origin;
}

/** The plan of a stream, or of a bucket definition, which everybody gets. */
export interface StreamPlan {
  readonly name: string;
  /** Its one source is named like the definition, without a number. */
  readonly isDefinition?: true;
  /** Clients get it without asking. */
  readonly isDefault: boolean;
  readonly priority: Priority;
  readonly sources: readonly BucketSource[];
  readonly lookups: readonly Lookup[];
  readonly routes: readonly BucketRoute[];
}
