/**
 * The parsed YAML of a config, before its SQL is analysed. Created by `config.ts`, used by `plan/`. Spans are relative to the part
 * of the file that is analysed on its own (see `yaml/`), so a definition that only moved keeps its analysis.
 */
import type { Report } from '../diagnostics/diagnostics.ts';
import type { Span } from '../text/span.ts';
import type { ScalarStyle } from '../yaml/nodes.ts';
import type { Catalog } from './catalog.ts';
import type { KeptSql } from './trees.ts';

export type Edition = 1 | 2 | 3;
export type Priority = 0 | 1 | 2 | 3;
export type TimePrecision = 'seconds' | 'milliseconds' | 'microseconds' | 'nanoseconds';

/** The `config` map with the defaults of the edition filled in. */
export interface Options {
  readonly edition: Edition;
  readonly storageVersion?: number;
  readonly timestampsIso8601: boolean;
  readonly timestampMaxPrecision?: TimePrecision;
  readonly versionedBucketIds: boolean;
  readonly fixedJsonExtract: boolean;
  readonly customPostgresTypes: boolean;
  readonly sqliteEngine: boolean;
}

/** One SQL text of the file: its syntax tree and its place. */
export interface SqlText {
  readonly sql: KeptSql;
  /** The alias or name of the first table that the query reads. */
  readonly subject?: string;
  /** The span of the scalar in the YAML, including quotes or block header. */
  readonly span: Span;
  readonly style: ScalarStyle;
  /** Converts a span in the SQL text to one in the YAML. */
  readonly place: (inSql: Span) => Span;
}

/** A common table expression under `with`. */
export interface Cte {
  readonly name: string;
  readonly nameSpan: Span;
  readonly query: SqlText;
}

export interface StreamDefinition {
  readonly kind: 'stream';
  readonly name: string;
  readonly nameSpan: Span;
  /** The span of the stream's map. */
  readonly span: Span;
  readonly autoSubscribe: boolean;
  readonly priority: Priority;
  readonly prioritySpan?: Span;
  readonly acceptDangerous: boolean;
  readonly ctes: readonly Cte[];
  readonly queries: readonly SqlText[];
}

export interface BucketDefinition {
  readonly kind: 'bucket-definition';
  readonly name: string;
  readonly nameSpan: Span;
  readonly span: Span;
  readonly priority?: Priority;
  readonly prioritySpan?: Span;
  readonly acceptDangerous: boolean;
  /** Absent if the key is absent; empty for `parameters: []`. */
  readonly parameters?: readonly SqlText[];
  /** Whether a parameter query is not an SQL text, so that the parameters of the definition are unknown. */
  readonly parametersUnreadable: boolean;
  readonly data: readonly SqlText[];
}

export interface EventDefinition {
  readonly kind: 'event';
  readonly name: string;
  readonly nameSpan: Span;
  readonly span: Span;
  readonly payloads: readonly SqlText[];
}

export type Definition = StreamDefinition | BucketDefinition | EventDefinition;

/** Everything other than its own text on which the analysis of a definition may depend. */
export interface ConfigSurroundings {
  readonly options: Options;
  /** The global CTEs. Problems inside them are reported once, by `plan/`'s check of a CTE, and not again for each use. */
  readonly ctes: readonly Cte[];
  readonly catalog?: Catalog;
  /** The schema of unqualified table names: `public` for PostgreSQL. */
  readonly defaultSchema: string;
}

/** Reports problems at a span of the part (YAML) or of one of its SQL texts. */
export interface Reporter {
  readonly atPart: Report;
  readonly inSql: (text: SqlText) => Report;
}
