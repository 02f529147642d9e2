/** Access tests that are larger than any user writes. Each is run, or an error explains why not. Only the benchmark has times. */
import { expect, test } from 'vitest';
import { coverTests } from '../../../server/engine/tests/coverage.ts';
import { readTests } from '../../../server/engine/tests/reading/readTests.ts';
import { runTests } from '../../../server/engine/tests/run.ts';
import { readTestSeeds } from '../../../server/engine/tests/seeds/readSeeds.ts';
import { problemsIn, roomsConfig, subjectOf } from '../../support/engine/accessTests.ts';

const head = 'config: sync.yaml\nusers: { ada: { id: u1, claims: { org: acme } } }\n';

function manyTests(count: number): string {
  const lines = Array.from({ length: count }, (_, at) => {
    const org = at === count - 2 ? 'other' : 'acme';
    return `  - { name: t${at}, rows: { rooms: [{ id: x${at}, org: ${org} }] }, expect: { ada: { rooms: { includes: [x${at}] } } } }\n`;
  });
  return `${head}tests:\n${lines.join('')}`;
}

test('Two thousand tests over a hundred thousand rows are run, and the failing one is reported', () => {
  const inserts = Array.from(
    { length: 100_000 },
    (_, at) => `INSERT INTO rooms (id, org) VALUES ('r${at}', 'org${at % 1_000}');`,
  );
  const { rows, problem } = readTestSeeds(inserts.join('\n'), undefined);
  expect([rows.length, problem]).toEqual([100_000, undefined]);
  const { file } = readTests(manyTests(2_000));
  const outcomes = runTests(file, subjectOf(roomsConfig), { seeds: rows });
  expect(
    outcomes.filter(({ failures }) => failures.length > 0).map(({ test: { name } }) => name.value),
  ).toEqual(['t1998']);
});

test('The line of a statement is reported correctly after a hundred thousand other statements', () => {
  const text = `${"INSERT INTO rooms (id) VALUES ('a');\n".repeat(100_000)}INSERT INTO rooms (id) VALUES (now());`;
  expect(readTestSeeds(text, undefined).problem).toContain('line 100001 has `now ( )`');
});

test('Ten thousand tests in one file are run, and the failing one is reported', () => {
  const text = manyTests(10_000);
  expect(problemsIn(text)).toEqual([]);
  const { file } = readTests(text);
  const outcomes = runTests(file, subjectOf(roomsConfig));
  expect(outcomes).toHaveLength(10_000);
  expect(
    outcomes.filter(({ failures }) => failures.length > 0).map(({ test: { name } }) => name.value),
  ).toEqual(['t9998']);
});

test('A test that is too long is cut off and reported, and the other tests are run', () => {
  const rows = Array.from({ length: 60_000 }, (_, at) => `{ id: r${at} }`).join(', ');
  const text = `${manyTests(3)}  - { name: long, rows: { rooms: [${rows}] }, expect: { ada: { rooms: all } } }\n`;
  expect(problemsIn(text)).toEqual([expect.stringMatching(/^yaml-too-long /)]);
  const outcomes = runTests(readTests(text).file, subjectOf(roomsConfig)).slice(0, 3);
  expect(outcomes.map(({ test: { name }, failures }) => [name.value, failures.length])).toEqual([
    ['t0', 0],
    ['t1', 1],
    ['t2', 0],
  ]);
});

test('Coverage also works with thousands of rows in one test', () => {
  const rows = Array.from({ length: 5_000 }, (_, at) => `{ id: r${at}, org: acme }`).join(', ');
  const { file } = readTests(
    `${head}rows: { rooms: [${rows}] }\ntests: [{ name: a, expect: { ada: { rooms: all } } }]\n`,
  );
  const { outcomes, streams } = coverTests(file, subjectOf(roomsConfig), { seeds: [] });
  expect(outcomes.flatMap(({ failures }) => failures)).toEqual([]);
  expect(streams.find(({ stream }) => stream === 'rooms')).toMatchObject({ given: 5_000, refused: 0 });
});
