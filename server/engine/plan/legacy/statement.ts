/** The SELECT of a text, and the clauses that no query before edition 3 has. */
import type { Report } from '../../diagnostics.ts';
import type { SqlText } from '../../model/definition.ts';
import { cover, type Span } from '../../span.ts';
import type { RefusedClause, Select, Statement } from '../../sql/ast.ts';

/** The one SELECT of a text. A text with syntax errors says nothing else. */
export function readSelect({ sql }: SqlText, report: Report): Select | undefined {
  if (sql.problems.length > 0) return undefined;
  const [statement, second] = sql.statements;
  if (second) report('multiple-statements', second.span, {});
  return statement && checkSelect(report, statement);
}

export function checkSelect(report: Report, statement: Statement): Select | undefined {
  if (statement.kind === 'other') {
    report('not-a-select', statement.span, { found: statement.what });
    return undefined;
  }
  const { distinct, all, span, refused } = statement;
  if (distinct)
    report('unsupported-clause', span, { clause: 'DISTINCT', instead: 'Each row is synced once anyway.' });
  if (all) report('unsupported-clause', span, { clause: 'SELECT ALL', instead: 'Write SELECT.' });
  checkClauses(report, refused);
  return statement;
}

const rowCountClauses: ReadonlySet<string> = new Set(['LIMIT', 'OFFSET', 'FETCH']);

/** LIMIT and OFFSET together are one finding. */
export function checkClauses(report: Report, refused: readonly RefusedClause[]): void {
  for (const { clause, mark } of refused) {
    if (!rowCountClauses.has(clause)) report('unsupported-clause', mark, { clause });
  }
  const counting = refused.filter(({ clause }) => rowCountClauses.has(clause));
  if (counting.length === 0) return;
  report('unsupported-clause', counting.map(markOf).reduce(cover), {
    clause: counting.map(({ clause }) => clause).join(' and '),
    instead: 'Choose the rows by a condition, or limit them in the app.',
  });
}

function markOf({ clause, mark, span }: RefusedClause): Span {
  return clause === 'LIMIT' ? mark : span;
}
