/** Describes in plain English how many buckets of a definition one client gets. */

import type { PlacedDefinition } from '../file/definitions.ts';
import { type BucketCount, bucketsOf, type Factor } from '../plan/buckets.ts';
import type { Origin } from '../plan/expression.ts';
import type { StreamPlan } from '../plan/plan.ts';
import { requestReads } from '../plan/requestReads.ts';

export interface BucketWords {
  readonly label: string;
  /** One line for each way in which a client gets buckets. */
  readonly details: readonly string[];
}

/** Returns undefined for a definition with errors or without buckets. */
export function describeBuckets(placed: PlacedDefinition): BucketWords | undefined {
  const { plan } = placed;
  if (!plan) return undefined;
  const counts = bucketsOf(plan);
  if (counts.length === 0) return undefined;
  const nameOf = (factor: Factor) => nameIn(placed, factor);
  return { label: labelOf(plan, counts, nameOf), details: counts.map((c) => detailOf(c, nameOf)) };
}

type NameOf = (factor: Factor) => string;

/** Returns a label such as `1 bucket per client + 1 per row of lists`. */
function labelOf(plan: StreamPlan, counts: readonly BucketCount[], nameOf: NameOf): string {
  if (counts.every(({ isShared }) => isShared)) {
    const isForAll = counts.every(({ route: { filter, steps } }) => filter.length + steps.length === 0);
    return `${buckets(counts.length)}, shared by all clients${isForAll ? '' : ' that get it'}`;
  }
  const fixed = counts.filter(({ factors }) => factors.length === 0).length;
  // A route that reads no subscription parameter has the same buckets for all subscriptions of a client.
  const isOfSubscription = !plan.isDefault && requestReads(plan).some(({ part }) => part === 'subscription');
  const whose = isOfSubscription ? 'subscription' : 'client';
  const grown = counts
    .filter(({ factors }) => factors.length > 0)
    .map(({ factors }) => factorsOf(factors, nameOf));
  const [first, ...others] = grown;
  if (first === undefined) return `${buckets(fixed)} per ${whose}`;
  if (fixed === 0) return [`1 bucket per ${first}`, ...others.map((of) => `1 per ${of}`)].join(' + ');
  return [`${buckets(fixed)} per ${whose}`, ...grown.map((of) => `1 per ${of}`)].join(' + ');
}

function detailOf({ isShared, factors }: BucketCount, nameOf: NameOf): string {
  if (isShared) return 'One bucket, shared by all clients that may get it.';
  if (factors.length === 0) return 'One bucket for each combination of values in the request.';
  return `One bucket per ${factorsOf(factors, nameOf)}.`;
}

export function factorsOf(factors: readonly Factor[], nameOf: NameOf): string {
  return factors
    .map((factor) => `${factor.kind === 'rows' ? 'row' : 'element'} of ${nameOf(factor)}`)
    .join(' × ');
}

function nameIn({ texts }: PlacedDefinition, { of }: Factor): string {
  return textAt(texts, of);
}

export function textAt(texts: PlacedDefinition['texts'], { text, span }: Origin): string {
  return texts[text]?.sql.text.slice(span.start, span.end) ?? '';
}

function buckets(count: number): string {
  return count === 1 ? '1 bucket' : `${count} buckets`;
}
