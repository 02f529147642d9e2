/** The amounts that count towards the limits of one client. */
export interface ClientAmounts {
  readonly buckets: number;
  /** Buckets that lookups lead to: what counts as results here. */
  readonly results: number;
  /** Values that PowerSync's service reads: what counts as results there. */
  readonly reference: number;
}

export const measures = ['buckets', 'results', 'reference'] as const;

export const none: ClientAmounts = { buckets: 0, results: 0, reference: 0 };

/** The largest number that is shown. Nobody needs a larger one. */
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
