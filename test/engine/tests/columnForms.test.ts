/** Verdicts on claims about dates and UUIDs are right for all values of these types, and the search tries only these. */
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyze, readSqlFiles } from '../../../server/engine/index.ts';
import { searchClaim } from '../../../server/engine/tests/search/always.ts';
import { finish } from '../../../server/engine/tests/search/search.ts';
import { toTestSubject } from '../../../server/engine/tests/subject.ts';
import { type OpenJudge, openJudge } from '../../../server/shared/claimJudge.ts';
import { type Random, randomFrom } from '../../differential/random.ts';
import { claimOf, stopAfter } from '../../support/engine/claims.ts';
import { casesOf } from '../../support/house/share.ts';

let judge: OpenJudge;
beforeAll(async () => {
  judge = await openJudge();
});
afterAll(() => judge.close());

const catalog = readSqlFiles([
  { path: 'tables.sql', text: 'CREATE TABLE rides (id uuid, rider uuid, day date, back date);' },
])?.catalog;

function verdictOf(condition: string, holds: string) {
  const text = `config: { edition: 3 }\nstreams:\n  s:\n    auto_subscribe: true\n    query: ${JSON.stringify(`SELECT * FROM rides WHERE ${condition}`)}\n`;
  const { config } = analyze(text, { kind: 'sync', catalog });
  if (config === undefined) throw new Error(text);
  const claim = claimOf('rides', holds);
  return finish(searchClaim(claim, toTestSubject(config), catalog, judge.judge, stopAfter(1_000)));
}

/** Adjacent days, and days with gaps of one day or more between them. */
const constants = ['2024-02-28', '2024-02-29', '2024-03-01', '2024-03-03', '2024-06-01'];

function comparison(random: Random): string {
  const column = random.pick(['day', 'day', 'back']);
  return random.choose<string>([
    [6, () => `${column} ${random.pick(['<', '<=', '>', '>=', '=', '<>'])} '${random.pick(constants)}'`],
    [2, () => `${column} BETWEEN '${random.pick(constants)}' AND '${random.pick(constants)}'`],
    [1, () => `${column} IS ${random.pick(['', 'NOT '])}NULL`],
    [1, () => 'day = back'],
  ]);
}

function conditionOf(random: Random): string {
  return random.times(1, 3, () => comparison(random)).join(random.pick([' AND ', ' OR ']));
}

/** Days before, on and after each constant, and NULL. */
const days: readonly (string | null)[] = [
  null,
  ...['0001-01-01', '2024-02-27', '2024-02-28', '2024-02-29', '2024-03-01', '2024-03-02', '2024-03-03'],
  ...['2024-03-04', '2024-04-01', '2024-05-31', '2024-06-01', '2024-06-02', '9999-12-31'],
];

test('A claim about dates is proven if and only if no date violates it, and the query sends any', () => {
  const sqlite = new DatabaseSync(':memory:');
  const seen = { proven: 0, refuted: 0 };
  for (let seed = 1; seed <= casesOf(200); seed += 1) {
    const random = randomFrom(seed);
    const [condition, holds] = [conditionOf(random), conditionOf(random)];
    const result = verdictOf(condition, holds);
    const rows = days.flatMap((day) => days.map((back) => [day, back] as const));
    // NULL differs from every constant in a config.
    const isSynced = condition.replaceAll('<>', 'IS NOT');
    const statement = sqlite.prepare(
      `SELECT 1 FROM (SELECT ? AS day, ? AS back) WHERE (${isSynced}) AND (${holds}) IS NOT TRUE`,
    );
    const isBroken = rows.some(([day, back]) => statement.get(day, back) !== undefined);
    const sent = sqlite.prepare(`SELECT 1 FROM (SELECT ? AS day, ? AS back) WHERE ${isSynced}`);
    const isSent = rows.some(([day, back]) => sent.get(day, back) !== undefined);
    const expected = isBroken ? 'counterexample' : isSent ? 'proven' : 'not refuted';
    // An OR may have a branch that sends nothing.
    const kinds =
      expected === 'proven' && condition.includes(' OR ') ? [expected, 'not refuted'] : [expected];
    expect([seed, condition, holds, result.kind]).toEqual([seed, condition, holds, expect.toBeOneOf(kinds)]);
    seen[isBroken ? 'refuted' : 'proven'] += 1;
    if (result.kind !== 'counterexample') continue;
    const { day, back } = result.candidate.main.values;
    for (const value of [day ?? null, back ?? null])
      expect(value ?? '2024-01-01').toMatch(/^\d{4}-\d\d-\d\d$/);
  }
  sqlite.close();
  expect(Math.min(seen.proven, seen.refuted)).toBeGreaterThan(casesOf(200) / 20);
});

test.each([
  'rider = auth.user_id()',
  "rider = auth.parameter('rider')",
  "id = '00000000-0000-4000-8000-00000000000a'",
])('A counterexample has a valid UUID: %s', (condition) => {
  const result = verdictOf(condition, "day < '2024-01-01'");
  expect(result.kind).toBe('counterexample');
  if (result.kind !== 'counterexample') return;
  const { id, rider } = result.candidate.main.values;
  expect(condition.startsWith('id') ? id : rider).toMatch(/^[\da-f]{8}-[\da-f-]{22}[\da-f]{5}$/);
});
