/** Pauses between attempts: each is twice as long as the one before, up to a longest. In milliseconds. */
export interface Backoff {
  readonly first: number;
  readonly longest: number;
}

/** The pause after so many attempts, at least one. */
export function backoffAfter(attempts: number, { first, longest }: Backoff): number {
  return Math.min(longest, first * 2 ** (attempts - 1));
}
