/** Runs each attack until it has made enough attempts. `npm run hostile` runs them for longer, and also checks response times. */
import { afterAll, describe, expect, test } from 'vitest';
import { patient } from '../../scripts/run/patience.ts';
import { groupBy } from '../../server/engine/ground/group.ts';
import { postgresPrograms } from '../support/processes/postgres.ts';
import { type Arena, openArena } from './arena.ts';
import { type AttackName, attackNames, attackOf } from './attacks/index.ts';
import { complaintsIn, failuresIn } from './report.ts';
import { runHostile, usualSize } from './run.ts';

/** The attacks by their needs: attacks with the same needs run one after the other on the same service. */
const groups = groupBy(attackNames, (name) => JSON.stringify(attackOf(name).needs ?? {}));

describe.skipIf(postgresPrograms.kind === 'missing').each([...groups])(
  'clients with a token are served during attacks on a service with %s',
  (_, group) => {
    let opening: Promise<Arena> | undefined;
    afterAll(async () => (await opening)?.close());

    test.each(group)(
      '%s',
      async (name: AttackName) => {
        opening ??= openArena(attackOf(name).needs);
        const report = await runHostile(await opening, name, { ...usualSize, sockets: 3_000 });
        expect(complaintsIn(report)).toEqual([]);
      },
      patient(300_000),
    );
  },
);

test.each([
  [90, 30, 'holds'],
  [110, 30, 'holds'],
  [130, 30, 'fails'],
  [19, 1, 'holds'],
  [21, 1, 'fails'],
])(
  'with probes at %i ms and an idle server at %i ms (99th percentiles), the limit %s',
  (ours, idle, verdict) => {
    const times = (p99: number) => ({ count: 1, p50: 0, p99, max: 10_000 });
    const counts = {
      attempts: 1,
      clients: 0,
      peakMemory: 1,
      connected: 1,
      changes: times(1),
      complaints: [],
    };
    const failures = failuresIn({ ...counts, probes: times(ours), idle: times(idle) });
    expect(failures.length > 0 ? 'fails' : 'holds').toBe(verdict);
  },
);
