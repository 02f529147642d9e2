/** The requests of an editor's list of tests: the list itself, the results, and the changes. */
import { afterEach, expect, test } from 'vitest';
import { bareHost } from '../../../server/lsp/host/host.ts';
import {
  listFilesRequest,
  projectSchemaRequest,
  type ReadFileParams,
  type RunTestsResult,
  readFileRequest,
  runTestsRequest,
  starterRequest,
  syncMapRequest,
  type TestFilesResult,
  type TestsChanged,
  testFilesRequest,
  testsChangedNotification,
} from '../../../server/protocol.ts';
import { type Client, canPull, connectClient } from '../../support/editor/client.ts';
import {
  configUri,
  folder,
  openTestWorkspace,
  roomsTables,
  roomsTests,
  testsUri,
} from '../../support/editor/testFiles.ts';
import { roomsConfig } from '../../support/engine/accessTests.ts';
import { eventually } from '../../support/house/eventually.ts';

let client: Client;
afterEach(() => client?.dispose());

const claims = `always:
  - name: a room stays in its org
    table: rooms
    holds: org = auth.parameter('org')
`;
const open = roomsConfig.replace("org = auth.parameter('org')", 'true');
const run = (params: object = {}) =>
  client.request<RunTestsResult>(runTestsRequest, { uri: testsUri, ...params });

test('The files of a workspace are listed with their tests, open or not, and with the reason if they cannot be run', async () => {
  ({ client } = await openTestWorkspace({
    'rooms.sync-test.yaml': roomsTests + claims,
    'deep/other.sync-test.yaml': roomsTests,
  }));
  const { files } = await client.request<TestFilesResult>(testFilesRequest, {});
  expect(
    files.map(({ uri, tests, problem }) => [uri, tests.map(({ kind, name }) => `${kind} ${name}`), problem]),
  ).toEqual([
    [testsUri, ['test a room is for its org', 'claim a room stays in its org'], undefined],
    [
      `${folder}deep/other.sync-test.yaml`,
      ['test a room is for its org'],
      'There is no file `sync.yaml`, seen from the folder of this one.',
    ],
  ]);
  expect(files[0]?.tests[0]?.range.start).toEqual({ line: 10, character: 10 });
});

test('A run of the files in the editor reports failures with their places and the queries that cause them', async () => {
  ({ client } = await openTestWorkspace({ 'rooms.sync-test.yaml': roomsTests + claims }));
  expect((await run())?.results).toEqual([
    { kind: 'test', name: 'a room is for its org', failures: [], duration: expect.any(Number) },
    {
      kind: 'claim',
      name: 'a room stays in its org',
      failures: [],
      duration: expect.any(Number),
      note: expect.stringMatching(/^proven: \d+ databases? of up to \d+ rows? represents? all others/),
    },
  ]);
  await client.open(configUri, open);
  const failed = await run();
  expect(failed?.results.map(({ failures }) => failures.length)).toEqual([1, 1]);
  expect(failed?.results[0]?.failures[0]).toMatchObject({
    message: 'eve gets rooms r1, which is not expected.',
    expected: 'none',
    actual: '[r1]',
    range: { start: { line: 13, character: 11 } },
    reasons: [
      { text: expect.stringContaining('The stream rooms sends this row.'), place: { uri: configUri } },
    ],
  });
  expect(failed?.results[1]?.failures[0]?.reasons[0]?.place?.uri).toBe(configUri);
  await client.change(configUri, { text: roomsConfig });
  expect((await run())?.results.flatMap(({ failures }) => failures)).toEqual([]);
});

test('A run reports how long each test took', async () => {
  let time = 0;
  const now = () => {
    time += 3;
    return time;
  };
  ({ client } = await openTestWorkspace({ 'rooms.sync-test.yaml': roomsTests }, { now }));
  expect((await run())?.results.map(({ duration }) => duration)).toEqual([3]);
});

test('Only the named tests are run', async () => {
  ({ client } = await openTestWorkspace({ 'rooms.sync-test.yaml': roomsTests + claims }));
  const only = [{ kind: 'claim', name: 'a room stays in its org' }];
  expect((await run({ only }))?.results.map(({ kind }) => kind)).toEqual(['claim']);
});

