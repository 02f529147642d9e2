import { cover } from '../text/span.ts';
import type { ConfigCheck } from './check.ts';

export const ignoredStatement: ConfigCheck = {
  code: 'ignored-statement',
  checkSelect: ({ text: { sql }, select, role, report }) => {
    const [first, second] = sql.statements;
    const last = sql.statements.at(-1);
    if ((role !== 'synced' && role !== 'inner') || select !== first || !second || !last) return;
    report('ignored-statement', cover(second.span, last.span), {});
  },
};
