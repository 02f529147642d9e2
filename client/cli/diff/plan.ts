/** `deploy --plan`: asks the service what a deploy would do. */
import type { Api } from '../../api/api.ts';
import { isFailure } from '../../api/failure.ts';
import type { Forecast } from '../../api/forecast.ts';
import type { DeployPlan, PlannedStream, PlannedTable } from '../../api/plan.ts';
import { limitLines, overLimits } from '../../deploying/limits.ts';
import { harmless } from '../colours.ts';
import type { Answer, Call } from '../command.ts';
import { withService } from '../instance.ts';

export function planDeploy(
  call: Call<'service' | 'directory'>,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<Answer> {
  return withService(call, async (api: Api): Promise<Answer> => {
    const plan = await api.plan(text, call.world.signal);
    if (plan === undefined) return { code: 0, json: { file: path, plan: null }, lines: [untold] };
    const forecast = await forecastBefore(api, text, call.world.signal);
    return {
      code: 0,
      json: { file: path, plan, ...(forecast && { overLimits: overLimits(forecast) }) },
      lines: [...planLines(plan), ...(forecast === undefined ? [] : limitLines(forecast))].map(harmless),
    };
  });
}

/** Returns the forecast. Users over a limit are reported, but do not stop a deploy. */
export async function forecastBefore(
  api: Api,
  text: string,
  signal: AbortSignal,
): Promise<Forecast | undefined> {
  return api.forecastOf(text, undefined, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    if (isFailure(error)) return undefined;
    throw error;
  });
}

const untold =
  'This service does not report what a deploy would do. Services other than Headwater copy all tables with every deploy.';

export function planLines(plan: DeployPlan): readonly string[] {
  const { outcome, replacesPending, streams, tables } = plan;
  const width = Math.max(0, ...streams.map(({ name }) => name.length));
  return [
    ...(replacesPending ? ['The copy in progress is given up.'] : []),
    sentences[outcome],
    ...streams.map((stream) => `  ${stream.name.padEnd(width)}  ${describeStream(stream)}`),
    ...(tables.length === 0
      ? []
      : ['Tables to copy:', ...tables.map((table) => `  ${describeTable(table)}`)]),
  ];
}

const sentences: Readonly<Record<DeployPlan['outcome'], string>> = {
  nothing: 'Nothing changes: exactly this config is active.',
  at_once: 'The new config is active at once: no rows are copied, and clients keep their rows.',
  under_way: 'The copy in progress continues.',
  copy: 'All tables of the config are copied. The active config is served until the copy is complete. Afterwards, clients download everything again.',
};

const changes: Readonly<Record<PlannedStream['change'], string>> = {
  kept: 'unchanged',
  new: 'new',
  gone: 'no longer synced',
  rows: 'different rows or columns',
  access: 'different clients get it',
  delivery: 'only its priority or subscription changes',
};

function describeStream({ change, downloaded }: PlannedStream): string {
  return downloaded ? `${changes[change]}; clients download it` : changes[change];
}

function describeTable({ schema, name, rows }: PlannedTable): string {
  const about = rows === undefined ? 'number of rows unknown' : `about ${rows.toLocaleString('en-US')} rows`;
  return `${schema}.${name}: ${about}`;
}
