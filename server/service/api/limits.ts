/** How much the clients of the active deployment get, beside what one client may have. */
import { forecast, type LimitForecast } from '../../engine/limits/forecast.ts';
import { type PreparedForecast, prepareForecast } from '../../engine/limits/prepare.ts';
import { referencePlansOf } from '../../engine/limits/referencePlans.ts';
import { countLookups, type LookupSizes } from '../../engine/limits/sizes.ts';
import { situationOf } from '../deployments/lifecycle.ts';
import type { RunningConfig } from '../deployments/syncConfigs.ts';
import { ServiceError } from '../ground/errors.ts';
import type { OpId, StoredContents } from '../storage/storage.ts';
import type { ApiParts } from './parts.ts';

/** Value sets of one reading: no client may have near as many. */
const mostRead = 1_000_000;

type LimitParts = Pick<ApiParts, 'store' | 'configs' | 'storage' | 'limits' | 'countRows'>;

export async function answerLimits(parts: LimitParts): Promise<Record<string, unknown>> {
  const { serving } = situationOf(await parts.store.all());
  if (serving === undefined) throw new ServiceError('SVC_S4104');
  const config = parts.configs.of(serving);
  if (!config.valid) throw new ServiceError('SVC_S4104');
  const at = (await parts.storage.reader(serving.id).checkpoint())?.opId;
  if (at === undefined) throw new ServiceError('SVC_S2302');
  return { limits: parts.limits, ...(await forecastAt(serving.id, at, config, parts)) };
}

async function forecastAt(
  deployment: number,
  at: OpId,
  config: RunningConfig,
  { storage, countRows }: LimitParts,
): Promise<LimitForecast> {
  const prepared = prepare(config);
  const sizes = await readSizes(prepared, storage.stored(deployment), at);
  const rows = prepared.onlyReference.size === 0 ? [] : await countRows(deployment, mostRead);
  const reader = storage.reader(deployment);
  const work = forecast(prepared.plan, {
    ...prepared,
    sizes,
    rowsOfUnstored: (name) => {
      const table = prepared.onlyReference.get(name)?.table;
      if (table === undefined) return undefined;
      const found = rows.filter((each) => fits(table.name, each.name) && fits(table.schema, each.schema));
      // A table with too many rows to count is not among them.
      return found.length === 0 ? mostRead : found.reduce((all, each) => all + each.rows, 0);
    },
  });
  let step = work.next();
  while (!step.done) step = work.next(await reader.lookups(at, step.value, mostRead));
  return step.value;
}

function fits({ text, wildcard }: { readonly text: string; readonly wildcard: boolean }, name: string) {
  return wildcard ? name.startsWith(text) : name === text;
}

function prepare({ analysis, plans, options, evaluator }: RunningConfig): PreparedForecast {
  const referencePlans = analysis.config === undefined ? plans : referencePlansOf(analysis.config);
  return prepareForecast({ plans, referencePlans, options, evaluator });
}

async function readSizes(
  { plan }: PreparedForecast,
  stored: Pick<StoredContents, 'lookupSizesAfter'>,
  at: OpId,
): Promise<LookupSizes> {
  const sizes = countLookups((lookup) => plan.telling.has(lookup));
  let last: string | undefined;
  for (;;) {
    const page = await stored.lookupSizesAfter(at, last);
    for (const { lookup, ...size } of page) sizes.add(lookup, size);
    last = page.at(-1)?.lookup;
    if (last === undefined) return sizes;
  }
}
