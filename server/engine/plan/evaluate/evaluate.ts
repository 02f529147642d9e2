/**
 * Evaluates an entire config: `(table, row) → bucket rows, lookup entries, failures` and `(claims, parameters, subscriptions) →
 * buckets, failures`. Both syncing in the service and Explain use it.
 *
 * Each plan is compiled to closures once, and options are applied at that time, so evaluating a row costs nothing for features that
 * its config does not use. A trace uses the same closures, compiled with an observer, so it shows what really decided. Failures are
 * thrown inside a rule and returned as codes, so one rule never stops another. A request yields the lookup keys that it needs, so
 * it does not depend on where they are stored.
 */
import type { Options } from '../../model/definition.ts';
import type { StreamPlan, TablePattern } from '../plan.ts';
import { type NamedPlan, type Naming, nameParts, ownPlans, type StoredParts } from './names.ts';
import { matchesTable } from './patterns.ts';
import { type ReferenceReading, readAsReference } from './referenceReads.ts';
import {
  type CompiledRequests,
  evaluateRequest,
  type RequestEvaluation,
  type SyncRequest,
} from './requests.ts';
import { compileRoute } from './route.ts';
import { type RowEvaluator, toRowEvaluator } from './rows.ts';
import type { EvaluationRules, Row, SourceTable } from './scope.ts';
import { type RequestTracing, traceRequest } from './traceRequest.ts';
import { type RuleTrace, traceRow } from './traceRow.ts';

/** The side of a config that evaluates rows for storage. */
export interface RowSide {
  /** The tables to replicate. */
  readonly tables: readonly TablePattern[];
  /** Returns the evaluator of a table, which is created once and used for all its rows. */
  readonly rowsOf: (table: SourceTable) => RowEvaluator;
}

export interface ConfigEvaluator extends RowSide {
  readonly request: (request: SyncRequest) => RequestEvaluation;
  /** Returns the lookups that PowerSync's service would read for the request. */
  readonly referenceReads: (request: SyncRequest) => ReferenceReading;
  /** The prefixes of the names of a stream's buckets, before the `[`. Streams with equal queries share some of them. */
  readonly bucketNames: ReadonlyMap<string, readonly string[]>;
  /** The prefixes of the keys of a stream's lookups, before the `[`. */
  readonly lookupNames: ReadonlyMap<string, readonly string[]>;
}

export interface ConfigTracer {
  readonly row: (table: SourceTable, row: Row) => readonly RuleTrace[];
  readonly request: (request: SyncRequest) => RequestTracing;
}

interface EvaluatorSettings extends Naming {
  readonly options: Options;
}

export function toConfigEvaluator(
  plans: readonly StreamPlan[],
  settings: EvaluatorSettings,
): ConfigEvaluator {
  const rules = rulesOf(settings.options);
  const named = nameParts(plans, settings);
  const streams = new Map(named.map((each) => [each.plan.name, requestsOf(each, rules)]));
  return {
    tables: tablesOf(plans),
    rowsOf: (table) => toRowEvaluator(named, table, rules),
    request: (request) => evaluateRequest(streams, request),
    referenceReads: (request) => readAsReference(streams, request),
    bucketNames: new Map(named.map(({ plan, sourceNames }) => [plan.name, [...new Set(sourceNames)]])),
    lookupNames: new Map(named.map(({ plan, lookupNames }) => [plan.name, lookupNames])),
  };
}

/** Returns the row side of parts that may come from several configs. */
export function toRowSide(parts: StoredParts, options: Options): RowSide {
  const rules = rulesOf(options);
  return {
    tables: tablesOf(ownPlans(parts)),
    rowsOf: (table) => toRowEvaluator(parts.plans, table, rules),
  };
}

/** Returns a tracer, which evaluates in the same way but more slowly, and records the reasons. */
export function toConfigTracer(plans: readonly StreamPlan[], settings: EvaluatorSettings): ConfigTracer {
  const rules = rulesOf(settings.options);
  const named = nameParts(plans, settings);
  return {
    row: (table, row) => traceRow(named, table, row, rules),
    request: (request) => traceRequest(named, request, rules),
  };
}

function rulesOf({ edition, fixedJsonExtract, sqliteEngine }: Options): EvaluationRules {
  return { wholeKeys: fixedJsonExtract, sqliteEngine, blobsOverwrite: edition < 3 };
}

function requestsOf({ plan, sourceNames, lookupNames }: NamedPlan, rules: EvaluationRules): CompiledRequests {
  const { name, isDefault, priority } = plan;
  const routes = plan.routes.map((route) => compileRoute(route, rules));
  return { name, isDefault, priority, sourceNames, lookupNames, routes };
}

/** Returns the distinct table patterns that plans read, in the order of the file. */
export function tablesOf(plans: readonly StreamPlan[]): readonly TablePattern[] {
  const parts = plans.flatMap(({ sources, lookups }) => [
    ...sources.flatMap(({ rules }) => rules),
    ...lookups,
  ]);
  const byText = new Map(parts.map(({ table }) => [JSON.stringify(table), table]));
  return [...byText.values()];
}

/** Whether a config needs the rows of a table. */
export function replicates(tables: readonly TablePattern[], table: SourceTable): boolean {
  return tables.some((pattern) => matchesTable(pattern, table));
}
