/**
 * Text behind the first semicolon
 *
 * In edition 3 a service reads the first statement, and drops everything behind it without a word.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks; SELECT * FROM lists
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   all:
 *     queries:
 *       - SELECT * FROM tasks
 *       - SELECT * FROM lists
 * ```
 */
import { cover } from '../text/span.ts';
import type { Rule } from './rule.ts';

export const ignoredStatement: Rule = {
  code: 'ignored-statement',
  checkSelect: ({ text: { sql }, select, role, report }) => {
    const [first, second] = sql.statements;
    const last = sql.statements.at(-1);
    if ((role !== 'synced' && role !== 'inner') || select !== first || !second || !last) return;
    report('ignored-statement', cover(second.span, last.span), {});
  },
};
