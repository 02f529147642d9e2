/** Determines the buckets of a client at a checkpoint: evaluates the config and reads the lookups that it needs. */

import { oncePer } from '../../engine/ground/oncePer.ts';
import type { ConfigEvaluator } from '../../engine/plan/evaluate/evaluate.ts';
import type {
  BoundedAnswer,
  GivenBucket,
  LookupAnswer,
  Reason,
  RequestEvaluation,
  RequestResult,
  SyncRequest,
} from '../../engine/plan/evaluate/requests.ts';
import type { StreamPlan } from '../../engine/plan/plan.ts';
import type { SqlValue } from '../../engine/plan/values/value.ts';
import { ServiceError } from '../ground/errors.ts';
import type { BucketReader, OpId } from '../storage/storage.ts';
import { sentenceFor, sentenceForExcess } from './failures.ts';
import type { ServedRevision } from './feed.ts';
import { type Excess, type Limits, leaveOutExcess } from './overLimit.ts';
import type { BucketReason, StreamEntry } from './protocol.ts';

/** A config that clients sync with. */
export interface ServedConfig extends ServedRevision {
  readonly plans: readonly Pick<StreamPlan, 'name' | 'isDefault'>[];
  readonly evaluator: Pick<ConfigEvaluator, 'request'>;
}

export interface BucketGrant {
  readonly buckets: readonly (Pick<GivenBucket, 'bucket' | 'priority'> & {
    readonly subscriptions: readonly BucketReason[];
  })[];
  readonly streams: readonly StreamEntry[];
  readonly refusals: readonly Excess[];
  /** The lookups that this result depends on. When one of them changes, the client may get other buckets. */
  readonly lookups: ReadonlySet<string>;
}

export async function giveBuckets(
  served: ServedConfig,
  request: SyncRequest,
  { reader, at, limits }: ReadContext,
): Promise<BucketGrant> {
  const reading = { reader, at, limits };
  const perStream = limits.overLimit === 'stream';
  const result = await (perStream ? evaluateWhatFits : evaluateAll)(served, request, reading);
  const { buckets, refusals } = perStream ? leaveOutExcess(result, limits) : { ...result, refusals: [] };
  const streams = streamsFor(served, request, result, refusals);
  const indexes = new Map(streams.map(({ name }, index) => [name, index]));
  // Buckets with the same list of reasons also share this list.
  const subscriptionsFor = oncePer((reasons: readonly Reason[]): readonly BucketReason[] =>
    reasons.map(({ stream, subscription }) =>
      subscription === 'default' ? { default: indexes.get(stream) ?? 0 } : { sub: subscription },
    ),
  );
  return {
    refusals,
    buckets: buckets.map(({ bucket, priority, reasons }) => ({
      bucket,
      priority,
      subscriptions: subscriptionsFor(reasons),
    })),
    streams,
    lookups: new Set(result.lookups),
  };
}

interface ReadContext {
  readonly reader: Pick<BucketReader, 'lookups'>;
  readonly at: OpId;
  readonly limits: Limits;
}

/**
 * The number of values that may be read for each value that a client may still have. It is larger than 1, because duplicates and
 * values that other conditions remove do not count.
 */
const readForEach = 20;

/** Evaluates the request. Only the streams that look up too much fail. */
async function evaluateWhatFits(
  served: ServedConfig,
  request: SyncRequest,
  { reader, at, limits }: ReadContext,
): Promise<RequestResult> {
  const most = readForEach * limits.maxParameterQueryResults;
  const evaluation = served.evaluator.request(request);
  let left = most;
  let step = evaluation.next();
  while (!step.done) {
    const answer = await readLookups(step.value, left);
    for (const values of answer.values()) left -= values === 'too-many' ? 0 : values.length;
    step = evaluation.next(answer);
  }
  return step.value;

  /**
   * Reads all keys together if the values fit. Otherwise, reads them one by one, so that a key with too many values does not take
   * room from the others.
   */
  async function readLookups(keys: readonly string[], room: number): Promise<BoundedAnswer> {
    const few = fewEnough(keys, most);
    const found = new Map<string, readonly (readonly SqlValue[])[] | 'too-many'>();
    if (few.length < keys.length) for (const key of keys) found.set(key, 'too-many');
    const all = await reader.lookups(at, few, room);
    if (valueSetsIn(all) <= room && found.size === 0) return all;
    let rest = room;
    for (const key of few) {
      const values = (await reader.lookups(at, [key], rest)).get(key) ?? [];
      found.set(key, values.length > rest ? 'too-many' : values);
      if (values.length <= rest) rest -= values.length;
    }
    return found;
  }
}

