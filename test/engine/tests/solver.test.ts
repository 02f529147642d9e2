/**
 * Verdicts on random claims are compared with a solver, which answers the same question by other means. The long form:
 *
 *     HEADWATER_VERDICT_PAIRS=1000 npx vitest run --config vitest.config.mts test/engine/tests/solver.test.ts
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyze, readSqlFiles, severityOf } from '../../../server/engine/index.ts';
import { searchClaim } from '../../../server/engine/tests/search/always.ts';
import { finish } from '../../../server/engine/tests/search/search.ts';
import { toTestSubject } from '../../../server/engine/tests/subject.ts';
import { type OpenJudge, openJudge } from '../../../server/shared/claimJudge.ts';
import { randomFrom } from '../../differential/random.ts';
import { claimOf, stopAfter } from '../../support/engine/claims.ts';
import {
  openSolver,
  type Solvable,
  type Solver,
  solvable,
  solvableClaim,
  solvablePairs,
} from '../../support/engine/solver.ts';
import { casesOf, someOf } from '../../support/house/share.ts';

const pairs = Number(process.env.HEADWATER_VERDICT_PAIRS ?? casesOf(60));
const isLong = process.env.HEADWATER_VERDICT_PAIRS !== undefined;
const limit = isLong ? { timeout: 0 } : {};

let sqlite: OpenJudge;
let solver: Solver;
beforeAll(async () => {
  [sqlite, solver] = await Promise.all([openJudge(), openSolver()]);
});
afterAll(async () => {
  sqlite?.close();
  await solver?.close();
});

/** The solver knows the types of columns, so the search must also know them. */
const catalog = readSqlFiles([
  {
    path: 'tables.sql',
    text: `CREATE TABLE docs (id text PRIMARY KEY, owner text, org text, kind text, n int, day text);
CREATE TABLE members (id text PRIMARY KEY, doc text, who text, team text);`,
  },
])?.catalog;

type Question = readonly [Solvable, Omit<Solvable, 'condition'>];

/** Returns the wrong verdicts, and the number of questions for each verdict. */
async function judge(questions: readonly Question[]) {
  const wrong: string[] = [];
  const seen = { proven: 0, refuted: 0, open: 0, provable: 0 };
  for (const [given, asked] of questions) {
    const yaml = `config: { edition: 3 }\nstreams:\n  s0:\n    auto_subscribe: true\n    accept_potentially_dangerous_queries: true\n    query: ${JSON.stringify(`SELECT * FROM docs WHERE ${given.condition}`)}\n`;
    const { config, findings } = analyze(yaml, { kind: 'sync', ...(catalog && { catalog }) });
    if (config === undefined || findings.some(({ code }) => severityOf(code) === 'error')) continue;
    const claim = claimOf('docs', asked.claim);
    const { kind } = finish(searchClaim(claim, toTestSubject(config), catalog, sqlite.judge, stopAfter(300)));
    const isFalse = await solver.isPossible(`(and ${given.formula} (not ${asked.formula}))`);
    const what = `${given.condition} | ${asked.claim}`;
    if (!isFalse) seen.provable += 1;
    if (kind === 'proven') {
      seen.proven += 1;
      if (isFalse) wrong.push(`false proof: ${what}`);
    } else if (kind === 'counterexample') {
      seen.refuted += 1;
      if (!isFalse) wrong.push(`false counterexample: ${what}`);
    } else seen.open += 1;
  }
  if (isLong) console.info(JSON.stringify(seen));
  return { wrong, seen };
}

test('A solver agrees with each verdict on a claim', limit, async () => {
  const questions = Array.from({ length: pairs }, (_, seed): Question => {
    const random = randomFrom(seed + 1);
    const given = solvable(random, 2);
    return [given, random.chance(0.5) ? widened(given, solvable(random, 1)) : solvableClaim(random)];
  });
  const { wrong, seen } = await judge(questions);
  expect(wrong).toEqual([]);
  expect(seen.proven).toBeGreaterThanOrEqual(0.7 * seen.provable);
  expect(seen.refuted).toBeGreaterThan(pairs / 10);
  expect(seen.provable).toBeGreaterThan(pairs / 10);
});

test('A solver agrees on each pair of bounds', limit, async () => {
  const { wrong, seen } = await judge(someOf(solvablePairs()));
  expect(wrong).toEqual([]);
  expect(seen.open).toBe(0);
});

/** Returns a claim that the condition implies. */
function widened<T extends { readonly claim: string; readonly formula: string }>(one: T, other: T) {
  return { claim: `(${one.claim} OR ${other.claim})`, formula: `(or ${one.formula} ${other.formula})` };
}
