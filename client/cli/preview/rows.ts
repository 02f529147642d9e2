/** What a client gets of rows that are given, by the engine. */
import { documentOf, type LookupAnswer, nearest, type SourceRow } from '../../../server/engine/index.ts';
import { harmless } from '../colours.ts';
import type { Answer } from '../command.ts';
import { CliFailure } from '../failure.ts';
import { locateSyncConfig } from '../project/syncConfig.ts';
import { readObject, readTraced, type TracedConfig, tableNamed } from '../tracing.ts';
import type { World } from '../world.ts';
import type { PreviewCall } from './call.ts';

type RouteTrace = RequestTrace['routes'][number];
type RequestTrace =
  ReturnType<TracedConfig['tracer']['request']> extends Generator<unknown, infer R> ? R : never;
type BucketRow = ReturnType<TracedConfig['tracer']['row']>[number]['rows'][number];

export async function previewRows(call: PreviewCall): Promise<Answer> {
  const { world, paint, text } = call;
  const path = await locateSyncConfig(world, call.words[0]);
  const config = await readTraced(path, world);
  const data = runRows(config, await readRows(text('rows'), world));
  const user = text('user');
  const claims = await readDocument(
    text('claims'),
    '--claims',
    world,
    user === undefined ? {} : { sub: user },
  );
  const connection = await readDocument(text('parameters'), '--parameters', world);
  const subscriptions = await Promise.all(
    call.texts('subscribe').map(async (given) => {
      const [stream = '', ...rest] = given.split('=');
      checkStream(stream, path, config.streams);
      return rest.length === 0
        ? { stream }
        : { stream, parameters: await readDocument(rest.join('='), '--subscribe', world) };
    }),
  );
  const { result, routes } = answerFor(
    config.tracer.request({ claims, connection, subscriptions, includeDefaults: true }),
    data.lookups,
  );
  const isGood = result.buckets.length > 0 && result.failures.length === 0;
  const buckets = result.buckets.map(({ bucket, priority, reasons }) => ({
    bucket,
    priority,
    reasons,
    rows: (data.rows.get(bucket) ?? []).map(({ table, id, data: json }) => ({
      table,
      id,
      data: JSON.parse(json) as unknown,
    })),
  }));
  return {
    code: isGood ? 0 : 1,
    json: { buckets, failures: result.failures },
    lines: [
      ...buckets.flatMap(({ bucket, reasons, rows }) => [
        `${paint.bold(harmless(bucket))} ${paint.dim(`because of ${reasons.map(reasonText).join(', ')}`)}`,
        ...rows.map((row) => `  ${row.table} ${harmless(JSON.stringify(row.data))}`),
      ]),
      ...routes
        .filter(({ outcome }) => outcome !== 'given')
        .map((route) => paint.yellow(harmless(against(route, config)))),
      ...(routes.length === 0 ? ['Nothing is given without a subscription. See --subscribe.'] : []),
      ...(text('rows') === undefined ? [paint.yellow(withoutRows)] : []),
    ],
  };
}

/** Whoever reads only that nothing is found would look for the mistake in the config. */
const withoutRows =
  'No rows were given, so none are found. Give them with --rows, or ask the running service with --live.';

function checkStream(name: string, path: string, streams: readonly string[]): void {
  if (streams.includes(name)) return;
  const near = nearest(name, streams);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new CliFailure(`There is no stream ${name} in ${path}.${hint}`);
}

async function readDocument(
  given: string | undefined,
  option: string,
  world: World,
  more: SourceRow = {},
): Promise<ReturnType<typeof documentOf>> {
  const values = given === undefined ? {} : await readObject(given, option, world);
  return documentOf({ ...values, ...more });
}

async function readRows(given: string | undefined, world: World) {
  if (given === undefined) return [];
  const tables = await readObject(given, '--rows', world);
  return Object.entries(tables).flatMap(([table, rows]) => {
    if (!Array.isArray(rows) || rows.some((row) => typeof row !== 'object' || row === null))
      throw new CliFailure(`--rows must give a list of rows for ${table}: {"${table}": [{"id": "1"}]}.`);
    return rows.map((row) => ({ table, row: row as SourceRow }));
  });
}

interface RowsAnswer {
  readonly rows: ReadonlyMap<string, readonly BucketRow[]>;
  readonly lookups: LookupAnswer;
}

function runRows(config: TracedConfig, all: readonly { table: string; row: SourceRow }[]): RowsAnswer {
  const rows = new Map<string, Map<string, BucketRow>>();
  const lookups = new Map<string, Map<string, LookupValues>>();
  for (const { table, row } of all)
    for (const traced of config.tracer.row(tableNamed(table, config.defaultSchema), config.rowOf(row))) {
      // What several streams share comes several times.
      for (const given of traced.rows) into(rows, given.bucket).set(`${given.table} ${given.id}`, given);
      for (const { key, values } of traced.entries)
        into(lookups, key).set(values.map(String).join('\n'), values);
    }
  return { rows: listsOf(rows), lookups: listsOf(lookups) };
}

type LookupValues = LookupAnswer extends ReadonlyMap<string, readonly (infer V)[]> ? V : never;

function into<T>(map: Map<string, Map<string, T>>, key: string): Map<string, T> {
  const known = map.get(key) ?? new Map<string, T>();
  map.set(key, known);
  return known;
}

function listsOf<T>(map: ReadonlyMap<string, ReadonlyMap<string, T>>): ReadonlyMap<string, readonly T[]> {
  return new Map([...map].map(([key, values]) => [key, [...values.values()]]));
}

function answerFor(
  tracing: ReturnType<TracedConfig['tracer']['request']>,
  lookups: LookupAnswer,
): RequestTrace {
  let step = tracing.next(new Map());
  while (!step.done) step = tracing.next(new Map(step.value.map((key) => [key, lookups.get(key) ?? []])));
  return step.value;
}

function reasonText({ stream, subscription }: RouteTrace['reason']): string {
  return subscription === 'default'
    ? `${stream}, auto-subscribed`
    : `${stream}, subscription ${subscription + 1}`;
}

function against({ reason, at, outcome, mismatch, failure }: RouteTrace, config: TracedConfig): string {
  const { stream } = reason;
  const where = mismatch === undefined ? '' : `: ${config.at(stream, mismatch).sql}`;
  const what = {
    given: 'gives buckets',
    filtered: `gives nothing, because a condition does not hold${where}`,
    'nothing found': `gives nothing, because nothing that fits is found${where}`,
    'no key': `gives nothing, because a value is missing${where}`,
    'no common value': `gives nothing, because no value fulfils all conditions${where}`,
    failed: `fails with ${failure?.code}${where}`,
  }[outcome];
  return `${config.placeOf(stream, at)} ${stream} ${what}`;
}
