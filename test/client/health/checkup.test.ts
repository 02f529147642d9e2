/** Checkups of services and files that are hard to set up with real processes and databases. */
import { expect, test } from 'vitest';
import type { Deployment, Diagnosis } from '../../../client/api/answers.ts';
import { ApiFailure } from '../../../client/api/failure.ts';
import { checkIds } from '../../../client/health/checkup/check.ts';
import { type ConfigFile, checkUp, type Patient } from '../../../client/health/checkup/checkup.ts';

const at = 1_000_000_000_000;
const file: ConfigFile = {
  kind: 'read',
  path: 'sync.yaml',
  text: 'streams: {}\n',
  tables: ['lists'],
  errors: [],
  warnings: [],
};
const active: Deployment = {
  slot: 'powersync_1',
  content: 'streams: {}\r\n',
  copied: true,
  keepaliveAt: at,
  tables: [],
  errors: [],
};
const diagnosis: Diagnosis = {
  at,
  service: { name: 'Headwater', version: '1.0.0' },
  sources: [{ id: 'default', connected: true, errors: [] }],
  active,
};
const synced = { opId: '7', isWhole: true, buckets: [], problems: [], unknownStreams: [] };

function patient(changes: Partial<Patient> & { readonly diagnosis?: Diagnosis } = {}): Patient {
  const told = changes.diagnosis ?? diagnosis;
  return {
    file,
    unset: [],
    version: '1.0.0',
    source: async () => ({ kind: 'embedded' }),
    service: async () => ({
      address: {
        origin: 'http://here',
        shownOrigin: 'http://here',
        prefix: '',
        host: 'here',
        loopback: true,
      },
      diagnose: async () => told,
    }),
    missing: async () => [],
    client: async () => ({ syncOnce: async () => synced }),
    ...changes,
  };
}

async function problems(changes?: Parameters<typeof patient>[0]): Promise<readonly string[]> {
  const checks = await checkUp(patient(changes), () => {});
  const order = checks.map(({ id }) => checkIds.indexOf(id));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  for (const { state, step } of checks) if (state === 'bad' || state === 'warning') expect(step).toBeTruthy();
  return checks.filter(({ state }) => state !== 'good').map(({ id, state }) => `${id} ${state}`);
}

const refused = new ApiFailure('unauthorized', 'The token is refused.', { status: 401 });

test.each<[string, Parameters<typeof patient>[0], readonly string[]]>([
  ['there are no problems', {}, []],
  ['the deployed config differs only in its line ends', { diagnosis }, []],
  [
    'a third-party service reports no version',
    { diagnosis: { ...diagnosis, service: undefined } as never },
    [],
  ],
  ['an older service runs', { version: '1.1.0' }, ['version warning']],
  ['another config is deployed', { file: { ...file, text: 'streams: { }\n' } }, ['deployed warning']],
  [
    'nothing is deployed',
    { diagnosis: { at, sources: [] } },
    ['deployed bad', 'active bad', 'token unknown', 'sync unknown'],
  ],
  [
    'the config is being copied',
    { diagnosis: { at, sources: [], pending: active } },
    ['active warning', 'token unknown', 'sync unknown'],
  ],
  [
    'replication has stopped',
    { diagnosis: { ...diagnosis, active: { ...active, keepaliveAt: at - 3_600_000 } } },
    ['active bad'],
  ],
  [
    'a table is missing in the source',
    {
      missing: async () => ['There is no table lists.'],
      diagnosis: {
        ...diagnosis,
        active: {
          ...active,
          tables: [
            {
              schema: 'public',
              name: 'lists',
              keys: [],
              errors: [{ level: 'warning', message: 'No lists.' }],
            },
          ],
        },
      },
    },
    ['tables bad', 'active bad'],
  ],
  ['there is no key', { client: async () => 'There is no key.' }, ['token unknown', 'sync unknown']],
  [
    'the token of the client is refused',
    { client: async () => ({ syncOnce: () => Promise.reject(refused) }) },
    ['token bad', 'sync unknown'],
  ],
  [
    'the stream breaks',
    { client: async () => ({ syncOnce: () => Promise.reject(new ApiFailure('lost', 'It has ended.', {})) }) },
    ['token unknown', 'sync bad'],
  ],
  [
    'the service refuses our token',
    { service: () => Promise.reject(refused) },
    ['service bad', ...['version', 'deployed', 'active', 'token', 'sync'].map((id) => `${id} unknown`)],
  ],
  [
    'the source is unknown here',
    { source: async () => ({ kind: 'unknown', why: 'Not known.' }), missing: async () => undefined },
    ['source unknown', 'tables unknown'],
  ],
  [
    'a query of the source is refused',
    {
      source: async () => ({
        kind: 'postgresql',
        name: 'db',
        query: async (sql) => (sql.includes('AS one') ? [] : Promise.reject(new Error('denied'))),
      }),
    },
    ['wal-level unknown', 'slots unknown', 'publication unknown', 'replica-identity unknown'],
  ],
])('%s', async (_, changes, expected) => {
  expect(await problems(changes)).toEqual(expected);
});

test('the advice for a full disk is to free space', async () => {
  const errors = [{ level: 'fatal', kind: 'full disk', message: 'The disk with /data is full.' }] as const;
  const sources = [{ id: 'default', connected: true, errors }];
  const checks = await checkUp(patient({ diagnosis: { ...diagnosis, sources } }), () => {});
  expect(checks.filter(({ state }) => state === 'bad')).toEqual([
    {
      id: 'active',
      state: 'bad',
      sentence: 'The disk with /data is full.',
      step: 'Free space on that disk.',
    },
  ]);
});
