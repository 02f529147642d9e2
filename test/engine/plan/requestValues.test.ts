import { expect, test } from 'vitest';
import { toConfigEvaluator } from '../../../server/engine/plan/evaluate/evaluate.ts';
import { requestDocument } from '../../../server/engine/plan/evaluate/scope.ts';
import { finish } from '../../support/engine/evaluation.ts';
import { plansOf } from '../../support/engine/plans.ts';

test.each([
  ['auth.parameters()', ['s|0["{\\"sub\\":\\"u\\"}"]']],
  ["auth.parameters() ->> 'sub'", ['s|0["u"]']],
  ['connection.parameters()', ['s|0["{\\"a\\":1}"]']],
  // A default subscription has no parameters.
  ['subscription.parameters()', []],
  ["subscription.parameters() ->> 'a'", []],
])('rows by %s are in the buckets %j', (value, buckets) => {
  const query = `SELECT * FROM t WHERE x = ${value}`;
  const { plans, options } = plansOf(
    `config:\n  edition: 3\nstreams:\n  s:\n    auto_subscribe: true\n    query: ${query}\n`,
  );
  const { request } = toConfigEvaluator(plans, { options });
  const asked = {
    claims: requestDocument('{"sub":"u"}'),
    connection: requestDocument('{"a":1}'),
    subscriptions: [],
    includeDefaults: true,
  };
  expect(finish(request(asked), []).buckets.map(({ bucket }) => bucket)).toEqual(buckets);
});

test.each([2, 3])('in edition %i, a list comes only from the named part of a request', (edition) => {
  const parts = ['auth', 'connection', 'subscription'];
  const asked = {
    claims: requestDocument('{"list":["auth"]}'),
    connection: requestDocument('{"list":["connection"]}'),
    subscriptions: [{ stream: 's', parameters: requestDocument('{"list":["subscription"]}') }],
    includeDefaults: true,
  };
  const found = parts.map((part) => {
    const query = `SELECT * FROM t WHERE x IN ${part}.parameter('list')`;
    const { plans, options } = plansOf(
      `config:\n  edition: ${edition}\nstreams:\n  s:\n    query: ${query}\n`,
    );
    const { request } = toConfigEvaluator(plans, { options });
    return finish(request(asked), []).buckets.map(({ bucket }) => bucket);
  });
  expect(found).toEqual(parts.map((part) => [`s|0["${part}"]`]));
});
