/**
 * Counts from time to time how much the clients of the active deployment get, so that clients near a limit are known in advance.
 */
import type { LimitForecast } from '../../../engine/limits/forecast.ts';
import { situationOf } from '../../deployments/lifecycle.ts';
import type { Log } from '../../ground/log.ts';
import type { Metrics } from '../../ground/metrics.ts';
import type { Clock } from '../../ground/world.ts';
import type { ReplicationError } from '../problems.ts';
import { forecastLimits, type LimitParts } from './limits.ts';
import { growthOf, type TrendPoint } from './trend.ts';

export interface LimitWatch {
  /** Repeats the count until aborted. */
  run(signal: AbortSignal): Promise<void>;
  /** Returns a warning about the clients that are near or above a limit, with the rate of growth. */
  warnings(): readonly ReplicationError[];
}

interface WatchParts extends LimitParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'set'>;
}

/** The delay before the first count, in milliseconds. */
const firstAfter = 60_000;
const atMostEvery = 10 * 60_000;
/** The watch works for at most this fraction of the time (1 / n), so that its cost is negligible even if much is stored. */
const partOfTime = 200;
/** The pause after each few milliseconds of work, in milliseconds. */
const restingTime = 20;

export function openLimitWatch(parts: WatchParts): LimitWatch {
  const { clock, log, metrics, limits, store } = parts;
  let latest: LimitForecast | undefined;
  let deployment: number | undefined;
  let samples: TrendPoint[] = [];

  /** Returns the duration of the work, without its pauses. */
  async function count(signal: AbortSignal): Promise<number> {
    let rested = 0;
    const begin = clock.steady();
    const rest = async () => {
      const before = clock.steady();
      await clock.sleep(restingTime, signal);
      rested += clock.steady() - before;
      if (signal.aborted) throw new Error('The service is stopping.');
    };
    const { serving } = situationOf(await store.all());
    latest = await forecastLimits(parts, { rest });
    // Samples of another deployment are not comparable.
    if (serving?.id !== deployment) samples = [];
    deployment = serving?.id;
    const most = mostOf(latest);
    metrics.set('headwater_client_buckets_most', most.buckets);
    metrics.set('headwater_client_results_most', most.results);
    metrics.set('headwater_client_reference_results_most', most.reference);
    samples = [...samples, { at: clock.now(), value: most.buckets }].slice(-mostSamples);
    return clock.steady() - begin - rested;
  }

  return {
    async run(signal) {
      for (let pause = firstAfter; ; ) {
        await clock.sleep(pause, signal);
        if (signal.aborted) return;
        try {
          pause = Math.max(atMostEvery, partOfTime * (await count(signal)));
        } catch (error) {
          if (signal.aborted) return;
          latest = undefined;
          pause = atMostEvery;
          log.write('debug', 'Could not count what clients get', { reason: String(error) });
        }
      }
    },
    warnings: () =>
      latest === undefined ? [] : warningsOf(latest, limits, growthOf(samples, limits.buckets)),
  };
}

/** The maximum number of samples. They cover at least about a day. */
const mostSamples = 150;

/** Returns the highest amounts of clients that certainly exist. Amounts that depend on other values are not added. */
function mostOf({ groups }: LimitForecast) {
  const most = (measure: 'buckets' | 'results' | 'reference') =>
    Math.max(0, ...groups.map((group) => group[measure].most));
  return { buckets: most('buckets'), results: most('results'), reference: most('reference') };
}

/** The share of the limit at which the warnings begin. */
const near = 0.8;

function warningsOf(
  { groups }: LimitForecast,
  limits: LimitParts['limits'],
  growth: string | undefined,
): readonly ReplicationError[] {
  const clients = groups
    .filter(({ by }) => by.length > 0)
    .flatMap(({ by, most }) => most.map((each) => ({ by, ...each })))
    .filter(({ buckets, results }) => buckets >= near * limits.buckets || results >= near * limits.results)
    .sort((a, b) => b.buckets - a.buckets);
  const [first] = clients;
  if (first === undefined) return [];
  const who = first.by.map((name, index) => `${name} = ${JSON.stringify(first.values[index])}`).join(' and ');
  const isOver = first.buckets > limits.buckets || first.results > limits.results;
  const sentences = [
    `A client with ${who} has ${number(first.buckets)} of the ${number(limits.buckets)} buckets that one client may have.`,
    'This counts even while no such client is connected.',
    isOver ? 'Streams are left out for it.' : 'With more, streams are left out for it.',
    ...(clients.length > 1 ? [`${number(clients.length)} are near or above the limit.`] : []),
    ...(growth === undefined || isOver ? [] : [growth]),
    '`headwater limits` lists these clients.',
  ];
  return [{ level: 'warning', code: 'SVC_S2305', message: sentences.join(' ') }];
}

function number(count: number): string {
  return count.toLocaleString('en');
}