test('Coverage reports sent and refused rows of each stream, and how often each condition was true and false', async () => {
  ({ client } = await openTestWorkspace({ 'rooms.sync-test.yaml': roomsTests }));
  const { coverage } = (await run({ withCoverage: true })) ?? {};
  expect(coverage?.uri).toBe(configUri);
  expect(coverage?.streams.map(({ name, given, refused }) => [name, given, refused])).toEqual([
    ['rooms', 1, 1],
    ['messages', 0, 0],
  ]);
  expect(coverage?.streams[0]?.conditions).toEqual([
    { sql: expect.any(String), range: expect.any(Object), wasTrue: 1, wasFalse: 1 },
  ]);
});

test('A run reports on request which users get which rows, and why', async () => {
  ({ client } = await openTestWorkspace({ 'rooms.sync-test.yaml': roomsTests }));
  expect((await run())?.reasons).toBeUndefined();
  expect((await run({ withReasons: true }))?.reasons?.split('\n')).toEqual([
    'a room is for its org: ada',
    '  gets rooms r1',
    expect.stringMatching(/^ {4}The stream rooms sends this row\. .* sync\.yaml:6:\d+$/),
    '',
    'a room is for its org: eve',
    '  does not get rooms r1',
    expect.stringMatching(
      /^ {4}rooms does not send .* org is 'acme'\. eve has 'evil'\. See `org = .*`\. sync/,
    ),
    '',
  ]);
});

test('Without SQLite, claims are skipped with a reason', async () => {
  ({ client } = await openTestWorkspace({ 'rooms.sync-test.yaml': roomsTests + claims }, { judge: 'none' }));
  const [first, second] = (await run())?.results ?? [];
  expect(first).toMatchObject({ kind: 'test', name: 'a room is for its org', failures: [] });
  expect(second).toMatchObject({ kind: 'claim', failures: [], skipped: expect.stringContaining('SQLite') });
});

test('A file that cannot be run has no results', async () => {
  ({ client } = await openTestWorkspace({
    'rooms.sync-test.yaml': roomsTests.replace('sync.yaml', 'no.yaml'),
  }));
  expect(await run()).toBeNull();
  expect(await run({ uri: `${folder}nowhere.sync-test.yaml` })).toBeNull();
});

test('Editors that show tests are notified of the files whose results may have changed', async () => {
  const { client: ours, texts } = await openTestWorkspace(
    {
      'rooms.sync-test.yaml': roomsTests,
      'other.sync-test.yaml': roomsTests.replace('sync.yaml', 'other/sync.yaml'),
      'other/sync.yaml': roomsConfig,
    },
    { tests: 'shown' },
  );
  client = ours;
  const told: (readonly string[])[] = [];
  client.onNotification(testsChangedNotification, ({ uris }: TestsChanged) => told.push([...uris].sort()));
  await client.request(testFilesRequest, {});
  const untilTold = (...uris: readonly string[]) => eventually(() => expect(told.at(-1)).toEqual(uris));
  await client.open(configUri, open);
  await untilTold(testsUri);
  const changed = `${folder}other.sync-test.yaml`;
  texts.set(changed, roomsTests);
  await client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: changed, type: 2 }] });
  await untilTold(changed);
  texts.delete(changed);
  await client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: changed, type: 3 }] });
  await eventually(async () => {
    expect(told.at(-1)).toEqual([changed]);
    expect((await client.request<TestFilesResult>(testFilesRequest, {})).files).toHaveLength(1);
  });
});

test('A config with any name is read, and rows are read even from folders that are not listed', async () => {
  ({ client } = await openTestWorkspace({
    'rooms.sync-test.yaml': roomsTests
      .replace('sync.yaml', 'access.yaml')
      .replace('rows:\n', 'rows:\n  from: node_modules/seed.sql\n'),
    'access.yaml': roomsConfig,
    'node_modules/seed.sql': "INSERT INTO rooms (id, org) VALUES ('r2', 'acme');",
  }));
  await eventually(async () =>
    expect((await run())?.results[0]?.failures[0]?.message).toBe('ada gets rooms r2, which is not expected.'),
  );
});

