/** The config under test, ready to be evaluated with any rows. Caches the compiled queries and the traces of rows. */
import { type PlacedSql, placeInFile } from '../file/place.ts';
import { type Config, plansOf } from '../file/sync.ts';
import type { Catalog, CatalogTable } from '../model/catalog.ts';
import {
  type ConfigEvaluator,
  type ConfigTracer,
  toConfigEvaluator,
  toConfigTracer,
} from '../plan/evaluate/evaluate.ts';
import { matchesTable } from '../plan/evaluate/patterns.ts';
import type { RowEvaluator } from '../plan/evaluate/rows.ts';
import { type SourceTable, tableNamed as tableIn } from '../plan/evaluate/scope.ts';
import type { Origin } from '../plan/expression.ts';
import type { StreamPlan } from '../plan/plan.ts';
import { rowRulesOf } from '../plan/rowRules.ts';
import { type SourceRow, toSqlRow } from '../plan/values/source.ts';
import { type Span, shift, span } from '../text/span.ts';

export type RowOutcome = ReturnType<RowEvaluator>;

export interface TestSubject {
  readonly config: Config;
  readonly plans: readonly StreamPlan[];
  readonly evaluator: ConfigEvaluator;
  readonly tracer: () => ConfigTracer;
  /** Returns the table with a name such as `rooms` or `app.rooms`. */
  readonly tableNamed: (name: string) => SourceTable;
  /** Returns the outcome for a row. It is cached for the same object, because rows are immutable. */
  readonly resultOf: (table: string, values: SourceRow) => RowOutcome;
  /** Returns the ids that a row would have in one of the clients' tables, ignoring all conditions: normally its `id`. */
  readonly idsOf: (table: string, values: SourceRow, clientTable: string) => readonly string[];
  readonly placeOf: (stream: string, origin: Origin) => PlacedSql;
  /** Returns the span of a stream's name in the file. */
  readonly placeOfStream: (stream: string) => Span;
  /** Whether rows of a source table can be synced to a table on clients. */
  readonly feeds: (table: string, clientTable: string) => boolean;
}

/** Returns the name by which tests know a table: with its schema only if that is not the default. */
export function nameInTests(
  { schema, name }: { readonly schema: string; readonly name: string },
  defaultSchema: string,
): string {
  return schema === defaultSchema ? name : `${schema}.${name}`;
}

/** Returns the table with a name such as `rooms` or `app.rooms`, if the source is known to have it. */
export function catalogTable(
  table: string,
  { tableNamed }: Pick<TestSubject, 'tableNamed'>,
  catalog: Catalog | undefined,
): CatalogTable | undefined {
  const { schema, name } = tableNamed(table);
  return catalog?.tables.find((each) => each.schema === schema && each.name === name);
}

/** @param plans the plans to use; default: all plans of the config */
export function toTestSubject(config: Config, plans = plansOf(config)): TestSubject {
  const { options, defaultSchema } = config.surroundings;
  const evaluator = toConfigEvaluator(plans, { options });
  const rules = rowRulesOf(plans);
  const resultOf = resultsOf(evaluator);
  let resultOfAny: TestSubject['resultOf'] | undefined;
  let tracer: ConfigTracer | undefined;

  const tableNamed = (name: string): SourceTable => tableIn(name, { defaultSchema });
  function resultsOf({ rowsOf }: ConfigEvaluator): TestSubject['resultOf'] {
    const evaluators = new Map<string, RowEvaluator>();
    const results = new WeakMap<SourceRow, RowOutcome>();
    return (table, values) => {
      const evaluate = evaluators.get(table) ?? rowsOf(tableNamed(table));
      evaluators.set(table, evaluate);
      const known = results.get(values) ?? evaluate(toSqlRow(values, options));
      results.set(values, known);
      return known;
    };
  }
  return {
    config,
    plans,
    evaluator,
    tracer() {
      tracer ??= toConfigTracer(plans, { options });
      return tracer;
    },
    tableNamed,
    resultOf,
    idsOf(table, values, clientTable) {
      resultOfAny ??= resultsOf(toConfigEvaluator(plans.map(withoutConditions), { options }));
      const { rows } = resultOfAny(table, values);
      return [...new Set(rows.flatMap((row) => (row.table === clientTable ? [row.id] : [])))];
    },
    placeOf: (stream, origin) => placeInFile(config, stream, origin),
    placeOfStream(stream) {
      const placed = config.definitions.find(({ definition }) => definition.name === stream);
      return placed === undefined ? span(0, 0) : shift(placed.definition.nameSpan, placed.part.base);
    },
    feeds(table, clientTable) {
      const source = tableNamed(table);
      return rules.some(
        (rule) => (rule.outputTable ?? source.name) === clientTable && matchesTable(rule.table, source),
      );
    },
  };
}

/** Changes a plan so that all rows are in a single bucket, which no user gets. */
function withoutConditions({ sources, ...plan }: StreamPlan): StreamPlan {
  return {
    ...plan,
    lookups: [],
    routes: [],
    sources: sources.map(({ rules, ...source }) => ({
      ...source,
      rules: rules.map((rule) => ({ ...rule, filter: [], expansions: [], keys: [] })),
    })),
  };
}
