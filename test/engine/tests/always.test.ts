/** The search for counterexamples is tested with known leaks, and compared with a plain loop over all small databases. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTests } from '../../../server/engine/tests/reading/readTests.ts';
import { runTests } from '../../../server/engine/tests/run.ts';
import { type ClaimSearch, questionOf, searchClaim } from '../../../server/engine/tests/search/always.ts';
import type { SearchCandidate } from '../../../server/engine/tests/search/candidates.ts';
import { readClaim } from '../../../server/engine/tests/search/claim.ts';
import { openClasses } from '../../../server/engine/tests/search/classes.ts';
import { reachesDevice } from '../../../server/engine/tests/search/reaching.ts';
import { finish } from '../../../server/engine/tests/search/search.ts';
import { witnessName, writeTest } from '../../../server/engine/tests/search/writeTest.ts';
import type { TestSubject } from '../../../server/engine/tests/subject.ts';
import type { AlwaysClaim } from '../../../server/engine/tests/testFile.ts';
import { type OpenJudge, openJudge } from '../../../server/shared/claimJudge.ts';
import { randomFrom } from '../../differential/random.ts';
import { subjectOf } from '../../support/engine/accessTests.ts';
import { claimOf, stopAfter } from '../../support/engine/claims.ts';
import { randomClaim, randomQuery, smallWorlds } from '../../support/engine/smallWorlds.ts';
import { casesOf } from '../../support/house/share.ts';

let sqlite: OpenJudge;
beforeAll(async () => {
  sqlite = await openJudge();
});
afterAll(() => sqlite.close());

/** The limit of a search is a number of looks at the clock instead of a time. */
const mostLooks = 4_000;

function search(subject: TestSubject, claim: AlwaysClaim): ClaimSearch {
  return finish(searchClaim(claim, subject, undefined, sqlite.judge, stopAfter(mostLooks)));
}

function streams(...queries: readonly string[]): string {
  const texts = queries.map(
    (query, index) =>
      `  s${index}:\n    auto_subscribe: ${!query.includes('subscription.')}\n    accept_potentially_dangerous_queries: true\n    query: ${JSON.stringify(query)}\n`,
  );
  return `config: { edition: 3 }\nstreams:\n${texts.join('')}`;
}

/** Whether the counterexample, written as a test, read again and run, shows the row that the user must not get. */
function showsInARun(subject: TestSubject, claim: AlwaysClaim, candidate: SearchCandidate): boolean {
  const { user, lines } = writeTest('it', claim.table.value, candidate);
  const text = `config: x\nusers:\n  ${user}\ntests:\n${lines.map((line, index) => `  ${index === 0 ? '- ' : '  '}${line}`).join('\n')}\n`;
  const { file, findings } = readTests(text);
  if (findings.length > 0) throw new Error(`${text}${JSON.stringify(findings)}`);
  return runTests(file, subject).some(({ failures }) =>
    failures.some(({ message }) =>
      message.startsWith(`${witnessName} gets ${claim.table.value} ${candidate.main.id}`),
    ),
  );
}

function violates(subject: TestSubject, claim: AlwaysClaim, candidate: SearchCandidate): boolean {
  if (!reachesDevice(candidate, subject)) return false;
  const reading = readClaim({ table: claim.table.value, holds: claim.holds.value }, openClasses(), {
    has: () => 'maybe',
    spell: (_, column) => column,
    source: claim.table.value,
    isBoolean: () => false,
  });
  const columns = new Map([
    ['boats', new Set(['id', 'owner', 'org'])],
    ['crew', new Set(['id', 'boat', 'owner', 'org'])],
  ]);
  return sqlite.judge(questionOf(candidate, claim, reading, columns, subject)) === 'does not hold';
}

