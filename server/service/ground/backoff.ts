/** Pauses between attempts, in milliseconds: each is twice as long as the previous one, up to a maximum. */
export interface Backoff {
  readonly first: number;
  readonly longest: number;
}

/** Returns the pause after this number of attempts, which is at least 1. */
export function backoffAfter(attempts: number, { first, longest }: Backoff): number {
  return Math.min(longest, first * 2 ** (attempts - 1));
}
