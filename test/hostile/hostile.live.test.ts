/** Each attack for some seconds; `npm run hostile` is the long one, and also holds the service to its times. */
import { describe, expect, test } from 'vitest';
import { postgresPrograms } from '../support/processes/postgres.ts';
import { type AttackName, attackNames } from './attacks.ts';
import { complaintsIn, failuresIn, runHostile, usualSize } from './run.ts';

/** Some attacks take longer to begin, or to show what they do. */
const seconds: Partial<Record<AttackName, number>> = {
  'clients-that-do-not-read': 30,
  'a-byte-a-second-among-many': 12,
};

describe.skipIf(postgresPrograms.kind === 'missing')('those with a token are served beside', () => {
  test.each(attackNames)('%s', async (name) => {
    const report = await runHostile(name, seconds[name] ?? 4, { ...usualSize, clients: 300 });
    expect(complaintsIn(report)).toEqual([]);
    expect(report.attempts).toBeGreaterThan(0);
  });
});

test.each([
  [90, 5, 'holds'],
  [290, 100, 'holds'],
  [310, 100, 'fails'],
])('a probe of %i ms, where a server that does nothing takes %i ms: %s', (ours, idle, verdict) => {
  const times = (max: number) => ({ count: 1, p50: max, p99: max, max });
  const counts = { attempts: 1, clients: 0, peakMemory: 1, served: 1, connected: 1, complaints: [] };
  const failures = failuresIn({ ...counts, probes: times(ours), idle: times(idle) });
  expect(failures.length > 0 ? 'fails' : 'holds').toBe(verdict);
});
