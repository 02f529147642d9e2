import { expect, test } from 'vitest';
import { meaningsIn, openSyncConfigs } from '../../../server/service/deployments/syncConfigs.ts';
import type { Deployment } from '../../../server/service/storage/deployment.ts';
import { deploymentNews } from '../../../server/service/watching/deploymentNews.ts';

const record = (id: number, more: Partial<Deployment> = {}): Deployment => ({
  id,
  state: 'processing',
  content: 'a=1 b=1',
  deploymentName: `slot_${id}`,
  storageVersion: 2,
  createdAt: 0,
  revision: 0,
  snapshotDone: false,
  ...more,
});

/** Returns the news between two sets of records. Contents are `name=definition`, separated by spaces. */
const news = (before: readonly Deployment[], after: readonly Deployment[]): readonly string[] =>
  deploymentNews(before, after, ({ content }) => ({
    streams: new Map(content.split(' ').map((each) => each.split('=') as [string, string])),
    whole: content,
  })).map(({ kind, message }) => `${kind}: ${message}`);

test('The first deployment lists its streams', () => {
  expect(news([], [record(1)])).toEqual(['deploy: Config 1 was deployed: the first one, with streams a, b.']);
});

test('A deployment lists new, changed and removed streams', () => {
  const before = [record(1, { state: 'active' })];
  expect(news(before, [...before, record(2, { content: 'a=2 c=1' })])).toEqual([
    'deploy: Config 2 was deployed: new stream c; changed stream a; removed stream b.',
  ]);
  expect(news(before, [...before, record(2, { content: 'b=1 a=1' })])).toEqual([
    'deploy: Config 2 was deployed: different options, or a different order of its streams.',
  ]);
});

const configs = openSyncConfigs('public');

/** Returns the news when a config takes the place of another one. */
const newsOf = (before: string, after: string): readonly string[] =>
  deploymentNews(
    [record(1, { state: 'active', content: before })],
    [
      record(1, { state: 'active', content: after }),
      record(2, { state: 'terminated', content: before, deploymentName: 'slot_1' }),
    ],
    ({ content }) => meaningsIn(configs.read(content)),
  ).map(({ message }) => message);

test('Comments, layout, names of aliases and the order of streams do not count as differences', () => {
  const own = (alias: string) =>
    `SELECT id FROM todos WHERE list IN (SELECT ${alias}.id FROM lists AS ${alias} WHERE ${alias}.owner = auth.user_id())`;
  const lists = `lists:\n    query: ${own('l')}\n`;
  const renamed = `lists: # Whose\n    query:   ${own('their').replace('=', '  =')}\n`;
  const todos = 'todos:\n    query: SELECT id FROM todos\n';
  const head = 'config:\n  edition: 3\nstreams:\n  ';
  expect(newsOf(`${head}${lists}  ${todos}`, `${head}${todos}  ${renamed}`)).toEqual([
    'Config 2 was deployed: no stream has changed. Nothing had to be copied.',
  ]);
  expect(
    newsOf(`${head}${lists}  ${todos}`, `${head}${lists}  todos:\n    query: SELECT * FROM todos\n`),
  ).toEqual(['Config 2 was deployed: changed stream todos. Nothing had to be copied.']);
});

test('Conditions with integers are compared in any order', () => {
  const config = (condition: string, option = '') =>
    `config:\n  edition: 3\n${option}streams:\n  open:\n    query: SELECT id FROM lists WHERE ${condition}\n`;
  const before = config("state = 1 AND kind = 'x'");
  const changes = [
    config("kind = 'x' AND state = 1"),
    config("state = 2 AND kind = 'x'"),
    config("state = 1 AND kind = 'x'", '  timestamps_iso8601: false\n'),
  ].flatMap((after) => newsOf(before, after));
  expect(changes.map((message) => /deployed: (.*?)\. /.exec(message)?.[1])).toEqual([
    'no stream has changed',
    'changed stream open',
    'different options, or a different order of its streams',
  ]);
});

