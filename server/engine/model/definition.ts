/**
 * The YAML of a config, before its SQL is understood. Created by `config.ts`, used by `plan/`. Spans count in the part of the
 * file that is analysed on its own (see `yaml/`), so that a definition that only moved keeps its analysis.
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

/** One SQL text of the file: its syntax, and where it lies. */
export interface SqlText {
  readonly sql: KeptSql;
  /** The alias or the name of the table that it reads first. */
  readonly subject?: string;
  /** The scalar in the YAML, quotes and block header included. */
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
  /** The inner content of the stream's map. */
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
  /** Absent without the key; empty for `parameters: []`. */
  readonly parameters?: readonly SqlText[];
  /** Whether a parameter query is not an SQL text, so the parameters of the definition are unknown. */
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

/** Everything that the analysis of one definition may depend on, apart from its own text. */
export interface ConfigSurroundings {
  readonly options: Options;
  /** Global CTEs. Problems inside them are reported once, by `plan/`'s check of a CTE, not by their users. */
  readonly ctes: readonly Cte[];
  readonly catalog?: Catalog;
  /** Schema of unqualified tables: `public` for PostgreSQL. */
  readonly defaultSchema: string;
}

/** Reports about a span of the part (YAML), or of one of its SQL texts. */
export interface Reporter {
  readonly atPart: Report;
  readonly inSql: (text: SqlText) => Report;
}
