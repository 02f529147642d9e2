/** The amounts that count towards the limits for one client. */
export interface ClientAmounts {
  readonly buckets: number;
  /** The number of buckets found by lookups. They count as results in this service. */
  readonly results: number;
  /** The number of values that PowerSync's service reads. They count as results in that service. */
  readonly reference: number;
}

export const measures = ['buckets', 'results', 'reference'] as const;

export const none: ClientAmounts = { buckets: 0, results: 0, reference: 0 };

/** The largest number to show. Larger numbers would not be useful. */
export const largestNumber = 1_000_000_000;

export function sumOf(a: ClientAmounts, b: ClientAmounts): ClientAmounts {
  return {
    buckets: Math.min(largestNumber, a.buckets + b.buckets),
    results: Math.min(largestNumber, a.results + b.results),
    reference: Math.min(largestNumber, a.reference + b.reference),
  };
}

export function larger(a: ClientAmounts, b: ClientAmounts): ClientAmounts {
  return {
    buckets: Math.max(a.buckets, b.buckets),
    results: Math.max(a.results, b.results),
    reference: Math.max(a.reference, b.reference),
  };
}