test('A deployment that continues with another config lists the differences', () => {
  const before = [record(1, { state: 'active' })];
  const former = record(2, { state: 'terminated', deploymentName: 'slot_1' });
  expect(news(before, [record(1, { state: 'active', content: 'a=1' }), former])).toEqual([
    'deploy: Config 2 was deployed: removed stream b. Nothing had to be copied.',
  ]);
});

test('A config that is replaced in place is kept as a new record, which is not a deployment', () => {
  const one = record(1, { state: 'active', createdAt: 1, content: 'a=1' });
  const two = record(2, { state: 'processing', createdAt: 2, content: 'a=1 b=1', base: 1 });
  const seen: string[] = [];
  const look = (before: readonly Deployment[], after: readonly Deployment[]) => {
    seen.push(...news(before, after));
    return after;
  };
  const copied = look([one], [one, two]);
  // The copy is complete: the active deployment has its config now, and the former config is kept below the copy's.
  const former = record(3, { ...one, id: 3, state: 'terminated' });
  const taken = look(copied, [
    { ...one, content: two.content, createdAt: 2, storedTexts: [{ content: two.content }] },
    { ...two, state: 'terminated' },
    former,
  ]);
  // A config that needs no copy is deployed, and then one that needs a complete copy.
  const [active] = taken;
  const later = record(4, { ...active, id: 4, state: 'terminated' });
  const replaced = look(taken, [
    { ...one, content: 'a=1 c=1', createdAt: 3, storedTexts: [{ content: two.content }] },
    ...taken.slice(1),
    later,
  ]);
  look(replaced, [...replaced, record(5, { content: 'a=2 c=1', createdAt: 4 })]);
  expect(seen).toEqual([
    'deploy: Config 2 was deployed: new stream b.',
    'deploy: Clients now get the rows of config 2.',
    'deploy: Config 4 was deployed: new stream c; removed stream b. Nothing had to be copied.',
    'deploy: Config 5 was deployed: changed stream a.',
  ]);
});

test('A deployment of the same content is a restart, with its reason', () => {
  const before = [record(1, { state: 'active' })];
  expect(news(before, [...before, record(2, { reason: 'The slot was lost.' })])).toEqual([
    'restart: The slot was lost.',
  ]);
});

test('Events between two readings are still reported', () => {
  const done = { snapshotDone: true, state: 'active' } as const;
  expect(news([], [record(1, { ...done, lastError: { message: 'No.', at: 1 } })])).toEqual([
    'deploy: Config 1 was deployed: the first one, with streams a, b.',
    'copy: All rows are copied.',
    'deploy: Clients now get the rows of config 1.',
    'error: No.',
  ]);
});

test('An error is reported once', () => {
  const failing = record(1, { lastError: { message: 'No.', at: 1 } });
  expect(news([failing], [failing])).toEqual([]);
});

test('A copy of the active config is not a deployment, even if the config before it never became active', () => {
  const before = [
    record(1, { state: 'active', content: 'a=1' }),
    record(2, { state: 'stopped', content: 'a=1 b=1' }),
  ];
  expect(news(before, [...before, record(3, { content: 'a=1' })])).toEqual([
    'restart: Config 1 is copied again.',
  ]);
});

test('Each of several deploys between two readings is reported', () => {
  const former = (id: number, content: string) =>
    record(id, { state: 'terminated', deploymentName: 'slot_1', content });
  const after = [record(1, { state: 'active', content: 'a=3' }), former(2, 'a=1'), former(3, 'a=2')];
  expect(news([record(1, { state: 'active', content: 'a=1' })], after)).toEqual([
    'deploy: Config 2 was deployed: changed stream a. Nothing had to be copied.',
    'deploy: Config 3 was deployed: changed stream a. Nothing had to be copied.',
  ]);
});
