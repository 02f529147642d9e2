import { describe, expect, test } from 'vitest';
import { openSyncConfigs, readSyncConfig } from '../../../server/service/deployments/syncConfigs.ts';

test('of a config in which everything is wrong, the worst thousand problems are told', () => {
  const wrong = Array.from({ length: 1500 }, (_, n) => `    nonsense${n}: 1\n`).join('');
  const content = `config:\n  edition: 3\nstreams:\n  s:\n    query: SELECT * FROM t\n${wrong}`;
  const { problems, valid } = readSyncConfig(content, 'public');
  expect(valid).toBe(false);
  expect(problems).toHaveLength(1000);
  expect(problems.at(-1)?.message).toMatch(/\(500 more are not shown\.\)$/);
});

const edition = 'config:\n  edition: 3\n';
const boats = `  boats:
    query: SELECT * FROM boats WHERE owner = auth.user_id()
`;
const crew = `  crew:
    with:
      mine: SELECT boat FROM crew WHERE person = auth.user_id()
    query: SELECT * FROM trips WHERE boat IN mine
`;
const before = `${edition}streams:\n${boats}${crew}`;
const definition = (name: string, query: string) =>
  `  ${name}:\n    parameters: SELECT request.user_id() AS owner\n    data:\n      - ${query}\n`;
const definitions = (...all: readonly string[]) => `bucket_definitions:\n${all.join('')}`;
const mine = (extra = '') => `SELECT * FROM boats WHERE owner = bucket.owner${extra}`;
const ports = (columns: string, name: string) => `  ${name}:\n    query: SELECT ${columns} FROM ports\n`;

describe('means the same', () => {
  test.each([
    ['the very same text', before, before],
    ['with a comment', before, `# Again\n${before}`],
    ['with its streams in another order', before, `${edition}streams:\n${crew}${boats}`],
    ['written otherwise', before, before.replace(' WHERE owner', '\n      where   owner')],
    ['with another name of a CTE', before, before.replace('mine:', 'ours:').replace('IN mine', 'IN ours')],
    [
      'with an alias that nobody sees',
      before,
      before.replace('SELECT boat FROM crew', 'SELECT c.boat FROM crew AS c'),
    ],
    [
      'with a default that is written down',
      before,
      before.replace('  boats:\n', '  boats:\n    priority: 3\n'),
    ],
    [
      'bucket definitions in another order',
      definitions(definition('a', mine()), definition('b', mine())),
      definitions(definition('b', mine()), definition('a', mine())),
    ],
    [
      'streams that show the same rows in the same way, in another order',
      `${edition}streams:\n${ports('*', 'a')}${ports('*', 'b')}`,
      `${edition}streams:\n${ports('*', 'b')}${ports('*', 'a')}`,
    ],
  ])('%s', (_, one, other) => {
    const { buckets, lookups } = keptBy(one, other);
    expect(buckets).toEqual(storedBy(one).buckets);
    expect(lookups).toEqual(storedBy(one).lookups);
  });
});

describe('means something else', () => {
  test.each([
    [
      'another edition',
      definitions(definition('a', mine())),
      `${edition}${definitions(definition('a', mine()))}`,
    ],
    [
      'another format of dates',
      definitions(definition('a', mine())),
      `config:\n  timestamps_iso8601: true\n${definitions(definition('a', mine()))}`,
    ],
    ['another filter', before, before.replace('auth.user_id()\n', "auth.user_id() AND kind = 'a'\n")],
    ['another column', before, before.replace('SELECT * FROM boats', 'SELECT id FROM boats')],
    ['another lookup', before, before.replace('person =', 'captain =')],
    ['another priority', before, before.replace('  boats:\n', '  boats:\n    priority: 1\n')],
    ['given without asking', before, before.replace('  boats:\n', '  boats:\n    auto_subscribe: true\n')],
    ['another name', before, before.replace('  boats:', '  ships:')],
    ['a stream more', before, `${before}${ports('*', 'ports')}`],
    ['a stream less', before, `${edition}streams:\n${boats}`],
    [
      'streams that show the same rows in different ways, in another order',
      `${edition}streams:\n${ports('id', 'a')}${ports('*', 'b')}`,
      `${edition}streams:\n${ports('*', 'b')}${ports('id', 'a')}`,
    ],
    [
      'a filter that is one number in two types',
      `${edition}streams:\n  a:\n    query: SELECT * FROM ports WHERE n = 1\n`,
      `${edition}streams:\n  a:\n    query: SELECT * FROM ports WHERE n = 1.0\n`,
    ],
    ['errors', before, before.replace('FROM boats', 'FORM boats')],
  ])('%s', (_, one, other) => {
    const configs = openSyncConfigs('public');
    expect(configs.namesFor(configs.read(other), { id: 3, content: one })).toBeUndefined();
  });
});

test('what is compiled of a deployment is that of its present text and its present names', () => {
  const configs = openSyncConfigs('public');
  const after = `${edition}streams:\n${crew}${boats}`;
  const names = configs.namesFor(configs.read(after), { id: 3, content: before });
  expect(configs.of({ id: 3, content: before }).plans.map(({ name }) => name)).toEqual(['boats', 'crew']);
  expect(configs.of({ id: 3, content: after, names }).plans.map(({ name }) => name)).toEqual([
    'crew',
    'boats',
  ]);
  expect(configs.of({ id: 3, content: after }).evaluator.bucketNames.get('crew')).toEqual(['3#crew|0']);
});

/** Several texts one after the other keep the names of the first. */
test('names are kept however often the text is replaced', () => {
  const configs = openSyncConfigs('public');
  const texts = [before, `${edition}streams:\n${crew}${boats}`, `# Third\n${before}`];
  let names: string | undefined;
  let content = before;
  for (const next of texts) {
    names = configs.namesFor(configs.read(next), { id: 3, content, names });
    content = next;
  }
  const { evaluator } = configs.of({ id: 3, content, names });
  expect(evaluator.lookupNames).toEqual(configs.of({ id: 3, content: before }).evaluator.lookupNames);
});

/** A stream for which no name is kept must not find what is stored of another one. */
test('what has no name among kept ones gets one that nothing is stored under', () => {
  const configs = openSyncConfigs('public');
  const names = JSON.stringify({ boats: { sources: ['3#boats|0'], lookups: [] } });
  const { evaluator } = configs.of({ id: 3, content: before, names });
  expect(evaluator.bucketNames.get('crew')).toEqual(['3#crew|0~']);
  expect(evaluator.lookupNames.get('crew')).toEqual(['0~']);
});

function storedBy(content: string) {
  return namesOf(openSyncConfigs('public').of({ id: 3, content }).evaluator);
}

function keptBy(one: string, other: string) {
  const configs = openSyncConfigs('public');
  const names = configs.namesFor(configs.read(other), { id: 3, content: one });
  expect(names).toBeDefined();
  return namesOf(configs.of({ id: 3, content: other, names }).evaluator);
}

function namesOf({
  bucketNames,
  lookupNames,
}: Record<'bucketNames' | 'lookupNames', ReadonlyMap<string, unknown>>) {
  return { buckets: Object.fromEntries(bucketNames), lookups: Object.fromEntries(lookupNames) };
}
