/** Decides which streams a client does not get if they contain more than one client may have. */
import type { GivenBucket, Reason, RequestResult } from '../../engine/plan/evaluate/requests.ts';

export interface Limits {
  readonly maxBucketsPerConnection: number;
  readonly maxParameterQueryResults: number;
  /**
   * The response to a client that would get too much. `stream`: only the streams that do not fit are refused, and each result
   * counts once. `client`: everything is refused, and results are counted before duplicates are removed, as in PowerSync's
   * service.
   */
  readonly overLimit: 'stream' | 'client';
}

/** A stream, or one subscription to it, that is not synced because of a limit. */
export interface Excess {
  readonly reason: Reason;
  /** The number of buckets that it would have had. */
  readonly buckets: number;
  readonly limit: 'buckets' | 'results';
  readonly most: number;
}

interface Fitting {
  readonly buckets: readonly GivenBucket[];
  readonly refusals: readonly Excess[];
}

/**
 * Keeps the streams with the fewest buckets, so that as many streams as possible fit, regardless of their order. A bucket of
 * several streams counts once.
 */
export function leaveOutExcess({ buckets }: RequestResult, limits: Limits): Fitting {
  if (limitOver(buckets.length, lookedUpIn(buckets), limits) === undefined) return { buckets, refusals: [] };
  const refusals: Excess[] = [];
  const refused = new Set<Reason>();
  const kept = new Set<GivenBucket>();
  let lookedUp = 0;
  for (const [reason, own] of byReason(buckets).sort(([, a], [, b]) => a.length - b.length)) {
    const more = own.filter((bucket) => !kept.has(bucket));
    const lookedUpThen = lookedUp + lookedUpIn(more);
    const limit = limitOver(kept.size + more.length, lookedUpThen, limits);
    if (limit === undefined) {
      for (const bucket of more) kept.add(bucket);
      lookedUp = lookedUpThen;
    } else {
      refused.add(reason);
      refusals.push({ reason, buckets: own.length, limit, most: mostOf(limit, limits) });
    }
  }
  const left = buckets.filter((bucket) => kept.has(bucket));
  return {
    buckets: left.map((bucket) => ({
      ...bucket,
      reasons: bucket.reasons.filter((reason) => !refused.has(reason)),
    })),
    refusals,
  };
}

function byReason(buckets: readonly GivenBucket[]): [Reason, GivenBucket[]][] {
  const found = new Map<Reason, GivenBucket[]>();
  for (const bucket of buckets)
    for (const reason of bucket.reasons) {
      const known = found.get(reason);
      if (known === undefined) found.set(reason, [bucket]);
      else known.push(bucket);
    }
  return [...found];
}

function lookedUpIn(buckets: readonly GivenBucket[]): number {
  return buckets.filter(({ lookedUp }) => lookedUp).length;
}

function limitOver(buckets: number, lookedUp: number, limits: Limits): Excess['limit'] | undefined {
  if (buckets > limits.maxBucketsPerConnection) return 'buckets';
  return lookedUp > limits.maxParameterQueryResults ? 'results' : undefined;
}

function mostOf(limit: Excess['limit'], limits: Limits): number {
  return limit === 'buckets' ? limits.maxBucketsPerConnection : limits.maxParameterQueryResults;
}
