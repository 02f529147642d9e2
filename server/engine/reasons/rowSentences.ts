/** Explains in plain English what each query does with a row. Used by the editor and the command line. */
import { valueText } from '../../shared/absenceWords.ts';
import { readingsAgainst } from '../plan/evaluate/observations.ts';
import type { RuleTrace } from '../plan/evaluate/traceRow.ts';

/** @param sql the SQL of the deciding condition, as written in the file */
export function rowSentences(rule: RuleTrace, sql: string): readonly string[] {
  switch (rule.outcome) {
    case 'given':
      return [
        ...rule.rows.map(({ bucket, table, data }) => `goes to bucket ${bucket}, as ${table} ${data}`),
        ...rule.entries.map(({ values }) =>
          values.length === 0
            ? 'is not synced itself: the stream only checks that it exists'
            : `is not synced itself: the stream looks it up and finds ${values.map(valueText).join(', ')}`,
        ),
      ];
    case 'no element':
      return ['is not synced: the table function of this query returns no element for it'];
    case 'failed':
      return [`fails with ${rule.failure?.code} at ${sql}`];
    case 'no key':
      return [`is not synced: ${sql} is NULL, or a value that cannot be part of a bucket name`];
    case 'filtered':
      return [
        `is not synced: ${sql} does not hold${readingsAgainst(rule.combinations[0]?.conditions ?? [])}`,
      ];
  }
}