describe('A leak is found', () => {
  test.each([
    ['a missing condition on the user', 'SELECT * FROM boats', 'owner = auth.user_id()'],
    ['another column', 'SELECT * FROM boats WHERE org = auth.user_id()', 'owner = auth.user_id()'],
    ['an OR', "SELECT * FROM boats WHERE owner = auth.user_id() OR kind = 'open'", 'owner = auth.user_id()'],
    [
      'one additional value in a list',
      "SELECT * FROM boats WHERE kind IN ARRAY['open', 'shared']",
      "kind = 'open'",
    ],
    ['a bound that is off by one', 'SELECT * FROM boats WHERE n >= 10', 'n > 10'],
    ['NULL', "SELECT * FROM boats WHERE NOT (kind = 'secret')", "kind <> 'secret'"],
    [
      'a lookup without the user',
      'SELECT * FROM boats WHERE id IN (SELECT boat FROM crew WHERE owner = boats.owner)',
      'EXISTS (SELECT 1 FROM crew WHERE crew.boat = boats.id AND crew.owner = auth.user_id())',
    ],
    [
      'a user who is banned',
      'SELECT * FROM boats WHERE owner = auth.user_id()',
      'NOT EXISTS (SELECT 1 FROM bans WHERE bans.who = auth.user_id())',
    ],
    [
      'a user who is banned according to NOT IN',
      'SELECT * FROM boats WHERE owner = auth.user_id()',
      'auth.user_id() NOT IN (SELECT who FROM bans)',
    ],
    [
      'a value that the client chooses',
      "SELECT * FROM boats WHERE owner = connection.parameter('me')",
      'owner = auth.user_id()',
    ],
    [
      'a subscription',
      "SELECT * FROM boats WHERE org = subscription.parameter('org')",
      "org = auth.parameter('org')",
    ],
    ['elements of a row', 'SELECT * FROM boats WHERE auth.user_id() IN crew', 'owner = auth.user_id()'],
    [
      'elements of a claim',
      "SELECT * FROM boats WHERE org IN auth.parameter('orgs')",
      "org = auth.parameter('org')",
    ],
    ['JSON in a row', "SELECT * FROM boats WHERE doc ->> 'owner' = auth.user_id()", 'owner = auth.user_id()'],
    [
      'two rows of one table',
      'SELECT * FROM boats WHERE owner IN (SELECT owner FROM boats WHERE org = auth.user_id())',
      'org = auth.user_id()',
    ],
  ])('that is caused by %s', (_, query, holds) => {
    const subject = subjectOf(streams(query));
    const claim = claimOf('boats', holds);
    const result = search(subject, claim);
    expect(result.kind).toBe('counterexample');
    if (result.kind === 'counterexample') expect(showsInARun(subject, claim, result.candidate)).toBe(true);
  });

  test('with only the rows and values that it needs', () => {
    const query = `SELECT * FROM boats WHERE kind = 'a' AND org IN (SELECT org FROM crew WHERE owner = auth.user_id() AND n = 1)`;
    const result = search(
      subjectOf(streams(query)),
      claimOf(
        'boats',
        "EXISTS (SELECT 1 FROM crew WHERE crew.org = boats.org AND crew.owner = auth.user_id() AND crew.role = 'captain')",
      ),
    );
    expect(result.kind === 'counterexample' && writeTest('it', 'boats', result.candidate)).toEqual({
      user: 'witness: { id: owner1 }',
      lines: [
        'name: "it"',
        'rows:',
        '  boats: [{ id: boat-1, kind: a, org: org1 }]',
        '  crew: [{ id: crew-1, "n": 1, owner: owner1, org: org1 }]',
        'expect: { witness: { boats: { excludes: [boat-1] } } }',
      ],
    });
  });
});

test('A counterexample names the row by the id that clients get', () => {
  const subject = subjectOf(streams('SELECT owner AS id, kind FROM boats WHERE owner = auth.user_id()'));
  const result = search(subject, claimOf('boats', "kind = 'a'"));
  expect(result.kind === 'counterexample' && writeTest('it', 'boats', result.candidate).lines).toEqual([
    'name: "it"',
    'rows:',
    '  boats: [{ owner: owner1 }]',
    'expect: { witness: { boats: { excludes: [owner1] } } }',
  ]);
});

