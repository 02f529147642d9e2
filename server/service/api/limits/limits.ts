/** How much the clients of the active deployment get, beside what one client may have. */
import { forecast, type LimitForecast } from '../../../engine/limits/forecast.ts';
import { type PreparedForecast, prepareForecast } from '../../../engine/limits/prepare.ts';
import { referencePlansOf } from '../../../engine/limits/referencePlans.ts';
import { countLookups, type LookupSizes } from '../../../engine/limits/sizes.ts';
import { situationOf } from '../../deployments/lifecycle.ts';
import type { RunningConfig } from '../../deployments/syncConfigs.ts';
import { ServiceError } from '../../ground/errors.ts';
import type { OpId, StoredContents } from '../../storage/storage.ts';
import type { ApiParts } from '../parts.ts';

/** Value sets of one reading: no client may have near as many. */
const mostRead = 1_000_000;

export type LimitParts = Pick<ApiParts, 'store' | 'configs' | 'storage' | 'limits' | 'countRows'>;

/** What others do in between; some milliseconds of work lie between two of them. */
type Rest = () => Promise<void>;

export async function answerLimits(parts: LimitParts): Promise<Record<string, unknown>> {
  const turn: Rest = () => new Promise((resolve) => setImmediate(resolve));
  return { limits: parts.limits, ...(await forecastLimits(parts, turn)) };
}

export async function forecastLimits(parts: LimitParts, rest: Rest): Promise<LimitForecast> {
  const { serving } = situationOf(await parts.store.all());
  if (serving === undefined) throw new ServiceError('SVC_S4104');
  const config = parts.configs.of(serving);
  if (!config.valid) throw new ServiceError('SVC_S4104');
  const reader = parts.storage.reader(serving.id);
  const at = (await reader.checkpoint())?.opId;
  if (at === undefined) throw new ServiceError('SVC_S2302');
  const prepared = prepare(config);
  const work = forecast(prepared.plan, {
    ...prepared,
    sizes: await readSizes(prepared, parts.storage.stored(serving.id), at, rest),
    rowsOfUnstored: await rowsOfTables(prepared, serving.id, parts),
  });
  let step = work.next();
  while (!step.done) {
    const keys = step.value;
    const answer = keys.length === 0 ? new Map() : await reader.lookups(at, keys, mostRead);
    await rest();
    step = work.next(answer);
  }
  return step.value;
}

function prepare({ analysis, plans, options, evaluator }: RunningConfig): PreparedForecast {
  const referencePlans = analysis.config === undefined ? plans : referencePlansOf(analysis.config);
  return prepareForecast({ plans, referencePlans, options, evaluator });
}

async function readSizes(
  { plan }: PreparedForecast,
  stored: Pick<StoredContents, 'lookupSizesAfter'>,
  at: OpId,
  rest: Rest,
): Promise<LookupSizes> {
  const sizes = countLookups((lookup) => plan.telling.has(lookup));
  let last: string | undefined;
  for (;;) {
    const page = await stored.lookupSizesAfter(at, last);
    for (const { lookup, ...size } of page) sizes.add(lookup, size);
    last = page.at(-1)?.lookup;
    if (last === undefined) return sizes;
    await rest();
  }
}

/** Of lookups that nobody stores, because only PowerSync's service reads them: how many rows their tables have. */
async function rowsOfTables(
  { onlyReference }: PreparedForecast,
  deployment: number,
  { countRows }: LimitParts,
): Promise<(lookup: string) => number | undefined> {
  const rows = onlyReference.size === 0 ? [] : await countRows(deployment, mostRead);
  return (lookup) => {
    const table = onlyReference.get(lookup)?.table;
    if (table === undefined) return undefined;
    const found = rows.filter((each) => fits(table.name, each.name) && fits(table.schema, each.schema));
    // A table with too many rows to count is not among them.
    return found.length === 0 ? mostRead : found.reduce((all, each) => all + each.rows, 0);
  };
}

function fits({ text, wildcard }: { readonly text: string; readonly wildcard: boolean }, name: string) {
  return wildcard ? name.startsWith(text) : name === text;
}
