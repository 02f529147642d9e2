/** Rows of SQL files in the editor: a database runs the files in the background, and again only after a change. */
import { afterEach, expect, test } from 'vitest';
import type { RunSeeds, SeedQuestion } from '../../../server/engine/index.ts';
import { type RunTestsResult, runTestsRequest } from '../../../server/protocol.ts';
import type { Client } from '../../support/editor/client.ts';
import {
  configUri,
  folder,
  itemsOf,
  openTestWorkspace,
  roomsTests,
  testsUri,
} from '../../support/editor/testFiles.ts';
import { roomsConfig } from '../../support/engine/accessTests.ts';
import { eventually } from '../../support/house/eventually.ts';

let client: Client;
afterEach(() => client?.dispose());

const seed = "INSERT INTO rooms (id, org) SELECT 'r2', lower('ACME');";
const withSeed = roomsTests.replace('rows:\n', 'rows:\n  from: seed.sql\n');
const answer = {
  tables: [{ schema: 'public', name: 'rooms', rows: [{ id: 'r2', org: 'acme' }] }],
  refused: [],
};
const run = () => client.request<RunTestsResult>(runTestsRequest, { uri: testsUri });
const firstFailure = (result: RunTestsResult) => result?.results[0]?.failures[0]?.message;
const isUnexpected = 'ada gets rooms r2, which is not expected.';

/** Returns a database that records the questions and returns the given answers. */
function openDatabase(answers: Awaited<ReturnType<RunSeeds>> = answer) {
  const questions: SeedQuestion[] = [];
  const runSeeds: RunSeeds = async (question) => {
    questions.push(question);
    return answers;
  };
  return { questions, runSeeds };
}

test('no SQL file is run in a workspace that the user does not trust', async () => {
  const { questions, runSeeds } = openDatabase();
  ({ client } = await openTestWorkspace(
    { 'rooms.sync-test.yaml': withSeed, 'seed.sql': seed },
    { runSeeds, sql: 'only read' },
  ));
  await run();
  expect(questions).toEqual([]);
});

test('SQL files are run with the tables of the project, and only once for the same texts', async () => {
  const { questions, runSeeds } = openDatabase();
  let texts: Map<string, string>;
  ({ client, texts } = await openTestWorkspace(
    { 'rooms.sync-test.yaml': withSeed, 'seed.sql': seed },
    { runSeeds },
  ));
  expect(firstFailure(await run())).toBe(isUnexpected);
  expect(questions).toEqual([
    {
      schema: [{ path: '/w/migrations', name: 'migrations', folder: '/w' }],
      seeds: [{ name: 'seed.sql', text: seed }],
      options: expect.objectContaining({ timestampsIso8601: true }),
    },
  ]);
  // Changes of the tests and of the config do not run the SQL files again.
  await client.open(testsUri, withSeed.replace('[r1]', '[r1, r2]'));
  expect(firstFailure(await run())).toBeUndefined();
  await client.open(configUri, roomsConfig.replace("org = auth.parameter('org')", 'true'));
  expect(firstFailure(await run())).toBe('eve gets rooms r2, which is not expected.');
  expect(questions).toHaveLength(1);
  const uri = `${folder}seed.sql`;
  texts.set(uri, `${seed}\n`);
  await client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 2 }] });
  await eventually(async () => {
    await run();
    expect(questions.map(({ seeds }) => seeds[0]?.text)).toEqual([seed, `${seed}\n`]);
  });
  // An SQL file is run as it is in the editor, even if it is not saved.
  await client.open(uri, '-- other');
  await eventually(async () => {
    await run();
    expect(questions.at(-1)?.seeds[0]?.text).toBe('-- other');
  });
});

test('Other requests are answered while SQL files are run, but a run of tests waits for the rows', async () => {
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const runSeeds: RunSeeds = async () => {
    await finished;
    return answer;
  };
  ({ client } = await openTestWorkspace(
    { 'rooms.sync-test.yaml': withSeed, 'seed.sql': seed },
    { runSeeds },
  ));
  await client.open(testsUri, withSeed);
  let hasRun = false;
  const running = run().then((result) => {
    hasRun = true;
    return result;
  });
  expect(itemsOf(await client.pull(testsUri))).toEqual([]);
  expect(hasRun).toBe(false);
  finish();
  expect(firstFailure(await running)).toBe(isUnexpected);
  expect(itemsOf(await client.pull(testsUri)).map(({ code }) => code)).toEqual(['test-fails']);
});

