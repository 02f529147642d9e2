/**
 * Verdicts on random claims and changes are compared with random worlds: no proven claim is false, and the reference
 * confirms each refutation. The long form:
 *
 *     HEADWATER_VERDICT_PAIRS=1000 HEADWATER_VERDICT_WORLDS=500 npx vitest run --config vitest.config.mts \
 *       test/engine/tests/randomVerdicts.test.ts
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyze, type Config, severityOf } from '../../../server/engine/index.ts';
import { toSqlRow } from '../../../server/engine/plan/values/source.ts';
import { compareAccess } from '../../../server/engine/tests/search/access.ts';
import { questionOf, searchClaim } from '../../../server/engine/tests/search/always.ts';
import type { SearchCandidate } from '../../../server/engine/tests/search/candidates.ts';
import { readClaim } from '../../../server/engine/tests/search/claim.ts';
import { openClasses } from '../../../server/engine/tests/search/classes.ts';
import { reachesDevice } from '../../../server/engine/tests/search/reaching.ts';
import { finish } from '../../../server/engine/tests/search/search.ts';
import { type TestSubject, toTestSubject } from '../../../server/engine/tests/subject.ts';
import { type OpenJudge, openJudge } from '../../../server/shared/claimJudge.ts';
import { randomFrom } from '../../differential/random.ts';
import { claimOf, stopAfter } from '../../support/engine/claims.ts';
import {
  anyCondition,
  claimFor,
  decidable,
  devicesIn,
  randomWorld,
} from '../../support/engine/randomAccess.ts';
import { referenceEvaluation } from '../../support/engine/referenceRows.ts';
import { casesOf } from '../../support/house/share.ts';

const pairs = Number(process.env.HEADWATER_VERDICT_PAIRS ?? casesOf(60));
const worlds = Number(process.env.HEADWATER_VERDICT_WORLDS ?? 60);
const isLong = process.env.HEADWATER_VERDICT_PAIRS !== undefined;
const limit = isLong ? { timeout: 0 } : {};

let sqlite: OpenJudge;
beforeAll(async () => {
  sqlite = await openJudge();
});
afterAll(() => sqlite.close());

function yamlOf(condition: string, columns = '*'): string {
  return `config: { edition: 3 }\nstreams:\n  s0:\n    auto_subscribe: true\n    accept_potentially_dangerous_queries: true\n    query: ${JSON.stringify(`SELECT ${columns} FROM docs WHERE ${condition}`)}\n`;
}

function configOf(yaml: string): Config | undefined {
  const { config, findings } = analyze(yaml, { kind: 'sync' });
  return findings.some(({ code }) => severityOf(code) === 'error') ? undefined : config;
}

const limits = () => stopAfter(300);

const columns = new Map([
  ['docs', new Set(['id', 'owner', 'org', 'kind', 'n', 'day'])],
  ['members', new Set(['id', 'doc', 'who', 'team'])],
]);

/** Whether a row in one of the random worlds breaks the claim. */
function isBroken(subject: TestSubject, holds: string, seed: number): boolean {
  const claim = claimOf('docs', holds);
  const reading = readClaim({ table: 'docs', holds }, openClasses(), {
    has: () => 'maybe',
    spell: (_, column) => column,
    source: 'docs',
    isBoolean: () => false,
  });
  const random = randomFrom(seed);
  return Array.from({ length: worlds }, () => randomWorld(random)).some((world) =>
    world.some(
      (candidate) =>
        reachesDevice(candidate, subject) &&
        sqlite.judge(questionOf(candidate, claim, reading, columns, subject)) === 'does not hold',
    ),
  );
}

/** Whether the reference sends the row to the user. */
async function reachesByReference(
  yaml: string,
  { rows, main, asking }: SearchCandidate,
  options: Config['surroundings']['options'],
) {
  const reference = referenceEvaluation(yaml);
  const own = new Set<string>();
  for (const row of rows) {
    const before = reference.outputs.length;
    reference.addRow(row.table, toSqlRow(row.values, options));
    if (row === main) for (const { bucket } of reference.outputs.slice(before)) own.add(bucket);
  }
  const request = { claims: asking.claims, connection: asking.parameters, subscriptions: [] };
  const buckets = await reference.buckets(request);
  return [...own].some((bucket) => buckets.has(bucket));
}

