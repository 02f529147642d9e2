/** If a query fails for a request, the other queries of its stream still select their buckets, as in the reference. */
import { expect, test } from 'vitest';
import { toConfigEvaluator } from '../../../server/engine/plan/evaluate/evaluate.ts';
import { requestDocument } from '../../../server/engine/plan/evaluate/scope.ts';
import { finish } from '../../support/engine/evaluation.ts';
import { plansOf } from '../../support/engine/plans.ts';
import { referenceEvaluation } from '../../support/engine/referenceRows.ts';

const own = 'SELECT id FROM t WHERE owner = auth.user_id()';
const listed = "SELECT id FROM t WHERE owner IN auth.parameter('ids')";
const member = "SELECT id FROM t WHERE (auth.parameter('ids') ->> 'role') = 'admin'";
const room = "SELECT id FROM t WHERE room = auth.parameter('room')";

test.each([
  [[listed, own]],
  [[own, listed]],
  [[listed, member, room]],
  [[`${listed} OR owner = auth.user_id()`]],
  [[`${own} OR owner IN auth.parameter('ids')`, room]],
  [["SELECT id FROM t WHERE x = (auth.parameter('ids') ->> 'x') OR owner = auth.user_id()"]],
  [[listed]],
])('selects the same buckets as the reference with the queries %j', async (queries) => {
  const config = `config: { edition: 3 }\nstreams:\n  s:\n    queries: ${JSON.stringify(queries)}\n`;
  for (const ids of ['"x"', '5', '["u2"]', 'null', '{"x":"1"}']) {
    expect([ids, ours(config, ids)]).toEqual([ids, await theirs(config, ids)]);
  }
});

function ours(config: string, ids: string) {
  const { plans, options } = plansOf(config);
  const { buckets, failures } = finish(
    toConfigEvaluator(plans, { options }).request({
      claims: requestDocument(claimsWith(ids)),
      connection: requestDocument('{}'),
      includeDefaults: false,
      subscriptions: [{ stream: 's' }],
    }),
    [],
  );
  return { keys: keysOf(buckets.map(({ bucket }) => bucket)), failed: failures.length > 0 };
}

async function theirs(config: string, ids: string) {
  const { buckets, errors } = await referenceEvaluation(config).answer({
    claims: JSON.parse(claimsWith(ids)) as object,
    connection: {},
    subscriptions: [{ stream: 's', parameters: {} }],
  });
  return { keys: keysOf(buckets), failed: errors.length > 0 };
}

function claimsWith(ids: string): string {
  return `{"sub":"u","room":"r","ids":${ids}}`;
}

/** Returns the keys without the source number of the query, because that number has no meaning. */
function keysOf(buckets: Iterable<string>): readonly string[] {
  return [...buckets].map((bucket) => bucket.slice(bucket.indexOf('['))).sort();
}
