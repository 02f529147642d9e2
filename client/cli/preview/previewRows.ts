/** Previews the given rows that a client gets, with the engine. */
import type { RequestTrace } from '../../../server/engine/index.ts';
import { harmless } from '../colours.ts';
import type { Answer } from '../command.ts';
import { locateSyncConfig } from '../project/syncConfig.ts';
import { readTraced, type TracedConfig } from '../tracing.ts';
import type { PreviewCall } from './call.ts';
import { askGivenRows, type LookupTable, withoutRows } from './givenRows.ts';

type RouteTrace = RequestTrace['routes'][number];

export async function previewRows(call: PreviewCall): Promise<Answer> {
  const { world, paint, text } = call;
  const path = await locateSyncConfig(world, call.words[0]);
  const config = await readTraced(path, world);
  const { data, request, isGiven, advice } = await askGivenRows(call, path, config);
  const { result, routes } = request;
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
    advice,
    json: { buckets, failures: result.failures },
    lines: [
      ...buckets.flatMap(({ bucket, reasons, rows }) => [
        `${paint.bold(harmless(bucket))} ${paint.dim(`because of ${reasons.map(reasonText).join(', ')}`)}`,
        ...rows.map((row) => `  ${row.table} ${harmless(JSON.stringify(row.data))}`),
      ]),
      ...routes
        .filter(({ outcome }) => outcome !== 'given')
        .map((route) => paint.yellow(harmless(against(route, { config, isGiven })))),
      ...(routes.length === 0 ? ['This client gets nothing without a subscription. See --subscribe.'] : []),
      ...(text('rows') === undefined
        ? [paint.yellow(`${withoutRows}, or ask the running service with --live.`)]
        : []),
    ],
  };
}

function reasonText({ stream, subscription }: RouteTrace['reason']): string {
  return subscription === 'default'
    ? `${stream}, auto-subscribed`
    : `${stream}, subscription ${subscription + 1}`;
}

interface Known {
  readonly config: TracedConfig;
  readonly isGiven: (table: LookupTable) => boolean;
}

function against(route: RouteTrace, { config, isGiven }: Known): string {
  const { reason, at, outcome, mismatch, failure, steps } = route;
  const { stream } = reason;
  const isOpen = steps.some(({ left, table }) => left === 0 && table !== undefined && !isGiven(table));
  const where = mismatch === undefined ? '' : `: ${config.at(stream, mismatch).sql}`;
  const what = {
    given: 'returns buckets',
    filtered: `returns no buckets, because a condition is not true${where}`,
    'nothing found': `returns no buckets, because ${isOpen ? 'no rows were provided' : 'no matching row was found'}${where}`,
    'no key': `returns no buckets, because a value is missing${where}`,
    'no common value': `returns no buckets, because no value satisfies all conditions${where}`,
    failed: `fails with ${failure?.code}${where}`,
  }[outcome];
  return `${config.placeOf(stream, at)} ${stream} ${what}`;
}
