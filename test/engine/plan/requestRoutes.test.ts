/** The buckets of requests whose lookups return given rows. */
import { describe, expect, test } from 'vitest';
import { toConfigEvaluator } from '../../../server/engine/plan/evaluate/evaluate.ts';
import type { Subscription } from '../../../server/engine/plan/evaluate/requests.ts';
import { requestDocument } from '../../../server/engine/plan/evaluate/scope.ts';
import type { SqlValue } from '../../../server/engine/plan/values/value.ts';
import { plansOf } from '../../support/engine/plans.ts';

interface Request {
  readonly defaults?: boolean;
  readonly subscriptions?: readonly Subscription[];
  readonly claims?: string;
}

type Answer = (key: string) => readonly (readonly SqlValue[])[] | 'too-many';

/** Evaluates a request. Returns its buckets as text, such as `[1] p3 s:default`; a star marks looked up ones. */
function evaluate(streams: string, answer: Answer, request: Request = {}) {
  const { defaults = true, subscriptions = [], claims = '{"sub":"ada"}' } = request;
  const { plans, options } = plansOf(`config:\n  edition: 3\nstreams:\n${streams}`);
  const evaluation = toConfigEvaluator(plans, { options }).request({
    claims: requestDocument(claims),
    connection: requestDocument('{}'),
    subscriptions,
    includeDefaults: defaults,
  });
  const asked: string[][] = [];
  let step = evaluation.next();
  while (!step.done) {
    asked.push(step.value.map((key) => key.slice(key.indexOf('['))));
    step = evaluation.next(new Map(step.value.map((key) => [key, answer(key)])));
  }
  const { buckets, failures, lookups } = step.value;
  expect(lookups).toHaveLength(asked.flat().length);
  return {
    asked,
    failures: failures.map(({ reason, code, routes }) => `${reason.stream} ${code} ${routes.join()}`),
    buckets: buckets.map(
      ({ bucket, priority, reasons, lookedUp }) =>
        `${bucket.slice(bucket.indexOf('['))}${lookedUp ? '*' : ''} p${priority} ${reasons.map(({ stream, subscription }) => `${stream}:${subscription}`).join(' ')}`,
    ),
  };
}

const members = `
  s:
    auto_subscribe: true
    query: SELECT * FROM boats WHERE club IN (SELECT club FROM members WHERE user_id = auth.user_id())
`;

describe('the values of a lookup', () => {
  test.each<[string, readonly (readonly SqlValue[])[], readonly string[]]>([
    ['texts', [['b'], ['a'], ['b']], ['["b"]', '["a"]']],
    ['integers', [[2n], [1n], [2n]], ['[2]', '[1]']],
    ['an integer and an equal real', [[1n], [1]], ['[1]']],
    ['reals', [[1.5], [1.5], [2]], ['[1.5]', '[2]']],
    ['a text and an integer', [['1'], [1n]], ['["1"]', '[1]']],
    ['NULL and a blob', [[null], [new Uint8Array([1])], ['a']], ['["a"]']],
    ['nothing', [], []],
  ])('each name one bucket, in their order: %s', (_, rows, buckets) => {
    const result = evaluate(members, () => rows);
    expect(result.buckets).toEqual(buckets.map((bucket) => `${bucket}* p3 s:default`));
    expect(result).toMatchObject({ asked: [['["ada"]']], failures: [] });
  });

  test.each([
    [100_000, 0],
    [100_001, 1],
  ])('may be up to 100,000: %d', (count, failures) => {
    for (const value of [(n: number) => BigInt(n), (n: number) => n + 0.5]) {
      const result = evaluate(members, () => Array.from({ length: count }, (_, n) => [value(n)]));
      expect(result.buckets).toHaveLength(failures === 0 ? count : 0);
      expect(result.failures).toEqual(failures === 0 ? [] : ['s too-many-results 0']);
    }
  });

  test('that are too many make only their own route fail', () => {
    const both = `${members}
  t:
    auto_subscribe: true
    query: SELECT * FROM boats WHERE owner = auth.user_id()
`;
    expect(evaluate(both, () => 'too-many')).toMatchObject({
      failures: ['s too-many-results 0'],
      buckets: ['["ada"] p3 t:default'],
    });
  });

  test('are not asked for if a value of the request cannot be a key', () => {
    expect(evaluate(members, () => [['a']], { claims: '{"sub":null}' })).toMatchObject({
      asked: [],
      buckets: [],
    });
  });
});

describe('a bucket of several reasons', () => {
  const streams = `
  s:
    auto_subscribe: true
    priority: 2
    query: SELECT * FROM boats WHERE club = subscription.parameter('club')
  t:
    query: SELECT * FROM boats WHERE club = subscription.parameter('club') AND harbour = subscription.parameter('harbour')
`;
  const to = (stream: string, parameters: object, priority?: 0 | 1 | 2 | 3): Subscription => ({
    stream,
    parameters: requestDocument(JSON.stringify(parameters)),
    ...(priority !== undefined && { priority }),
  });

  test('has the highest priority of them, and each reason once', () => {
    const subscriptions = [to('s', { club: 'a' }), to('s', { club: 'b' }), to('s', { club: 'a' }, 1)];
    expect(evaluate(streams, () => [], { subscriptions }).buckets).toEqual([
      '["a"] p1 s:0 s:2',
      '["b"] p2 s:1',
    ]);
  });

  test('has a key with all values, in which an absent parameter names no bucket', () => {
    const subscriptions = [
      to('t', { club: 'a', harbour: 'h' }),
      to('t', { club: 'a' }),
      { stream: 't' },
      to('unknown', {}),
    ];
    expect(evaluate(streams, () => [], { subscriptions, defaults: false }).buckets).toEqual([
      '["a","h"] p3 t:0',
    ]);
  });

  test('is looked up if one of its reasons looks it up', () => {
    const either = `
  s:
    auto_subscribe: true
    query: SELECT * FROM boats WHERE club = auth.user_id() OR club IN (SELECT club FROM members WHERE user_id = auth.user_id())
`;
    const { buckets } = evaluate(either, () => [['ada'], ['b'], ['b']]);
    expect(buckets).toEqual(['["ada"]* p3 s:default', '["b"]* p3 s:default']);
  });
});
