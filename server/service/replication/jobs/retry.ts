/**
 * When a job that failed is tried again. Delays grow while it fails in the same way, and begin anew after progress.
 * Wrong passwords grow longest: databases block addresses that keep trying.
 */
import type { FailureKind } from '../source.ts';

interface Delays {
  /** Milliseconds; doubled with each attempt. */
  readonly first: number;
  readonly most: number;
}

const delays: Readonly<Record<FailureKind, Delays>> = {
  closed: { first: 500, most: 10_000 },
  unreachable: { first: 1000, most: 15_000 },
  refused: { first: 5000, most: 300_000 },
  'slot-busy': { first: 1000, most: 10_000 },
  'slot-missing': { first: 2000, most: 30_000 },
  'slot-lost': { first: 2000, most: 60_000 },
  'storage-outdated': { first: 2000, most: 30_000 },
  'other-history': { first: 2000, most: 30_000 },
  settings: { first: 2000, most: 30_000 },
  other: { first: 1000, most: 30_000 },
};

/** `attempt` counts the failures in a row, from 1. */
export function delayAfter(kind: FailureKind, attempt: number): number {
  const { first, most } = delays[kind];
  return Math.min(most, first * 2 ** Math.min(attempt - 1, 20));
}
