/** Reads a text that must be exactly one SELECT. */
import type { Report } from '../../diagnostics/diagnostics.ts';
import type { SqlText } from '../../model/definition.ts';
import type { Select, Statement } from '../../sql/ast.ts';
import { checkClauses } from '../clauses.ts';

/** Returns the SELECT. A text with syntax errors has no further findings. */
export function readSelect({ sql }: SqlText, report: Report): Select | undefined {
  if (sql.problems.length > 0) return undefined;
  const [statement, second] = sql.statements;
  if (second) report('multiple-statements', second.span, {});
  return statement && checkSelect(report, statement);
}

export function checkSelect(report: Report, statement: Statement): Select | undefined {
  if (statement.kind === 'other') {
    report('not-a-select', statement.span, {
      found: statement.what,
      ...(statement.what === 'UNION' && { instead: 'Make each SELECT a separate query.' }),
    });
    return undefined;
  }
  const { distinct, all, span, refused } = statement;
  if (distinct)
    report('unsupported-clause', span, { clause: 'DISTINCT', instead: 'Each row is synced once anyway.' });
  if (all) report('unsupported-clause', span, { clause: 'SELECT ALL', instead: 'Write SELECT.' });
  checkClauses(report, refused);
  return statement;
}
