import { expect, test } from 'vitest';
import { toConfigEvaluator } from '../../../../server/engine/plan/evaluate/evaluate.ts';
import { plansOf } from '../../../support/engine/plans.ts';
import { referenceRows } from '../../../support/engine/referenceRows.ts';

const config = `config:
  edition: 2
streams:
  apart:
    auto_subscribe: true
    query: SELECT id FROM t WHERE NOT (b && c)
`;

test.each([
  ['[1,2]', '[3,4]', true],
  ['[1,2]', '[2,3]', false],
  ['["a"]', '["a"]', false],
  ['["1"]', '[1]', true],
  ['[]', '[1]', true],
  [null, '[1]', true],
  ['[1]', null, true],
])('that %s and %s have no element in common is %s', (b, c, areApart) => {
  const row = { id: '1', b, c };
  const { plans, options } = plansOf(config);
  const { rowsOf } = toConfigEvaluator(plans, { options });
  expect(rowsOf({ tag: 'default', schema: 'public', name: 't' })(row).rows).toHaveLength(areApart ? 1 : 0);
  expect(referenceRows(config)('t', row).rows).toHaveLength(areApart ? 1 : 0);
});
