/** Compiles bucket definitions, the older form of streams, to plans. Reports all problems in their SQL. */
import type { Args, Code } from '../../diagnostics/diagnostics.ts';
import type { BucketDefinition, ConfigSurroundings, Reporter, SqlText } from '../../model/definition.ts';
import type { Span } from '../../text/span.ts';
import type { Origin } from '../expression.ts';
import { lookupTable } from '../lookups.ts';
import type { BucketRoute, Meeting, RouteValue, StreamPlan } from '../plan.ts';
import { type DataQuery, readDataQuery, rulesOf } from './dataQuery.ts';
import { watchErrors } from './errors.ts';
import { type ParameterQuery, readParameterQuery } from './parameters/parameterQuery.ts';

interface CompiledDefinition {
  /** Absent after an error. */
  readonly plan?: StreamPlan;
  /** The texts that the plan's origins refer to by index: first the parameter queries, then the data queries. */
  readonly texts: readonly SqlText[];
  /** The readable parameter queries. */
  readonly parameters: readonly ParameterQuery[];
  readonly data: readonly DataQuery[];
}

export function compileBucketDefinition(
  definition: BucketDefinition,
  surroundings: ConfigSurroundings,
  reporter: Reporter,
): CompiledDefinition {
  const { parameters: sources = [] } = definition;
  const texts = [...sources, ...definition.data];
  const watched = watchErrors(reporter, texts);
  const placeOf = (source: SqlText, text: number) => ({
    surroundings,
    source,
    text,
    report: watched.inSql(source),
  });
  const queries = sources.map((source, text) => readParameterQuery({ ...placeOf(source, text), definition }));
  const data = definition.data.flatMap(
    (source, index) => readDataQuery(placeOf(source, sources.length + index)) ?? [],
  );
  const parameters = queries.flatMap((query) => query ?? []);
  const check: Check = { definition, texts, reporter: watched };
  const names = agreeOnNames(check, queries);
  if (names) checkData(check, names, data);
  return {
    ...(names && !watched.failed() && { plan: planOf(definition, names, parameters, data) }),
    texts,
    parameters,
    data,
  };
}

interface Check {
  readonly definition: BucketDefinition;
  readonly texts: readonly SqlText[];
  readonly reporter: Reporter;
}

/** Returns the names of the definition's parameters; undefined if they are not certain. */
function agreeOnNames(
  check: Check,
  [first, ...others]: readonly (ParameterQuery | undefined)[],
): readonly string[] | undefined {
  const { definition, reporter } = check;
  if (definition.parameters === undefined) return [];
  if (definition.parametersUnreadable) return undefined;
  if (definition.parameters.length === 0) {
    for (const source of definition.data)
      reporter.inSql(source)('parameters-unresolved', wholeOf(source), {});
    return undefined;
  }
  if (!first || !areDistinct(check, first)) return undefined;
  const names = first.columns.map(({ name }) => name);
  const known = new Set(names);
  const differing = others.filter((other) => other?.columns.some(({ name }) => !known.has(name)));
  for (const query of differing) {
    reportWhole(check, query?.text, 'parameter-queries-differ', {
      columns: names.map(quoteInText).join(', '),
    });
  }
  return differing.length === 0 ? names : undefined;
}

/** Reports a name that means two columns. No data query can use it, because the service counts it as two parameters. */
function areDistinct({ texts, reporter }: Check, { columns, text }: ParameterQuery): boolean {
  const seen = new Set<string>();
  const repeated = columns.find(({ name }) => seen.size === seen.add(name).size);
  const source = texts[text];
  if (!repeated || !source) return true;
  reporter.inSql(source)('duplicate-column', repeated.column.span, { column: repeated.name });
  return false;
}

/**
 * Checks that data queries use exactly the parameters of the definition. Otherwise, rows would be missing or would be in all
 * buckets.
 */
function checkData(check: Check, names: readonly string[], data: readonly DataQuery[]): void {
  const known = new Set(names);
  for (const { text, filter } of data) {
    if (!filter) continue;
    const used = new Set(filter.parameters);
    const missing = names.filter((name) => !used.has(name));
    const unknown = filter.parameters.filter((name) => !known.has(name));
    if (missing.length === 0 && unknown.length === 0) continue;
    reportWhole(check, text, 'bucket-parameters-mismatch', {
      expected: names.length > 0 ? listOf(names) : 'the parameters of its definition, which has none',
      missing: listOf(missing),
      unknown: listOf(unknown),
    });
  }
}

function reportWhole<C extends Code>(
  { texts, reporter }: Check,
  text: number | undefined,
  code: C,
  args: Args<C>,
): void {
  const source = text === undefined ? undefined : texts[text];
  if (source) reporter.inSql(source)(code, wholeOf(source), args);
}

function wholeOf({ sql }: SqlText): Span {
  return { start: 0, end: sql.text.trimEnd().length };
}

function quoteInText(name: string): string {
  return `\`${name}\``;
}

function listOf(names: readonly string[]): string {
  return names.map((name) => `bucket.${name}`).join(', ');
}

function planOf(
  { name, priority, parameters: own }: BucketDefinition,
  names: readonly string[],
  parameters: readonly ParameterQuery[],
  data: readonly DataQuery[],
): StreamPlan {
  const lookups = lookupTable();
  const rules = data.flatMap((query) => rulesOf(query, names));
  const everybody: BucketRoute = { source: 0, filter: [], steps: [], keys: [], at: nowhere };
  const routes = parameters.flatMap(({ plan }) =>
    (plan?.routes ?? []).map(({ filter, steps, values, at }) => ({
      source: 0,
      filter,
      steps: steps(lookups.add),
      keys: names.map((key): Meeting => [values.get(key) ?? missingValue]),
      comparedAt: rules.map(({ comparedAt }) => comparedAt.map((place) => [place])),
      ...(plan?.priority !== undefined && { priority: plan.priority }),
      at,
    })),
  );
  return {
    name,
    isDefinition: true,
    isDefault: true,
    priority: priority ?? 3,
    sources: [
      {
        identity: `bucket definition ${JSON.stringify(name)}`,
        number: 0,
        keys: names.length,
        rules: rules.map(({ rule }) => rule),
      },
    ],
    lookups: lookups.all,
    routes: own === undefined ? [everybody] : routes,
  };
}

const nowhere: Origin = { text: 0, span: { start: 0, end: 0 } };

/** The value of a parameter that only other queries of the definition have. It is NULL, so it names no bucket. */
const missingValue: RouteValue = {
  kind: 'request',
  value: { kind: 'constant', value: { type: 'null' }, at: nowhere },
  at: nowhere,
};
