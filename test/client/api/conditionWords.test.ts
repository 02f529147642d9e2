import { expect, test } from 'vitest';
import { conditionWords } from '../../../client/api/conditionWords.ts';
import type { RowCondition } from '../../../client/api/explained.ts';

const mark = { sql: "plot_id =\n  subscription.parameter('plot')", start: 0, end: 9 };

test.each<[Partial<RowCondition>, string]>([
  [
    { kind: 'comparison', marks: [mark], values: [{ text: 'plot_id', value: '0002' }], held: ['nonsense'] },
    "plot_id = subscription.parameter('plot') | this row: '0002' · ada: 'nonsense'",
  ],
  [{ kind: 'comparison', held: [null] }, ' | ada: nothing'],
  [{ kind: 'comparison' }, ' | ada: not looked up'],
  [{ kind: 'row', values: [{ text: 'done', value: 1 }] }, ' | done is 1'],
  [{ kind: 'client', holds: 'unknown' }, ' | not looked up'],
  [{ kind: 'subscription' }, ' | does not subscribe to beds'],
  [{ kind: 'subscription', holds: true }, ' | subscribes to beds'],
  [{ kind: 'something newer' }, ' | '],
])('%j becomes a readable line', (some, line) => {
  const condition = { kind: '', holds: false, marks: [], values: [], ...some } as const;
  const { sql = '', text } = conditionWords(condition, 'ada', 'beds');
  expect(`${sql} | ${text}`).toBe(line);
});
