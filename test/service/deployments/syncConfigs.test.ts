import { describe, expect, test } from 'vitest';
import { openSyncConfigs, readSyncConfig } from '../../../server/service/deployments/syncConfigs.ts';

test('only the worst thousand problems of a config are reported', () => {
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

describe('a config means the same', () => {
  test.each([
    ['with exactly the same text', before, before],
    ['with a comment', before, `# Again\n${before}`],
    ['with its streams in another order', before, `${edition}streams:\n${crew}${boats}`],
    [
      'with other white space and lower-case keywords',
      before,
      before.replace(' WHERE owner', '\n      where   owner'),
    ],
    ['with another name for a CTE', before, before.replace('mine:', 'ours:').replace('IN mine', 'IN ours')],
    [
      'with an alias that does not change the result',
      before,
      before.replace('SELECT boat FROM crew', 'SELECT c.boat FROM crew AS c'),
    ],
    ['with an explicit default', before, before.replace('  boats:\n', '  boats:\n    priority: 3\n')],
    [
      'with its bucket definitions in another order',
      definitions(definition('a', mine()), definition('b', mine())),
      definitions(definition('b', mine()), definition('a', mine())),
    ],
    [
      'with streams in another order that show the same rows in the same way',
      `${edition}streams:\n${ports('*', 'a')}${ports('*', 'b')}`,
      `${edition}streams:\n${ports('*', 'b')}${ports('*', 'a')}`,
    ],
  ])('%s', (_, one, other) => {
    expect(coverage(one, other)).toBe('same');
    const { buckets, lookups } = keptBy(one, other);
    expect(buckets).toEqual(storedBy(one).buckets);
    expect(lookups).toEqual(storedBy(one).lookups);
  });
});

describe('a config with another meaning needs no copy', () => {
  test.each([
    ['with one stream fewer', before, `${edition}streams:\n${crew}`, { crew: ['3#crew|0'] }],
    [
      'with another name for a stream',
      before,
      before.replace('  boats:', '  ships:'),
      { ships: ['3#boats|0'], crew: ['3#crew|0'] },
    ],
    [
      'with another priority',
      before,
      before.replace('  boats:\n', '  boats:\n    priority: 1\n'),
      { boats: ['3#boats|0'], crew: ['3#crew|0'] },
    ],
    [
      'with a stream that is subscribed automatically',
      before,
      before.replace('  boats:\n', '  boats:\n    auto_subscribe: true\n'),
      { boats: ['3#boats|0'], crew: ['3#crew|0'] },
    ],
    [
      'with another condition on the user',
      before,
      before.replace('owner = auth.user_id()', "owner = auth.user_id() AND auth.parameter('role') = 'x'"),
      { boats: ['3#boats|0'], crew: ['3#crew|0'] },
    ],
    [
      'with an added stream that uses stored buckets',
      before,
      `${before}  again:\n    query: SELECT * FROM boats WHERE owner = subscription.parameter('who')\n`,
      { boats: ['3#boats|0'], crew: ['3#crew|0'], again: ['3#boats|0'] },
    ],
    [
      'without one of two streams that share their rows',
      `${edition}streams:\n${ports('*', 'a')}${ports('*', 'b')}`,
      `${edition}streams:\n${ports('*', 'b')}`,
      { b: ['3#a|0'] },
    ],
    [
      'with other names for bucket definitions',
      definitions(definition('a', mine()), definition('b', mine())),
      definitions(definition('b', mine()), definition('c', mine())),
      { b: ['3#b'], c: ['3#a'] },
    ],
    [
      'with another name for the second of two bucket definitions with the same rows',
      definitions(definition('a', mine()), definition('b', mine())),
      definitions(definition('a', mine()), definition('c', mine())),
      { a: ['3#a'], c: ['3#b'] },
    ],
  ])('%s', (_, one, other, names) => {
    expect(coverage(one, other)).toBe('within');
    expect(keptBy(one, other).buckets).toEqual(names);
  });
});

describe('a config has to be copied completely', () => {
  test.each([
    [
      'with another edition',
      definitions(definition('a', mine())),
      `${edition}${definitions(definition('a', mine()))}`,
    ],
    [
      'with another format of dates',
      definitions(definition('a', mine())),
      `config:\n  timestamps_iso8601: true\n${definitions(definition('a', mine()))}`,
    ],
    [
      'with another filter for its only stream',
      `${edition}streams:\n${boats}`,
      `${edition}streams:\n${boats.replace('auth.user_id()\n', "auth.user_id() AND kind = 'a'\n")}`,
    ],
    [
      'with an added stream before one that shows the same rows in another way',
      `${edition}streams:\n${ports('*', 'b')}`,
      `${edition}streams:\n${ports('id', 'a')}${ports('*', 'b')}`,
    ],
    [
      'with an added stream, if a bracket in a stream name hides where keys begin',
      `${edition}streams:\n${boats.replace('boats:', "'boats[':")}`,
      `${edition}streams:\n${boats.replace('boats:', "'boats[':")}${ports('*', 'ports')}`,
    ],
    [
      'with streams in another order that show the same rows in different ways',
      `${edition}streams:\n${ports('id', 'a')}${ports('*', 'b')}`,
      `${edition}streams:\n${ports('*', 'b')}${ports('id', 'a')}`,
    ],
    [
      'without the first of three streams, if only the first and the last show the same rows in the same way',
      `${edition}streams:\n${ports('id', 'a')}${ports('*', 'b')}${ports('id', 'c')}`,
      `${edition}streams:\n${ports('*', 'b')}${ports('id', 'c')}`,
    ],
    [
      'with the number of a filter in another type',
      `${edition}streams:\n  a:\n    query: SELECT * FROM ports WHERE n = 1\n`,
      `${edition}streams:\n  a:\n    query: SELECT * FROM ports WHERE n = 1.0\n`,
    ],
    ['with errors', before, before.replace('FROM boats', 'FORM boats')],
  ])('%s', (_, one, other) => {
    expect(coverage(one, other)).toBeUndefined();
  });
});

describe('a config is copied beside the stored streams', () => {
  test.each([
    [
      'with another filter',
      before.replace('auth.user_id()\n', "auth.user_id() AND kind = 'a'\n"),
      ['boats'],
      ['3.7#boats|0'],
    ],
    [
      'with other columns',
      before.replace('SELECT * FROM boats', 'SELECT id FROM boats'),
      ['boats'],
      ['3.7#boats|0'],
    ],
    ['with another lookup', before.replace('person =', 'captain ='), ['crew'], ['7.0']],
    ['with one stream more', `${before}${ports('*', 'ports')}`, ['ports'], ['3.7#ports|0']],
  ])('%s', (_, content, streams, names) => {
    const configs = openSyncConfigs('public');
    expect(coverage(before, content)).toBe('beside');
    const beside = configs.beside({ id: 3, content: before }, { id: 7, content });
    expect([...(beside?.streams ?? [])]).toEqual(streams);
    expect([...(beside?.addedParts.names ?? [])]).toEqual(names);
    // After the copy, exactly the served parts are stored: unchanged parts under their old names, and the added ones.
    const storedTexts = beside?.storedTexts ?? [];
    const after = configs.of({ id: 3, content, storedContent: before, storedTexts });
    expect(after.isStored).toBe(true);
    const served = namesOf(after.evaluator);
    const used = [...Object.values(served.buckets), ...Object.values(served.lookups)].flat();
    expect(new Set(used)).toEqual(after.storing.parts.names);
    expect(used).toEqual(expect.arrayContaining(names));
  });

  test('if one of its streams is to be copied again', () => {
    const configs = openSyncConfigs('public');
    const beside = configs.beside({ id: 3, content: before }, { id: 7, content: before, anew: ['crew'] });
    expect([...(beside?.streams ?? [])]).toEqual(['crew']);
    expect(beside?.storedTexts).toEqual([
      { content: before, names: ['3#boats|0'] },
      { content: before, from: 7, names: ['3.7#crew|0', '7.0'] },
    ]);
  });

  test('without reusing a name or keeping parts that no config needs', () => {
    const configs = openSyncConfigs('public');
    let deployment: Parameters<typeof configs.of>[0] = { id: 3, content: before };
    const seen = new Set(configs.of(deployment).storing.parts.names);
    for (const id of [7, 8, 9]) {
      const content = before.replace('auth.user_id()\n', `auth.user_id() AND kind = '${id % 2}'\n`);
      const beside = configs.beside(deployment, { id, content });
      for (const name of beside?.addedParts.names ?? []) expect(seen).not.toContain(name);
      for (const name of beside?.addedParts.names ?? []) seen.add(name);
      deployment = { id: 3, content, storedContent: before, storedTexts: beside?.storedTexts ?? [] };
      expect(deployment.storedTexts).toHaveLength(2);
    }
  });
});

test('a deployment is compiled again when its config or its stored config changes', () => {
  const configs = openSyncConfigs('public');
  const after = `${edition}streams:\n${crew}${boats}`;
  const streams = (contents: Parameters<typeof configs.of>[0]) =>
    configs.of(contents).plans.map(({ name }) => name);
  expect(streams({ id: 3, content: before })).toEqual(['boats', 'crew']);
  expect(streams({ id: 3, content: after, storedContent: before })).toEqual(['crew', 'boats']);
  expect(streams({ id: 3, content: before, storedContent: after })).toEqual(['boats', 'crew']);
});

test('rows are stored for all streams of the stored config, even if fewer streams are served', () => {
  const configs = openSyncConfigs('public');
  const less = `${edition}streams:\n${crew}`;
  const { storing, evaluator } = configs.of({ id: 3, content: less, storedContent: before });
  expect(storing.evaluator.tables.map(({ name }) => name.text)).toEqual(['boats', 'trips', 'crew']);
  expect(evaluator.tables.map(({ name }) => name.text)).toEqual(['trips', 'crew']);
  const row = { id: 'b', owner: 'ada' };
  const { rows } = storing.evaluator.rowsOf({ tag: 'default', schema: 'public', name: 'boats' })(row);
  expect(rows.map(({ bucket }) => bucket)).toEqual(['3#boats|0["ada"]']);
});

test('a failing row is reported under the current name of its stream, or not at all if the stream was removed', () => {
  const failing = (name: string) =>
    `  ${name}:\n    query: SELECT id, json_extract(text, '$') AS t FROM ports\n`;
  const failuresOf = (content: string) => {
    const configs = openSyncConfigs('public');
    const { storing } = configs.of({
      id: 3,
      content,
      storedContent: `${edition}streams:\n${failing('a')}${boats}`,
    });
    const table = { tag: 'default', schema: 'public', name: 'ports' };
    return storing.evaluator
      .rowsOf(table)({ id: 'p', text: '{' })
      .failures.map(({ stream }) => stream);
  };
  expect(failuresOf(`${edition}streams:\n${failing('a')}`)).toEqual(['a']);
  expect(failuresOf(`${edition}streams:\n${failing('other')}`)).toEqual(['other']);
  expect(failuresOf(`${edition}streams:\n${boats}`)).toEqual([]);
});

test('a removed stream can return without a copy while it is stored', () => {
  const configs = openSyncConfigs('public');
  const less = { id: 3, content: `${edition}streams:\n${crew}`, storedContent: before };
  expect(configs.coverageOf(configs.read(before), less)).toBe('within');
  expect(configs.coverageOf(configs.read(`# Less\n${less.content}`), less)).toBe('same');
});

test('the stored config is served if the config itself is not stored completely', () => {
  const configs = openSyncConfigs('public');
  const { isStored, plans, evaluator, storing } = configs.of({
    id: 3,
    content: before,
    storedContent: `${edition}streams:\n${boats}`,
  });
  expect(isStored).toBe(false);
  expect(plans.map(({ name }) => name)).toEqual(['boats']);
  expect(evaluator.tables).toEqual(storing.evaluator.tables);
  expect(evaluator.bucketNames).toEqual(new Map([['boats', ['3#boats|0']]]));
});

describe('a deployment whose content is not stored completely', () => {
  const onlyBoats = `${edition}streams:\n${boats}`;
  const incomplete = { id: 3, content: before, storedContent: onlyBoats };
  const configs = openSyncConfigs('public');

  test.each([
    ['its own content', before],
    ['the stored content', onlyBoats],
    ['a part of its content', `${edition}streams:\n${crew}`],
    ['other content', `${before}${ports('*', 'ports')}`],
  ])('is not reused for %s', (_, content) => {
    expect(configs.coverageOf(configs.read(content), incomplete)).toBeUndefined();
    expect(configs.beside(incomplete, { id: 7, content })).toBeUndefined();
  });

  test('keeps everything that it stores', () => {
    const storedTexts = [
      { content: onlyBoats, names: ['3#boats|0'] },
      { content: `${edition}streams:\n${ports('*', 'ports')}`, from: 7, names: ['3.7#ports|0'] },
    ];
    expect(configs.needed({ ...incomplete, storedTexts })).toBeUndefined();
  });
});

test.each([
  ['ports', [{ content: `${edition}streams:\n${boats}${ports('*', 'ports')}`, names: ['3#boats|0'] }]],
  // The keys of its buckets cannot be distinguished from those of other streams.
  ["'ports['", undefined],
])('after the stream %s was removed, a deployment still needs %j', (name, needed) => {
  const configs = openSyncConfigs('public');
  const content = `${edition}streams:\n${boats}`;
  const storedContent = `${content}${ports('*', name)}`;
  expect(configs.needed({ id: 3, content, storedContent })).toEqual(needed);
});

function storedBy(content: string) {
  return namesOf(openSyncConfigs('public').of({ id: 3, content }).evaluator);
}

function coverage(one: string, other: string) {
  const configs = openSyncConfigs('public');
  return configs.coverageOf(configs.read(other), { id: 3, content: one });
}

function keptBy(one: string, other: string) {
  return namesOf(openSyncConfigs('public').of({ id: 3, content: other, storedContent: one }).evaluator);
}

type Names = Record<'bucketNames' | 'lookupNames', ReadonlyMap<string, unknown>>;

function namesOf({ bucketNames, lookupNames }: Names) {
  return { buckets: Object.fromEntries(bucketNames), lookups: Object.fromEntries(lookupNames) };
}
