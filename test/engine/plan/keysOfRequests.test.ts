import { expect, test } from 'vitest';
import { toConfigEvaluator } from '../../../server/engine/plan/evaluate/evaluate.ts';
import { nameParts } from '../../../server/engine/plan/evaluate/names.ts';
import {
  evaluateRequest,
  type RequestEvaluation,
  type SyncRequest,
} from '../../../server/engine/plan/evaluate/requests.ts';
import { compileRoute } from '../../../server/engine/plan/evaluate/route.ts';
import type { LookupRecord } from '../../../server/engine/plan/evaluate/rows.ts';
import { requestDocument } from '../../../server/engine/plan/evaluate/scope.ts';
import type { SqlValue } from '../../../server/engine/plan/values/value.ts';
import { type Random, randomFrom } from '../../differential/random.ts';
import { finish } from '../../support/engine/evaluation.ts';
import { plansOf } from '../../support/engine/plans.ts';
import { casesOf } from '../../support/house/share.ts';

const cases = Number(process.env.HEADWATER_EVALUATION_CASES ?? casesOf(150));
const seed = Number(process.env.HEADWATER_EVALUATION_SEED ?? 5_000);
const memberships = 'SELECT project FROM members WHERE person = auth.user_id()';

test(`keys from lookups select the same buckets as tuples, in ${cases} random configs from seed ${seed}`, () => {
  let given = 0;
  for (let at = seed; at < seed + cases; at++) {
    const random = randomFrom(at);
    const { request, requestByTuples, rowsOf } = open(random.times(1, 4, () => condition(random)));
    const members = rowsOf({ tag: 'default', schema: 'public', name: 'members' });
    const projects = random.pick(pools);
    const entries = random.times(0, 12, () => members(member(random, projects)).entries).flat();
    const asked = requestOf(random);
    const result = finish(request(asked), entries);
    given += result.buckets.length;
    expect({ at, result }).toEqual({ at, result: finish(requestByTuples(asked), entries) });
  }
  expect(given / cases).toBeGreaterThan(1);
});

test.each<[string, (index: number) => SqlValue, number, string[]]>([
  ['100,000 different texts', (index) => `p${index}`, 100_000, []],
  ['100,001 different texts', (index) => `p${index}`, 100_001, ['too-many-results']],
  ['100,001 equal texts', () => 'p', 100_001, []],
  ['100,001 integers, of which many are equal', (index) => BigInt(index % 50_000), 100_001, []],
])('%s exceed the limit if and only if the tuples do', (_, valueAt, count, failures) => {
  const { request, requestByTuples, rowsOf } = open([`project IN (${memberships})`]);
  const [entry] = rowsOf({ tag: 'default', schema: 'public', name: 'members' })({
    person: 'u1',
    project: 'p',
  }).entries as [LookupRecord];
  const found = new Map([[entry.key, Array.from({ length: count }, (_each, index) => [valueAt(index)])]]);
  const asked = requestOf(randomFrom(0));
  const [result, byTuples] = [request(asked), requestByTuples(asked)].map((evaluation) => {
    evaluation.next();
    const step = evaluation.next(found);
    if (step.done !== true) throw new Error('It asks once');
    return step.value;
  });
  expect(result?.failures.map(({ code }) => code)).toEqual(failures);
  expect(result?.buckets.length).toBe(byTuples?.buckets.length);
  expect(result?.failures).toEqual(byTuples?.failures);
});

/** Returns the usual evaluation, and one with an observer, which computes each key of a request from a tuple of values. */
function open(conditions: readonly string[]) {
  const streams = conditions.map(
    (where, i) =>
      `  s${i}:\n    accept_potentially_dangerous_queries: true\n    auto_subscribe: true\n    query: SELECT * FROM tasks WHERE ${where}\n`,
  );
  const { plans, options } = plansOf(`config:\n  edition: 3\nstreams:\n${streams.join('')}`);
  const { request, rowsOf } = toConfigEvaluator(plans, { options });
  const rules = {
    wholeKeys: options.fixedJsonExtract,
    sqliteEngine: options.sqliteEngine,
    observe: () => {},
  };
  const compiled = nameParts(plans, {}).map(({ plan, sourceNames, lookupNames }) => {
    const routes = plan.routes.map((route) => compileRoute(route, rules));
    return [plan.name, { ...plan, sourceNames, lookupNames, routes }] as const;
  });
  const requestByTuples = (asked: SyncRequest): RequestEvaluation =>
    evaluateRequest(new Map(compiled), asked);
  return { request, requestByTuples, rowsOf };
}

function condition(random: Random): string {
  const inList = `project IN auth.parameter('projects')`;
  const kind = random.pick(['a', 'b']);
  return random.choose<string>([
    [6, () => `project IN (${memberships})`],
    [2, () => `project IN (${memberships} AND kind = '${kind}')`],
    [2, () => `project IN (SELECT project FROM members WHERE kind = '${kind}')`],
    [
      2,
      () =>
        `project IN (${memberships}) OR project IN (SELECT kind FROM members WHERE person = auth.user_id())`,
    ],
    [2, () => `project IN (${memberships}) AND owner = auth.user_id()`],
    [2, () => `project IN (${memberships}) AND ${inList}`],
    [
      2,
      () =>
        `project IN (SELECT project FROM members WHERE kind IN (SELECT kind FROM members WHERE person = auth.user_id()))`,
    ],
    [
      1,
      () =>
        `project IN (${memberships}) AND owner IN (SELECT kind FROM members WHERE person = auth.user_id())`,
    ],
    [1, () => `project IN (${memberships}) AND auth.parameter('kind') = '${kind}'`],
    [1, () => inList],
    [1, () => `project IN (${memberships} AND kind = subscription.parameter('kind'))`],
  ]);
}

/** Values for `project`. Some have the same text in a key, such as 1 and 1.0, or the numbers that JSON cannot express. */
const pools: readonly (readonly SqlValue[])[] = [
  ['p1', 'p2', 'p3', '1', '', 'a "quoted" one', '\u0001', '\ud800', 'ü'],
  [0n, 1n, 2n, 2n ** 70n],
  [1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  [1n, 1, 2n, 2, '1', null],
  ['p1', 0n, 0, -0, 1e300, Number.NaN, null, new Uint8Array([1])],
];

function member(random: Random, projects: readonly SqlValue[]): Readonly<Record<string, SqlValue>> {
  return {
    person: random.pick(['u1', 'u1', 'u2']),
    project: random.pick(projects),
    kind: random.pick(['a', 'b', 'p1']),
  };
}

function requestOf(random: Random): SyncRequest {
  const projects = random.times(0, 3, () => random.pick(['p1', 'p2', 1, 'p4']));
  const subscription = (index: number) => ({
    stream: `s${index}`,
    parameters: requestDocument(JSON.stringify({ kind: random.pick(['a', 'b']) })),
    ...(random.chance(0.3) && { priority: random.pick([0, 1, 2, 3] as const) }),
  });
  return {
    claims: requestDocument(JSON.stringify({ sub: 'u1', kind: random.pick(['a', 'b']), projects })),
    connection: requestDocument('{}'),
    subscriptions: random.times(0, 2, () => subscription(random.int(3))),
    includeDefaults: true,
  };
}
