/**
 * The plan of a stream: everything that is needed to put rows into buckets and to assign buckets to requests. Plans are immutable
 * and contain no syntax nodes. The property `at` is the place of a part in the config, for traces.
 *
 * Rows: each {@link RowRule} of a {@link BucketSource} reads the rows of its table. A row that passes the filter is put into the
 * bucket that its key values name, once for each combination of elements of the rule's expansions.
 *
 * Requests: each {@link BucketRoute} whose request filters hold runs its steps, which produce tuples of values. From these, it
 * computes the key values of its source's buckets.
 */
import type { Priority } from '../model/definition.ts';
import type { Expression, Origin } from './expression.ts';

/** A name, or a prefix of names if it was written with a trailing `%`. */
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
 * A table function over a row or a request. It returns one element at a time.
 *
 * `json_array` is what IN and && read in bucket definitions and in streams before edition 3: the elements of a JSON array. Any
 * other value, including an object, has no elements if it is from the request, and is a failure in a row.
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
      /** Whether columns whose names begin with `_` are excluded, as before edition 3. */
      readonly visibleOnly?: true;
      readonly at: Origin;
    }
  | {
      readonly kind: 'column';
      readonly name: string;
      readonly value: Expression;
      /**
       * Whether the row's own column with this name is kept if this value is NULL. This is so before edition 3, if a star follows
       * the value.
       */
      readonly yieldsToStar?: true;
      readonly at: Origin;
    };

export interface RowRule extends RowSelection {
  /** The keys, in the order of the key values of the source's routes. */
  readonly keys: readonly Expression[];
  readonly columns: readonly OutputColumn[];
  /** Absent for a wildcard without an alias, in which case the output table has the name of the row's own table. */
  readonly outputTable?: string;
}

export interface BucketSource {
  /** The identity of the source. Sources with the same identity in several streams share their buckets. */
  readonly identity: string;
  /** The number of the first branch that uses the source, counted over all queries of the stream. */
  readonly number: number;
  readonly keys: number;
  readonly rules: readonly RowRule[];
}

/** An index of a table that maps the inputs of its rows to their outputs. */
export interface Lookup extends RowSelection {
  /** The identity of the lookup. Lookups with the same identity share their entries. */
  readonly identity: string;
  readonly inputs: readonly Expression[];
  /** Empty if the lookup only checks whether a row exists. */
  readonly outputs: readonly Expression[];
}

/** A value that a route computes. */
export type RouteValue =
  | { readonly kind: 'request'; readonly value: Expression; readonly at: Origin }
  | { readonly kind: 'output'; readonly step: number; readonly output: number; readonly at: Origin };

/** Values that must all be equal, in class and value. Normally there is only one. */
export type Meeting = readonly RouteValue[];

export interface LookupStep {
  readonly kind: 'lookup';
  /** The index in the lookups of the stream. */
  readonly lookup: number;
  /** The stage. Steps of the same stage do not depend on each other; steps of stage 0 depend only on the request. */
  readonly stage: number;
  readonly inputs: readonly Meeting[];
}

/** A step that reads the elements of request data. Its expressions refer to the expansion as number 0. */
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
  /** The index in the sources of the stream. */
  readonly source: number;
  /** Conditions on the request that must all be true. */
  readonly filter: readonly Expression[];
  /** The steps. Each one depends only on earlier ones. Values of one tuple of rows and elements stay together. */
  readonly steps: readonly RouteStep[];
  readonly keys: readonly Meeting[];
  /**
   * The places of the comparisons, by the index of the rule in the source and by key. Rules share a route, so the places in `keys` are
   * those of one rule only. Absent if all rules have these places.
   */
  readonly comparedAt?: readonly (readonly (readonly Origin[])[])[];
  /** A priority that overrides that of the stream. */
  readonly priority?: Priority;
  readonly at: Origin;
}

/** The plan of a stream, or of a bucket definition, which every client gets. */
export interface StreamPlan {
  readonly name: string;
  /** Present for a bucket definition. Its only source has the name of the definition, without a number. */
  readonly isDefinition?: true;
  /** Whether clients get the stream without subscribing. */
  readonly isDefault: boolean;
  readonly priority: Priority;
  readonly sources: readonly BucketSource[];
  readonly lookups: readonly Lookup[];
  readonly routes: readonly BucketRoute[];
}
