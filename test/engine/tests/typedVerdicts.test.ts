/**
 * Verdicts on random claims about configs of every kind are compared with random worlds that keep the constraints of the tables. The
 * long form:
 *
 *     HEADWATER_VERDICT_PAIRS=2000 HEADWATER_VERDICT_WORLDS=200 npx vitest run --config vitest.config.mts \
 *       test/engine/tests/typedVerdicts.test.ts
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyze, readSqlFiles, severityOf } from '../../../server/engine/index.ts';
import { toSqlRow } from '../../../server/engine/plan/values/source.ts';
import { compareAccess } from '../../../server/engine/tests/search/access.ts';
import {
  classifyPlans,
  columnsByTable,
  questionOf,
  readClaimOf,
  searchClaim,
} from '../../../server/engine/tests/search/always.ts';
import type { SearchCandidate } from '../../../server/engine/tests/search/candidates.ts';
import { reachesDevice } from '../../../server/engine/tests/search/reaching.ts';
import { finish } from '../../../server/engine/tests/search/search.ts';
import { toTestSubject } from '../../../server/engine/tests/subject.ts';
import { type OpenJudge, openJudge } from '../../../server/shared/claimJudge.ts';
import { randomFrom } from '../../differential/random.ts';
import { claimOf, stopAfter } from '../../support/engine/claims.ts';
import { referenceEvaluation } from '../../support/engine/referenceRows.ts';
import {
  brokenConstraints,
  mutatedConfig,
  typedCase,
  typedTables,
  typedWorld,
} from '../../support/engine/typedAccess.ts';
import { casesOf } from '../../support/house/share.ts';

const pairs = Number(process.env.HEADWATER_VERDICT_PAIRS ?? casesOf(150));
const worlds = Number(process.env.HEADWATER_VERDICT_WORLDS ?? 60);
const isLong = process.env.HEADWATER_VERDICT_PAIRS !== undefined;
const limit = isLong ? { timeout: 0 } : {};

let sqlite: OpenJudge;
beforeAll(async () => {
  sqlite = await openJudge();
});
afterAll(() => sqlite.close());

const catalog = readSqlFiles([{ path: 'tables.sql', text: typedTables }])?.catalog;

function configOf(yaml: string) {
  const { config, findings } = analyze(yaml, { kind: 'sync', ...(catalog && { catalog }) });
  const errors = findings.filter(({ code }) => severityOf(code) === 'error');
  if (config === undefined || errors.length > 0) throw new Error(`${yaml}${JSON.stringify(errors)}`);
  return config;
}

/** Whether the reference sends the row to the user. */
async function reachesByReference(yaml: string, { rows, main, asking }: SearchCandidate): Promise<boolean> {
  const { options } = configOf(yaml).surroundings;
  const reference = referenceEvaluation(yaml);
  const own = new Set<string>();
  for (const row of rows) {
    const before = reference.outputs.length;
    reference.addRow(row.table, toSqlRow(row.values, options));
    if (row === main) for (const { bucket } of reference.outputs.slice(before)) own.add(bucket);
  }
  const { claims, parameters, subscriptions } = asking;
  const buckets = await reference.buckets({ claims, connection: parameters, subscriptions });
  return [...own].some((bucket) => buckets.has(bucket));
}

test('No possible world breaks a proven claim, and each counterexample is one', limit, async () => {
  const wrong: string[] = [];
  const seen = { proven: 0, refuted: 0, open: 0 };
  for (let seed = 1; seed <= pairs; seed++) {
    const { yaml, table, claim: holds } = typedCase(randomFrom(seed));
    const subject = toTestSubject(configOf(yaml));
    const claim = claimOf(table, holds);
    const result = finish(searchClaim(claim, subject, catalog, sqlite.judge, stopAfter(100)));
    const what = `seed ${seed}: ${yaml}${holds}`;
    const reading = readClaimOf(claim, classifyPlans(subject), { subject, catalog, source: table });
    const columns = columnsByTable(classifyPlans(subject), catalog, subject, reading.tables);
    const breaks = (candidate: SearchCandidate): boolean =>
      reachesDevice(candidate, subject, table) &&
      sqlite.judge(questionOf(candidate, claim, reading, columns, subject)) === 'does not hold';
    if (result.kind === 'unreadable') wrong.push(`unreadable: ${what}: ${result.reason}`);
    else if (result.kind === 'counterexample') {
      seen.refuted += 1;
      const { candidate } = result;
      if (!breaks(candidate) || !(await reachesByReference(yaml, candidate))) wrong.push(`unreal: ${what}`);
      for (const broken of brokenConstraints(candidate.rows)) wrong.push(`impossible ${broken}: ${what}`);
    } else {
      seen[result.kind === 'proven' ? 'proven' : 'open'] += 1;
      if (result.kind !== 'proven') continue;
      const random = randomFrom(seed);
      const tried = Array.from({ length: worlds }, () => typedWorld(random, table)).flat();
      if (tried.some(breaks)) wrong.push(`false proof: ${what}`);
    }
  }
  if (isLong) console.info(JSON.stringify(seen));
  expect(wrong).toEqual([]);
  expect(seen.proven).toBeGreaterThan(pairs / 5);
  expect(seen.refuted).toBeGreaterThan(pairs / 5);
});

test('Each gain and loss that is reported is possible, and none is missing from a proof', limit, async () => {
  const wrong: string[] = [];
  const seen = { changed: 0, proven: 0, open: 0 };
  for (let seed = 1; seed <= pairs / 3; seed++) {
    const random = randomFrom(seed);
    const { yaml, table } = typedCase(random);
    const other = mutatedConfig(random, yaml);
    const [before, after] = [yaml, other].map(configOf);
    if (before === undefined || after === undefined) continue;
    const { changes, isExhausted } = finish(compareAccess(before, after, catalog, () => stopAfter(50)));
    const what = `seed ${seed}: ${yaml}${other}`;
    for (const { kind, candidate } of changes) {
      if (!(await reachesByReference(kind === 'gained' ? other : yaml, candidate)))
        wrong.push(`unreal: ${what}`);
      for (const broken of brokenConstraints(candidate.rows)) wrong.push(`impossible ${broken}: ${what}`);
    }
    const [old, now] = [before, after].map((config) => toTestSubject(config));
    const isOneMissing = (candidate: SearchCandidate): boolean => {
      if (old === undefined || now === undefined) return false;
      const [had, has] = [old, now].map((subject) => reachesDevice(candidate, subject, table));
      return had !== has && !changes.some(({ kind }) => kind === (has ? 'gained' : 'lost'));
    };
    // A client can subscribe with any parameters, so a comparison with the same parameters shows no difference.
    if (isExhausted && !yaml.includes('subscription.')) {
      const tried = Array.from({ length: worlds }, () => typedWorld(random, table)).flat();
      if (tried.some(isOneMissing)) wrong.push(`missing: ${what}`);
    }
    seen[changes.length > 0 ? 'changed' : isExhausted ? 'proven' : 'open'] += 1;
  }
  if (isLong) console.info(JSON.stringify(seen));
  expect(wrong).toEqual([]);
  expect(seen.changed).toBeGreaterThan(pairs / 30);
  expect(seen.proven).toBeGreaterThan(pairs / 30);
});