/** Returns the names of the files that are listed so far, without waiting. */
async function listedSoFar() {
  const { files, isListing } = await client.request<TestFilesResult>(testFilesRequest, {
    listing: 'so far',
  });
  return { names: files.map(({ uri }) => uri.slice(folder.length)), isListing };
}

const never = new Promise<void>(() => {});

test('Open files are listed before the files of the folders, which are listed later', async () => {
  let list = (): void => {};
  const listed = new Promise<void>((resolve) => {
    list = resolve;
  });
  const files = { 'rooms.sync-test.yaml': roomsTests, 'other.sync-test.yaml': roomsTests };
  ({ client } = await openTestWorkspace(files, { tests: 'shown', listed }));
  const told: string[] = [];
  client.onNotification(testsChangedNotification, ({ uris }: TestsChanged) => told.push(...uris));
  await client.open(testsUri, roomsTests);
  await eventually(() => expect(told).toContain(testsUri));
  expect(await listedSoFar()).toEqual({ names: ['rooms.sync-test.yaml'], isListing: true });
  const running = run();
  list();
  expect((await running)?.results[0]?.failures).toEqual([]);
  await eventually(() => expect(told).toContain(`${folder}other.sync-test.yaml`));
  expect(await listedSoFar()).toEqual({
    names: ['rooms.sync-test.yaml', 'other.sync-test.yaml'],
    isListing: false,
  });
});

test('A listing that the editor never returns does not block anything', async () => {
  const virtual = 'memfs:///w/';
  const [config, tests, other] = ['sync.yaml', 'rooms.sync-test.yaml', 'other.sync-test.yaml'].map(
    (name) => virtual + name,
  ) as [string, string, string];
  const texts = new Map([[config, roomsConfig]]);
  client = await connectClient(canPull, {
    host: { ...bareHost, clock: { ...bareHost.clock, wait: async () => {} } },
    folders: [virtual],
    initializationOptions: { files: true, tests: 'shown' },
    answers: {
      [listFilesRequest]: () => never,
      [readFileRequest]: ({ uri }: ReadFileParams) => texts.get(uri) ?? null,
    },
  });
  await client.open(config, roomsConfig);
  await client.open(tests, roomsTests);
  expect((await run({ uri: tests }))?.results[0]?.failures).toEqual([]);
  const { files, isListing } = await client.request<TestFilesResult>(testFilesRequest, {});
  expect([files.map(({ uri }) => uri), isListing]).toEqual([[tests], false]);
  // A notification about another file does not wait for the listing either.
  texts.set(other, roomsTests);
  await client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: other, type: 1 }] });
  await eventually(async () =>
    expect((await client.request<TestFilesResult>(testFilesRequest, {})).files).toHaveLength(2),
  );
  for (const method of [syncMapRequest, starterRequest, projectSchemaRequest])
    expect(await client.request(method, { uri: config, folder: virtual })).toBeDefined();
});

test('The long search of a claim does not delay other requests', async () => {
  // The clock counts steps of the search, so that the limit is reached after the same number of steps on each machine.
  let steps = 0;
  // So many columns are compared that there are more databases than the search can try.
  const columns = Array.from({ length: 9 }, (_, at) => `c${at}`);
  const compared = columns.map((name) => `${name} > 5`);
  ({ client } = await openTestWorkspace(
    {
      'migrations/1.sql': roomsTables.replace('org text', `${columns.join(' int, ')} int, org text`),
      'sync.yaml': roomsConfig.replace("org = auth.parameter('org')", compared.join(' AND ')),
      'rooms.sync-test.yaml': roomsTests + claims.replace(/holds: .*/, 'holds: id IS NOT NULL'),
    },
    {
      now: () => {
        steps += 1;
        return steps;
      },
    },
  ));
  const order: string[] = [];
  const searched = run().then(() => order.push('claims'));
  await client.request(testFilesRequest, {});
  await run({ only: [{ kind: 'test', name: 'a room is for its org' }] });
  order.push('a test');
  await searched;
  expect(order).toEqual(['a test', 'claims']);
});
