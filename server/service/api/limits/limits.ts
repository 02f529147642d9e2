/**
 * Compares the amounts that clients get from a config with the limits of one client. The config is the active one, or one that is
 * not deployed.
 */
import { forecast, type LimitForecast } from '../../../engine/limits/forecast.ts';
import { namesByIdentity, type PreparedForecast, prepareForecast } from '../../../engine/limits/prepare.ts';
import { referencePlansOf } from '../../../engine/limits/referencePlans.ts';
import { countLookups, type GrowingSizes } from '../../../engine/limits/sizes.ts';
import type { LookupAnswer } from '../../../engine/plan/evaluate/requests.ts';
import { meaningOfOptions } from '../../../engine/plan/meaning.ts';
import { situationOf } from '../../deployments/lifecycle.ts';
import type { RunningConfig, SyncConfig } from '../../deployments/syncConfigs.ts';
import { ServiceError } from '../../ground/errors.ts';
import type { Parameters } from '../../http/route.ts';
import type { Deployment } from '../../storage/deployment.ts';
import type { StoredContents } from '../../storage/storage.ts';
import type { ApiParts } from '../parts.ts';
import { diagnosticsOf } from '../problems.ts';
import { readSourceEntries } from './sourceEntries.ts';

/** The maximum number of value sets that one query reads. No client can have nearly as many. */
const mostRead = 1_000_000;

export type LimitParts = Pick<ApiParts, 'store' | 'configs' | 'storage' | 'limits' | 'countRows'>;

/** Lets other work run. It is called after every few milliseconds of work. */
type Rest = () => Promise<void>;

interface ForecastWish {
  readonly rest: Rest;
  /** A config that is not deployed; absent: the active one. */
  readonly content?: string;
  /** The streams to count; absent: all. */
  readonly streams?: readonly string[];
  /** The source for parts that are not stored. Absent: they are not counted. */
  readonly source?: Pick<ApiParts, 'source' | 'clock'> & { readonly signal: AbortSignal };
}

export function problemsInLimits({ sync_rules: content, streams }: Parameters): readonly string[] {
  const areNames = Array.isArray(streams) && streams.every((name) => typeof name === 'string');
  return [
    ...(content === undefined || typeof content === 'string'
      ? []
      : ["The property 'sync_rules' must be a string."]),
    ...(streams === undefined || areNames ? [] : ["The property 'streams' must be a list of names."]),
  ];
}

export async function answerLimits(
  { sync_rules: content, streams }: Parameters,
  parts: LimitParts & Pick<ApiParts, 'source' | 'clock'>,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const found = await forecastLimits(parts, {
    rest: () => new Promise((resolve) => setImmediate(resolve)),
    source: { source: parts.source, clock: parts.clock, signal },
    ...(typeof content === 'string' && { content }),
    ...(Array.isArray(streams) && { streams: streams.map(String) }),
  });
  return { limits: parts.limits, of: content === undefined ? 'active' : 'given', ...found };
}

export async function forecastLimits(parts: LimitParts, asked: ForecastWish): Promise<LimitForecast> {
  const { serving } = situationOf(await parts.store.all());
  const active = serving && parts.configs.of(serving);
  const config = asked.content === undefined ? active : parts.configs.read(asked.content);
  if (config === undefined) throw new ServiceError('SVC_S4104');
  if (!config.valid)
    throw asked.content === undefined
      ? new ServiceError('SVC_S4104')
      : new ServiceError('SVC_R0001', diagnosticsOf(config).errors.join(', '));
  const stored = serving && (await storedOf(serving.id, parts.storage));
  const prepared = prepare(config, stored && active, asked.streams);
  const sizes = countLookups((lookup) => prepared.plan.telling.has(lookup));
  if (stored !== undefined) await readSizes(sizes, stored, asked.rest);
  const unstored = await countUnstored(prepared, { config, serving, sizes }, parts, asked);
  const work = forecast(prepared.plan, { ...prepared, sizes, rowsOfUncounted: unstored.rowsOf });
  let step = work.next();
  while (!step.done) {
    const keys = step.value;
    const found = stored === undefined || keys.length === 0 ? [] : await stored.lookups(keys);
    await asked.rest();
    step = work.next(new Map([...found, ...unstored.answer(keys)]));
  }
  return step.value;
}