/**
 * Returns keys up to the limit. A list in the request may ask a lookup for any number of keys, so the lookups with the fewest
 * keys are chosen.
 */
function fewEnough(keys: readonly string[], most: number): readonly string[] {
  if (keys.length <= most) return keys;
  const byLookup = new Map<string, string[]>();
  for (const key of keys) {
    const lookup = key.slice(0, key.indexOf('['));
    const some = byLookup.get(lookup);
    if (some === undefined) byLookup.set(lookup, [key]);
    else some.push(key);
  }
  let left = most;
  return [...byLookup.values()]
    .toSorted((a, b) => a.length - b.length)
    .flatMap((some) => {
      left -= some.length;
      return left < 0 ? [] : some;
    });
}

async function evaluateAll(
  served: ServedConfig,
  request: SyncRequest,
  reading: ReadContext,
): Promise<RequestResult> {
  const result = await evaluate(served.evaluator.request(request), reading);
  if (result === undefined || hasTooMany(result, reading.limits))
    throw await excess(served, request, reading, result);
  return result;
}

/** Returns undefined if more lookups or more of their rows would be needed than one client may have. */
async function evaluate(
  evaluation: RequestEvaluation,
  { reader, at, limits }: ReadContext,
): Promise<RequestResult | undefined> {
  const most = limits.maxParameterQueryResults;
  let left = most;
  let step = evaluation.next();
  while (!step.done) {
    if (step.value.length > most) return undefined;
    const answer = await reader.lookups(at, step.value, left);
    left -= valueSetsIn(answer);
    if (left < 0) return undefined;
    step = evaluation.next(answer);
  }
  return step.value;
}

function valueSetsIn(answer: LookupAnswer): number {
  let count = 0;
  for (const sets of answer.values()) count += sets.length;
  return count;
}

function hasTooMany({ buckets, failures }: RequestResult, limits: Limits): boolean {
  return (
    buckets.length > limits.maxBucketsPerConnection ||
    failures.some(({ code }) => code === 'too-many-results')
  );
}

/** Returns the default streams and those that the request names, in the order of the config. */
function streamsFor(
  { plans }: ServedConfig,
  { includeDefaults, subscriptions }: SyncRequest,
  { failures }: RequestResult,
  refusals: readonly Excess[],
): readonly StreamEntry[] {
  const errors = [
    ...failures.map(({ reason, code }) => ({ reason, message: sentenceFor(code) })),
    ...refusals.map((refusal) => ({ reason: refusal.reason, message: sentenceForExcess(refusal) })),
  ];
  const asked = new Set(subscriptions.map(({ stream }) => stream));
  return plans
    .filter(({ name, isDefault }) => asked.has(name) || (isDefault && includeDefaults))
    .map(({ name, isDefault }) => ({
      name,
      is_default: isDefault,
      errors: errors
        .filter(({ reason }) => reason.stream === name)
        .map(({ reason, message }) => ({ subscription: reason.subscription, message })),
    }));
}

/** The maximum number of streams that are named as the cause, the worst first. */
const mostNamed = 3;

/** Evaluates each stream separately, to name the streams that cause the excess. */
async function excess(
  served: ServedConfig,
  request: SyncRequest,
  reading: ReadContext,
  result: RequestResult | undefined,
): Promise<ServiceError> {
  const { maxBucketsPerConnection, maxParameterQueryResults } = reading.limits;
  const counts: { readonly name: string; readonly buckets: number }[] = [];
  for (const { name, isDefault } of served.plans) {
    const subscriptions = request.subscriptions.filter(({ stream }) => stream === name);
    if (isDefault && request.includeDefaults) subscriptions.push({ stream: name });
    if (subscriptions.length === 0) continue;
    const alone = { ...request, includeDefaults: false, subscriptions };
    const found = await evaluate(served.evaluator.request(alone), reading);
    counts.push({ name, buckets: found?.buckets.length ?? Number.POSITIVE_INFINITY });
  }
  counts.sort((a, b) => b.buckets - a.buckets);
  const worst = counts.slice(0, mostNamed).map(({ name, buckets }) => `${name} (${amount(buckets)})`);
  const what =
    result === undefined
      ? `Its streams look up more than ${maxParameterQueryResults} values, which is the limit of one client.`
      : `It would have ${result.buckets.length} buckets, and the limit of one client is ${maxBucketsPerConnection}.`;
  const details = `${what} Buckets by stream: ${worst.join(', ')}. Fewer, larger buckets help: select rows by a column with fewer distinct values.`;
  return new ServiceError('SVC_S2305', details);
}

function amount(buckets: number): string {
  return Number.isFinite(buckets) ? String(buckets) : 'too many to count';
}
