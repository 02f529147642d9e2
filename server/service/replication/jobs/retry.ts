/**
 * Decides when a failed job is tried again. Delays grow while it fails in the same way, and start again after progress. They are
 * longest for wrong passwords, because databases block addresses that keep trying.
 */
import { type Backoff, backoffAfter } from '../../ground/backoff.ts';
import type { FailureKind } from '../source.ts';

const delays: Readonly<Record<FailureKind, Backoff>> = {
  closed: { first: 500, longest: 10_000 },
  reset: { first: 500, longest: 500 },
  unreachable: { first: 1000, longest: 15_000 },
  refused: { first: 5000, longest: 300_000 },
  'backlog-busy': { first: 1000, longest: 10_000 },
  'backlog-missing': { first: 2000, longest: 30_000 },
  'backlog-lost': { first: 2000, longest: 60_000 },
  'storage-outdated': { first: 2000, longest: 30_000 },
  'other-history': { first: 2000, longest: 30_000 },
  settings: { first: 2000, longest: 30_000 },
  other: { first: 1000, longest: 30_000 },
};

/** `attempt` counts the failures in a row, from 1. */
export function delayAfter(kind: FailureKind, attempt: number): number {
  return backoffAfter(attempt, delays[kind]);
}