interface StoredLookups {
  readonly sizesAfter: (last: string | undefined) => ReturnType<StoredContents['lookupSizesAfter']>;
  readonly lookups: (keys: readonly string[]) => Promise<LookupAnswer>;
}

/** Returns the lookups at the latest checkpoint. Later writes do not count. */
async function storedOf(deployment: number, storage: LimitParts['storage']): Promise<StoredLookups> {
  const reader = storage.reader(deployment);
  const contents = storage.stored(deployment);
  const at = (await reader.checkpoint())?.opId;
  if (at === undefined) throw new ServiceError('SVC_S2302');
  return {
    sizesAfter: (last) => contents.lookupSizesAfter(at, last),
    lookups: (keys) => reader.lookups(at, keys, mostRead),
  };
}

/** Prepares the count. Lookups are taken from the storage only if they have the same meaning there. */
function prepare(
  { analysis, plans, options }: SyncConfig,
  active: RunningConfig | undefined,
  streams: readonly string[] | undefined,
): PreparedForecast {
  const isAsked = ({ name }: { readonly name: string }) => streams?.includes(name) ?? true;
  const referencePlans = analysis.config === undefined ? plans : referencePlansOf(analysis.config);
  const isComparable = active?.valid && meaningOfOptions(active.options) === meaningOfOptions(options);
  return prepareForecast({
    plans: plans.filter(isAsked),
    referencePlans: referencePlans.filter(isAsked),
    options,
    ...(isComparable && { stored: namesByIdentity(active.plans, active.evaluator) }),
  });
}

async function readSizes(sizes: GrowingSizes, stored: StoredLookups, rest: Rest): Promise<void> {
  let last: string | undefined;
  for (;;) {
    const page = await stored.sizesAfter(last);
    for (const { lookup, ...size } of page) sizes.add(lookup, size);
    last = page.at(-1)?.lookup;
    if (last === undefined) return;
    await rest();
  }
}

interface CountSubject {
  readonly config: SyncConfig;
  readonly serving: Deployment | undefined;
  readonly sizes: GrowingSizes;
}

interface UnstoredCounts {
  readonly answer: (keys: readonly string[]) => LookupAnswer;
  /** Returns the maximum number of rows of the tables, for a lookup that could not be counted. */
  readonly rowsOf: (lookup: string) => number | undefined;
}

/** Counts lookups that are not stored, because only PowerSync's service reads them, or because the config is not deployed. */
async function countUnstored(
  prepared: PreparedForecast,
  { config, serving, sizes }: CountSubject,
  { countRows }: LimitParts,
  { source }: ForecastWish,
): Promise<UnstoredCounts> {
  const { unstored } = prepared;
  if (unstored.size === 0) return { answer: () => new Map(), rowsOf: () => undefined };
  const deploymentName = serving?.deploymentName ?? '';
  const read =
    source && (await readSourceEntries(prepared, { ...source, deploymentName, options: config.options }));
  read?.entries.countInto(sizes);
  const missing = new Map([...unstored].filter(([, lookup]) => read?.isComplete(lookup) !== true));
  const rows = missing.size === 0 || serving === undefined ? [] : await countRows(serving.id, mostRead);
  return {
    answer: (keys) => read?.entries.answer(keys) ?? new Map(),
    rowsOf: (lookup) => {
      const table = missing.get(lookup)?.table;
      if (table === undefined) return undefined;
      const found = rows.filter((each) => fits(table.name, each.name) && fits(table.schema, each.schema));
      // Tables that have too many rows to count, or are not replicated, are absent.
      return found.length === 0 ? mostRead : found.reduce((all, each) => all + each.rows, 0);
    },
  };
}

function fits({ text, wildcard }: { readonly text: string; readonly wildcard: boolean }, name: string) {
  return wildcard ? name.startsWith(text) : name === text;
}