test('Refused statements are reported at the name of the file, and the tests are still run', async () => {
  const refused = [
    { file: 'seed.sql', line: 7, message: 'relation "x" does not exist.' },
    { file: 'migrations/1.sql', line: 3, message: 'duplicate key.' },
    { message: 'A row of public.rooms is not synced: it is too large.' },
  ];
  const { runSeeds } = openDatabase({ ...answer, refused });
  ({ client } = await openTestWorkspace(
    { 'rooms.sync-test.yaml': withSeed, 'seed.sql': seed },
    { runSeeds },
  ));
  expect((await run())?.results[0]?.failures.map(({ message }) => message)).toEqual([
    expect.stringContaining('The rows of `seed.sql` cannot be read'),
    isUnexpected,
  ]);
  await client.open(testsUri, withSeed);
  const found = itemsOf(await client.pull(testsUri)).filter(({ code }) => code === 'test-unreadable-rows');
  expect(
    found.map(({ message, range }) => [String(message).replace(/.*read: /, ''), range.start.line]),
  ).toEqual([
    ['line 7 failed: relation "x" does not exist.', 5],
    ['line 3 of migrations/1.sql failed: duplicate key.', 5],
    ['A row of public.rooms is not synced: it is too large.', 5],
  ]);
});

test('The first of hundreds of refused statements are reported, with the number of the others', async () => {
  const refused = Array.from({ length: 500 }, (_, at) => ({
    file: 'seed.sql',
    line: at + 1,
    message: 'syntax error.',
  }));
  const { runSeeds } = openDatabase({ tables: [], refused });
  ({ client } = await openTestWorkspace(
    { 'rooms.sync-test.yaml': withSeed, 'seed.sql': seed },
    { runSeeds },
  ));
  await run();
  await client.open(testsUri, withSeed);
  const messages = itemsOf(await client.pull(testsUri)).map(({ message }) => String(message));
  expect(messages.filter((message) => message.includes(' failed: '))).toHaveLength(10);
  expect(messages.filter((message) => message.includes('Other failed statements: 490.'))).toHaveLength(1);
});

test('A closed file of tests does not start a database until its tests are run', async () => {
  const { questions, runSeeds } = openDatabase();
  ({ client } = await openTestWorkspace(
    { 'rooms.sync-test.yaml': withSeed, 'seed.sql': seed },
    { runSeeds },
  ));
  await client.open(configUri, roomsConfig);
  await client.request('textDocument/codeLens', { textDocument: { uri: configUri } });
  await client.pull(configUri);
  expect(questions).toEqual([]);
  await run();
  expect(questions).toHaveLength(1);
});

test('Without a database, only constants are read, and the error names an editor that has a database', async () => {
  ({ client } = await openTestWorkspace({
    'rooms.sync-test.yaml': withSeed,
    'seed.sql': "INSERT INTO rooms (id, org) VALUES ('r2', 'acme'); INSERT INTO rooms (id) VALUES (now());",
  }));
  expect((await run())?.results[0]?.failures.map(({ message }) => message)).toEqual([
    expect.stringContaining('The rows of `seed.sql` cannot be read'),
    isUnexpected,
  ]);
  await client.open(testsUri, withSeed);
  const [problem] = itemsOf(await client.pull(testsUri));
  expect(problem?.code).toBe('test-unreadable-rows');
  expect(problem?.message).toContain('VS Code on the desktop');
});

test.each(['../secrets.sql', '/etc/passwd'])('A file outside the project is not read: %s', async (path) => {
  const { questions, runSeeds } = openDatabase();
  ({ client } = await openTestWorkspace(
    { 'rooms.sync-test.yaml': roomsTests.replace('rows:\n', `rows:\n  from: ${path}\n`) },
    { runSeeds },
  ));
  await run();
  await client.open(testsUri, roomsTests.replace('rows:\n', `rows:\n  from: ${path}\n`));
  const [problem] = itemsOf(await client.pull(testsUri));
  expect(problem).toMatchObject({ code: 'test-unreadable-rows' });
  expect(problem?.message).toContain('outside');
  expect(questions.flatMap(({ seeds }) => seeds)).toEqual([]);
});
