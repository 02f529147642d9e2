import { expect, test } from 'vitest';
import type { Log } from '../../../../server/service/ground/log.ts';
import { reportScripts } from '../../../../server/service/replication/jobs/scriptReports.ts';
import type { ScriptRun } from '../../../../server/service/replication/source.ts';
import { createManualClock } from '../../../support/service/manualClock.ts';

type Parts = Parameters<typeof reportScripts>[0];

/** Opens the reports of a service that has run `db/2.sql`. The test controls its replication. */
async function open({ serving = true, lostRows = [] as readonly string[] } = {}) {
  const clock = createManualClock();
  const stop = new AbortController();
  const lines: string[] = [];
  const log: Log = { write: (level, message) => lines.push(`${level}: ${message}`) };
  const runs: ScriptRun[][] = [[{ scripts: ['db/2.sql'], skipped: [], lostRows }]];
  const state = {
    isStreaming: false,
    position: '5',
    waitingFor: undefined as string | undefined,
    failure: '',
  };
  const compared: string[] = [];
  const parts = {
    source: {
      position: async () => '7',
      mark: async () => {},
      own: { scriptRuns: async () => runs.shift() ?? new Promise(() => {}) },
    },
    storage: {
      reader: () => ({ checkpoint: async () => ({ position: state.position }) }),
      deployments: { all: async () => (serving ? [{ id: 1, state: 'active' }] : []) },
    },
    replicator: {
      send: async (
        _: number,
        errand: (replication: unknown, compare: () => Promise<void>) => Promise<unknown>,
      ) => {
        if (!state.isStreaming) return false;
        await errand({}, async () => void compared.push(state.position));
        return true;
      },
      status: () => [
        {
          deployment: 1,
          progress: { waitingFor: state.waitingFor },
          ...(state.failure !== '' && { lastFailure: { message: state.failure } }),
        },
      ],
    },
    clock,
    log,
  } as unknown as Parts;
  void reportScripts(parts, stop.signal);
  await turn();
  return { clock, lines, state, compared, stop: () => stop.abort() };
}

/** Runs the steps that are ready. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

const done = 'info: The embedded database has run db/2.sql.';
const stored = 'The embedded database has stored the changes of db/2.sql.';

test('Scripts are reported at once if nothing is served', async () => {
  const { lines } = await open({ serving: false });
  expect(lines).toEqual([done]);
});

test('Statements for rows that were left out are reported', async () => {
  const { lines } = await open({ serving: false, lostRows: ['Rows may be missing.'] });
  expect(lines.slice(1)).toEqual(['warn: Rows may be missing.']);
});

test('Scripts are reported when the compared tables are published, with the progress of a long copy', async () => {
  const { clock, lines, state, compared } = await open();
  state.isStreaming = true;
  state.waitingFor = 'Copying lists again. About 10 % of its rows are copied.';
  await clock.advance(7_000);
  expect(compared).toEqual(['5']);
  expect(lines).toEqual([`info: ${stored} Clients do not have the result yet: ${state.waitingFor}`]);
  state.position = '8';
  await clock.advance(100);
  expect(lines.slice(1)).toEqual([done]);
  await clock.advance(10_000);
  expect(lines).toHaveLength(2);
});

test('A failing copy is reported with its reason, and the scripts once it has succeeded', async () => {
  const { clock, lines, state } = await open();
  state.failure = 'A value cannot be converted.';
  await clock.advance(10_000);
  expect(lines).toEqual([`warn: ${stored} Clients do not have the result yet: A value cannot be converted.`]);
  state.failure = '';
  state.isStreaming = true;
  state.position = '7';
  await clock.advance(1_000);
  expect(lines.slice(1)).toEqual([done]);
});

test('A stopping service reports that the tables are not copied yet', async () => {
  const { clock, lines, stop } = await open();
  await clock.advance(500);
  stop();
  await turn();
  expect(lines).toEqual([`info: ${stored} The changed tables are copied later.`]);
});
