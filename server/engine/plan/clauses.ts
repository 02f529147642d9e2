/** Reports clauses that choose among rows. No edition supports them. */
import type { Report } from '../diagnostics/diagnostics.ts';
import type { RefusedClause } from '../sql/ast.ts';
import { cover } from '../text/span.ts';

const rowCountClauses: ReadonlySet<string> = new Set(['LIMIT', 'OFFSET', 'FETCH']);

const alternatives: Partial<Record<RefusedClause['clause'], string>> = {
  'GROUP BY': 'Group them in the app.',
  HAVING: 'Write the condition after WHERE.',
  'ORDER BY': 'Sort them in the app.',
  FOR: 'Remove it, because sync queries lock no rows.',
};

/** Reports clauses. LIMIT and OFFSET together are a single finding. */
export function checkClauses(report: Report, refused: readonly RefusedClause[]): void {
  for (const { clause, span } of refused) {
    const instead = alternatives[clause];
    if (!rowCountClauses.has(clause))
      report('unsupported-clause', span, { clause, ...(instead && { instead }) });
  }
  const counting = refused.filter(({ clause }) => rowCountClauses.has(clause));
  if (counting.length === 0) return;
  report('unsupported-clause', counting.map(({ span }) => span).reduce(cover), {
    clause: counting.map(({ clause }) => clause).join(' and '),
    instead: 'Choose the rows by a condition, or limit them in the app.',
  });
}