describe('A claim that holds is proven', () => {
  test.each([
    ['SELECT * FROM boats WHERE owner = auth.user_id()', 'owner = auth.user_id()'],
    ["SELECT * FROM boats WHERE kind = 'a' AND n > 3", "kind IN ('a', 'b') AND n >= 3"],
    [
      'SELECT * FROM boats WHERE id IN (SELECT boat FROM crew WHERE owner = auth.user_id())',
      'id IN (SELECT boat FROM crew WHERE crew.owner = auth.user_id())',
    ],
    [
      "SELECT * FROM boats WHERE org IN auth.parameter('orgs')",
      "org IN (SELECT value FROM json_each(auth.parameter('orgs')))",
    ],
  ])('%s', (query, holds) => {
    expect(search(subjectOf(streams(query)), claimOf('boats', holds))).toMatchObject({
      kind: 'proven',
    });
  });

  test('unless a subquery counts rows', () => {
    const result = search(
      subjectOf(streams('SELECT * FROM boats WHERE owner = auth.user_id()')),
      claimOf('boats', '(SELECT count(*) FROM crew) < 100'),
    );
    expect(result).toMatchObject({ kind: 'not refuted', limits: expect.arrayContaining(['subqueries']) });
  });

  test('unless SQLite cannot read it, which is reported', () => {
    const subject = subjectOf(streams('SELECT * FROM boats'));
    expect(search(subject, claimOf('boats', 'owner = = 1')).kind).toBe('unreadable');
    expect(search(subject, claimOf('boats', 'EXISTS (SELECT 1 FROM')).kind).toBe('unreadable');
    expect(search(subject, claimOf('boats', '1) OR (1')).kind).not.toBe('crash');
  });
});

describe('A plain loop over all small databases', () => {
  const cases = Number(process.env.HEADWATER_SEARCH_CASES ?? casesOf(300));
  const seed = 4_100;
  // More cases in one test could exceed its time limit on a slow machine.
  const casesOfTest = 10;
  const blocks = Array.from({ length: Math.ceil(cases / casesOfTest) }, (_, block) => {
    const first = seed + block * casesOfTest;
    return { first, last: Math.min(first + casesOfTest, seed + cases) - 1 };
  });
  let tried = 0;
  let violated = 0;

  test.each(blocks)('finds no leak that the search misses, with seeds $first to $last', (block) => {
    const missed: string[] = [];
    const unreal: string[] = [];
    for (let at = block.first; at <= block.last; at++) {
      const random = randomFrom(at);
      const query = randomQuery(random);
      const holds = randomClaim(random, 2);
      const subject = subjectOf(streams(query));
      const claim = claimOf('boats', holds);
      const inLoop = smallWorlds.find((candidate) => violates(subject, claim, candidate));
      const result = search(subject, claim);
      tried += 1;
      if (inLoop !== undefined) violated += 1;
      const what = `seed ${at}: ${query} | ${holds}`;
      if (inLoop !== undefined && result.kind !== 'counterexample')
        missed.push(`${what} | ${JSON.stringify(result)}`);
      if (result.kind === 'unreadable') missed.push(`${what} | ${result.reason}`);
      if (
        result.kind === 'counterexample' &&
        !(showsInARun(subject, claim, result.candidate) && violates(subject, claim, result.candidate))
      )
        unreal.push(what);
    }
    expect({ missed, unreal }).toEqual({ missed: [], unreal: [] });
  });

  test('finds a leak in more than a quarter of the pairs, but not in all', () => {
    expect(violated).toBeGreaterThan(tried / 4);
    expect(violated).toBeLessThan(tried);
  });
});
