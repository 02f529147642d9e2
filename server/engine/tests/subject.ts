/** The config under test, ready to be run over any rows. It keeps the compiled queries and the traces of rows. */
import { type PlacedSql, placeInFile } from '../file/place.ts';
import { type Config, plansOf } from '../file/sync.ts';
import {
  type ConfigEvaluator,
  type ConfigTracer,
  toConfigEvaluator,
  toConfigTracer,
} from '../plan/evaluate/evaluate.ts';
import { matchesTable } from '../plan/evaluate/patterns.ts';
import type { RowEvaluator } from '../plan/evaluate/rows.ts';
import type { SourceTable } from '../plan/evaluate/scope.ts';
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
  /** `rooms`, or `app.rooms`. */
  readonly tableNamed: (name: string) => SourceTable;
  /** The same for the same object: rows are immutable. */
  readonly resultOf: (table: string, values: SourceRow) => RowOutcome;
  /** Under which clients would know a row in one of their tables, whatever its conditions say: mostly its `id`. */
  readonly idsOf: (table: string, values: SourceRow, clientTable: string) => readonly string[];
  readonly placeOf: (stream: string, origin: Origin) => PlacedSql;
  /** The place of its name in the file. */
  readonly placeOfStream: (stream: string) => Span;
  /** Whether rows of a table can become rows of a client's table. */
  readonly feeds: (table: string, clientTable: string) => boolean;
}

/** @param plans Only these of its plans; default: all of them. */
export function toTestSubject(config: Config, plans = plansOf(config)): TestSubject {
  const { options, defaultSchema } = config.surroundings;
  const evaluator = toConfigEvaluator(plans, { options });
  const rules = rowRulesOf(plans);
  const resultOf = resultsOf(evaluator);
  let resultOfAny: TestSubject['resultOf'] | undefined;
  let tracer: ConfigTracer | undefined;

  const tableNamed = (name: string): SourceTable => {
    const dot = name.indexOf('.');
    return dot === -1
      ? { tag: 'default', schema: defaultSchema, name }
      : { tag: 'default', schema: name.slice(0, dot), name: name.slice(dot + 1) };
  };
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

/** Puts all rows into one bucket, which nobody gets. */
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