test(
  'No random world breaks a proven claim, and the reference confirms each counterexample',
  limit,
  async () => {
    const wrong: string[] = [];
    const seen = { proven: 0, refuted: 0, open: 0, trueAndDecidable: 0, trueAndProven: 0 };
    for (let seed = 1; seed <= pairs; seed++) {
      const random = randomFrom(seed);
      const condition = anyCondition(random);
      const holds = claimFor(random, condition);
      const yaml = yamlOf(condition);
      const config = configOf(yaml);
      if (config === undefined) continue;
      const subject = toTestSubject(config);
      const result = finish(searchClaim(claimOf('docs', holds), subject, undefined, sqlite.judge, limits()));
      const what = `seed ${seed}: ${condition} | ${holds}`;
      if (result.kind === 'unreadable') wrong.push(`unreadable: ${what}: ${result.reason}`);
      else if (result.kind === 'counterexample') {
        seen.refuted += 1;
        const isReal = await reachesByReference(yaml, result.candidate, config.surroundings.options);
        if (!isReal) wrong.push(`unreal: ${what}`);
      } else {
        const isFalse = isBroken(subject, holds, seed);
        seen[result.kind === 'proven' ? 'proven' : 'open'] += 1;
        if (isFalse && result.kind === 'proven') wrong.push(`false proof: ${what}`);
        const isDecidable = result.limits.every((each) => each === 'time' || each === 'size');
        if (!isFalse && isDecidable) {
          seen.trueAndDecidable += 1;
          if (result.kind === 'proven') seen.trueAndProven += 1;
        }
      }
    }
    if (isLong) console.info(`claims: ${JSON.stringify(seen)}`);
    expect(wrong).toEqual([]);
    expect(seen.trueAndProven).toBeGreaterThanOrEqual(0.7 * seen.trueAndDecidable);
    expect(seen.proven).toBeGreaterThan(pairs / 20);
    expect(seen.refuted).toBeGreaterThan(pairs / 10);
  },
);

test('Two configs that differ in a random world are never proven to be the same', limit, () => {
  const wrong: string[] = [];
  const seen = { different: 0, found: 0, proven: 0 };
  for (let seed = 1; seed <= pairs / 2; seed++) {
    const random = randomFrom(seed);
    const condition = anyCondition(random);
    const [before, after] = random.chance(0.2)
      ? [
          yamlOf(condition, 'id, owner'),
          yamlOf(condition, random.pick(['id, owner, org', '*', 'id, org AS owner'])),
        ]
      : [yamlOf(condition), yamlOf(random.chance(0.5) ? anyCondition(random) : `(${condition}) AND n > 3`)];
    const [old, now] = [configOf(before), configOf(after)];
    if (old === undefined || now === undefined) continue;
    const result = finish(compareAccess(old, now, undefined, limits));
    const [one, other] = [old, now].map((config) => devicesIn(config, seed, worlds).join('\n'));
    if (one !== other) seen.different += 1;
    if (result.changes.length > 0) seen.found += 1;
    else if (result.isExhausted) {
      seen.proven += 1;
      if (one !== other) wrong.push(`seed ${seed}: ${before} ${after}`);
    }
  }
  if (isLong) console.info(`changes: ${JSON.stringify(seen)}`);
  expect(wrong).toEqual([]);
  expect(seen.different).toBeGreaterThan(pairs / 10);
  expect(seen.found).toBeGreaterThanOrEqual(0.9 * seen.different);
});

test('A condition that is written in another way is proven to be equivalent', limit, () => {
  const wrong: string[] = [];
  const seen = { proven: 0, open: 0 };
  for (let seed = 1; seed <= pairs / 2; seed++) {
    const { one, other } = decidable(randomFrom(seed), 2);
    const [old, now] = [configOf(yamlOf(one)), configOf(yamlOf(other))];
    if (old === undefined || now === undefined) continue;
    const { changes, isExhausted } = finish(compareAccess(old, now, undefined, limits));
    if (changes.length > 0) wrong.push(`seed ${seed}: ${one} | ${other}`);
    seen[isExhausted ? 'proven' : 'open'] += 1;
  }
  if (isLong) console.info(`rewritten: ${JSON.stringify(seen)}`);
  expect(wrong).toEqual([]);
  expect(seen.proven).toBeGreaterThanOrEqual(0.9 * (seen.proven + seen.open));
});
