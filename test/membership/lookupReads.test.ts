/**
 * Compares how many buckets and results a request has with the numbers of the reference, for random configs, rows and
 * requests.
 */
import { expect, test } from 'vitest';
import { analyze, severityOf } from '../../server/engine/index.ts';
import { referencePlansOf } from '../../server/engine/limits/referencePlans.ts';
import { toConfigEvaluator } from '../../server/engine/plan/evaluate/evaluate.ts';
import { type Random, randomFrom } from '../differential/random.ts';
import { referenceOpinion } from '../differential/reference.ts';
import { finish } from '../support/engine/evaluation.ts';
import { referenceEvaluation } from '../support/engine/referenceRows.ts';
import { casesOf } from '../support/house/share.ts';
import { askFor, configOf, ourMembership, referenceMembership, sqlRow, syncRequest } from './engines.ts';
import { readsOneListTwice } from './explained.ts';
import { olderConfig, type RandomConfig } from './older.ts';
import { type Query, query } from './query.ts';
import { type World, world } from './world.ts';

const cases = Number(process.env.HEADWATER_LIMITS_CASES ?? casesOf(120));
const seed = Number(process.env.HEADWATER_LIMITS_SEED ?? 1);

interface Counts {
  readonly results: number;
  readonly buckets: number;
}

test(`${cases} random configs from seed ${seed} have as many results and buckets as in the reference`, {}, async () => {
  const outcome = { compared: 0, withResults: 0, explained: new Map<string, number>() };
  const differences: string[] = [];
  for (let at = seed; at < seed + cases; at++) {
    const random = randomFrom(at);
    const scene = world(random);
    const config = randomConfig(random);
    const ours = ourCounts(config, scene);
    if (ours === undefined) continue;
    const theirs = await referenceCounts(config, scene);
    for (const [index, request] of scene.requests.entries()) {
      outcome.compared += 1;
      const pair = { ours: ours[index] as Counts, theirs: theirs[index] as Counts };
      if (pair.theirs.results > 0) outcome.withResults += 1;
      if (pair.ours.results === pair.theirs.results && pair.ours.buckets === pair.theirs.buckets) continue;
      const reason = explain(config.text, scene, pair);
      if (reason === undefined)
        differences.push(`seed ${at}\n${config.text}${JSON.stringify(request)}\n${JSON.stringify(pair)}`);
      else outcome.explained.set(reason, (outcome.explained.get(reason) ?? 0) + 1);
    }
  }
  expect(differences.join('\n\n')).toBe('');
  expect(outcome.withResults / outcome.compared).toBeGreaterThan(0.1);
  // A single seed may have only known differences.
  if (cases > 20) expect(sumOf(outcome.explained.values()) / outcome.compared).toBeLessThan(0.05);
  if (process.env.HEADWATER_LIMITS_CASES !== undefined) console.info(outcome);
});

test('alternatives with the same keys share their buckets; the reference keeps some of them apart, with the same rows', async () => {
  // A reduced form of seed 2668, with four alternatives. In the reference, both that end in `boat` have a bucket for each
  // org of the user.
  const stream =
    "SELECT a.id, a.n FROM ports AS a WHERE (subscription.parameter('org') IN a.list OR a.org = subscription.parameter('org')) AND (a.n < 0 OR a.boat IN auth.parameter('orgs'))";
  const text = configOf([[{ stream, ctes: {} } as Query]]);
  const row = { kind: null, n: 1 };
  const rows: World['rows'] = [
    { table: 'ports', record: { ...row, id: 'p1', org: 'o1', boat: 'u1', list: '[]' } },
    { table: 'ports', record: { ...row, id: 'p2', org: 'o2', boat: 'u2', list: '["o1"]' } },
  ];
  const claims = { sub: 'k', orgs: ['u1', 'u2'] };
  const requests = [{ claims, connection: {}, parameters: { org: 'o1' } }] as World['requests'];
  const scene: World = { rows, requests };
  const config = { text, streams: 1 };
  expect(ourCounts(config, scene)).toEqual([{ results: 0, buckets: 3 }]);
  expect(await referenceCounts(config, scene)).toEqual([{ results: 0, buckets: 5 }]);
  expect(ourMembership(text, 1, scene)).toEqual([['p1', 'p2']]);
  expect(await referenceMembership(text, 1, scene)).toEqual([['p1', 'p2']]);
});

function randomConfig(random: Random): RandomConfig {
  if (random.chance(0.2)) return olderConfig(random);
  let count = 0;
  const one = () => query(random, `cte${count++}_`);
  const streams = random.times(1, 3, () => random.times(1, 2, one));
  return { text: configOf(streams), streams: streams.length };
}

/** Returns undefined for a config that one of the two engines refuses. */
function ourCounts(
  { text, streams }: RandomConfig,
  { rows, requests }: World,
): readonly Counts[] | undefined {
  const { config, findings } = analyze(text, { kind: 'sync', defaultSchema: 'public' });
  if (config === undefined || findings.some(({ code }) => severityOf(code) === 'error')) return undefined;
  if (referenceOpinion(text).verdict !== 'valid') return undefined;
  const evaluator = toConfigEvaluator(referencePlansOf(config), { options: config.surroundings.options });
  const entries = rows.flatMap(
    ({ table, record }) =>
      evaluator.rowsOf({ tag: 'default', schema: 'public', name: table })(sqlRow(record)).entries,
  );
  return requests.map((request) => {
    const asked = syncRequest(request, streams);
    const reads = finish(evaluator.referenceReads(asked), entries);
    const { buckets } = finish(evaluator.request(asked), entries);
    return { results: sumOf(reads.map(({ results }) => results)), buckets: buckets.length };
  });
}

async function referenceCounts(
  { text, streams }: RandomConfig,
  { rows, requests }: World,
): Promise<Counts[]> {
  const evaluation = referenceEvaluation(text);
  for (const { table, record } of rows) evaluation.addRow(table, sqlRow(record));
  return Promise.all(
    requests.map(async (request) => {
      const asked = askFor(request, streams);
      return {
        results: await evaluation.results(asked),
        buckets: (await evaluation.buckets(asked)).size,
      };
    }),
  );
}

/** Returns the reason for a known difference. None of these differences is large. */
function explain(
  config: string,
  { rows }: World,
  { ours, theirs }: { ours: Counts; theirs: Counts },
): string | undefined {
  const isOlder = !config.includes('edition: 3');
  const hasNull = rows.some(({ record }) => Object.values(record).includes(null));
  if (isOlder && hasNull && ours.results < theirs.results)
    return 'before edition 3, the reference stores and counts values that are NULL, which lead nowhere';
  if (isOlder && ours.buckets < theirs.buckets && ours.results === theirs.results)
    return 'before edition 3, the reference gives a bucket without rows for a value that the request lacks';
  if (ours.results === theirs.results && ours.buckets < theirs.buckets && / OR .+ AND .+ OR /.test(config))
    return 'ways to one row that hold the same rows share their buckets here, where ORs are multiplied out';
  if (readsOneListTwice(config))
    return 'two conditions over one list: the reference wants one element that meets both';
  return undefined;
}

function sumOf(counts: Iterable<number>): number {
  return [...counts].reduce((sum, count) => sum + count, 0);
}
