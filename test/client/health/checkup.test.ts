/** Checkups of services and files that are hard to set up with real processes and databases. */
import { expect, test } from 'vitest';
import type { Deployment, Diagnosis } from '../../../client/api/answers.ts';
import { ApiFailure } from '../../../client/api/failure.ts';
import { checkIds } from '../../../client/health/checkup/check.ts';
import {
  type ConfigFile,
  checkUp,
  type Patient,
  type TestDevice,
} from '../../../client/health/checkup/checkup.ts';

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
    variables: { kind: 'checked', unset: [] },
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
      clientKeys: async () => ({ id: '', state: 'ok', message: 'Tokens are verified with 1 key.' }),
    }),
    missing: async () => [],
    client: async () => device(async () => synced),
    ...changes,
  };
}

type TestService = Awaited<ReturnType<Patient['service']>>;

function device(syncOnce: TestDevice['api']['syncOnce']): TestDevice {
  return { api: { syncOnce }, token: 'signed' };
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
    'the service has just started and is catching up',
    { diagnosis: { ...diagnosis, active: { ...active, keepaliveAt: at - 3_600_000, isReplicating: true } } },
    ['active warning'],
  ],
  [
    'the source does not answer',
    {
      diagnosis: {
        ...diagnosis,
        sources: [
          {
            id: 'default',
            connected: false,
            errors: [{ level: 'warning', kind: 'silence', message: 'No answer for 5 s.' }],
          },
        ],
      },
    },
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
  [
    'the variables belong to another machine',
    { variables: { kind: 'unchecked', why: 'Not checked.' } },
    ['variables unknown'],
  ],
  [
    'the config has errors, so that some of its tables are unknown',
    { file: { ...file, errors: ['1: No such function.'] } },
    ['findings bad', 'tables unknown'],
  ],
  [
    'a device has more rows than the test reads',
    { client: async () => device(async () => ({ ...synced, isWhole: false })) },
    ['sync unknown'],
  ],
  ['there is no key', { client: async () => 'There is no key.' }, ['token unknown', 'sync unknown']],
  [
    'the token of the client is refused',
    { client: async () => device(() => Promise.reject(refused)) },
    ['token bad', 'sync unknown'],
  ],
  [
    'the stream breaks',
    { client: async () => device(() => Promise.reject(new ApiFailure('lost', 'It has ended.', {}))) },
    ['token unknown', 'sync bad'],
  ],
  [
    'the service refuses our token',
    { service: () => Promise.reject(refused) },
    [
      'service bad',
      ...['version', 'deployed', 'active', 'keys', 'token', 'sync'].map((id) => `${id} unknown`),
    ],
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

test.each<[string, TestService['clientKeys'], object]>([
  [
    'are wrong, so the reason and the remedy are shown',
    async () => ({
      id: '',
      state: 'failed',
      problems: [{ level: 'fatal', code: 'SVC_S2204', cause: 'Nothing listens.', remedy: 'Correct it.' }],
    }),
    { state: 'bad', sentence: '[SVC_S2204] Nothing listens.', step: 'Correct it.' },
  ],
  ['are unknown, because the service has no such check', async () => undefined, { state: 'unknown' }],
  [
    'are unknown, because the call failed',
    () => Promise.reject(new ApiFailure('slow', 'No answer within 60 s.', {})),
    { state: 'unknown', sentence: 'No answer within 60 s.' },
  ],
])('the keys of client tokens %s', async (_, clientKeys, expected) => {
  const service = async () => ({ ...(await patient().service()), clientKeys });
  const checks = await checkUp(patient({ service }), () => {});
  expect(checks.filter(({ id, state }) => id === 'keys' || state !== 'good')).toMatchObject([
    { id: 'keys', ...expected },
  ]);
});

test('a check that cannot be made here is left out', async () => {
  const { variables: _, ...others } = patient();
  const checks = await checkUp(others, () => {});
  expect(checks.map(({ id }) => id)).not.toContain('variables');
});

test.each([
  ['named', 'The token is accepted.'],
  ['signed', 'A token that was signed for this test is accepted. To check a token of the app, use --token.'],
] as const)('a token that was %s is the only one of which anything is claimed', async (token, sentence) => {
  const client = async () => ({ api: { syncOnce: async () => synced }, token });
  const checks = await checkUp(patient({ client }), () => {});
  expect(checks.find(({ id }) => id === 'token')?.sentence).toBe(sentence);
});

test('the advice for a missing table comes with the sentence about it, not about another table', async () => {
  const keyless = { level: 'warning', message: 'a has no key.' } as const;
  const missing = { level: 'warning', kind: 'missing', message: 'Table b not found.' } as const;
  const tables = [
    { schema: 'public', name: 'a', keys: ['id'], errors: [keyless] },
    { schema: 'public', name: 'b', keys: [], errors: [missing] },
  ];
  const checks = await checkUp(
    patient({ diagnosis: { ...diagnosis, active: { ...active, tables } } }),
    () => {},
  );
  expect(checks.find(({ id }) => id === 'active')).toMatchObject({
    state: 'bad',
    sentence: 'Table b not found.',
  });
});

/** A source of another service, which its catalog describes. */
function sourceWith(rows: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>) {
  const query = async (sql: string) => Object.entries(rows).find(([part]) => sql.includes(part))?.[1] ?? [];
  return async () => ({ kind: 'postgresql', name: 'db', query }) as const;
}

const slot = { name: 'powersync_1', status: 'reserved', behind: '5 MB', bytes: 5_000_000 };

test.each([
  [true, 'The slots are being read and are at most 5 MB behind.'],
  [false, 'The slots are at most 5 MB behind. Nothing is reading powersync_1 now.'],
])('a slot is reported as being read only if it is: %s', async (isActive, sentence) => {
  const source = sourceWith({ pg_replication_slots: [{ ...slot, active: isActive }] });
  const checks = await checkUp(patient({ source }), () => {});
  expect(checks.find(({ id }) => id === 'slots')?.sentence).toBe(sentence);
});

test('nothing is claimed about the tables of a config that cannot be read', async () => {
  const source = sourceWith({ 'AS all': [{ all: true }], 'AS level': [{ level: 'logical' }] });
  const found = await problems({ source, file: { ...file, tables: [] } });
  expect(found).toEqual(['publication unknown', 'replica-identity unknown']);
});
