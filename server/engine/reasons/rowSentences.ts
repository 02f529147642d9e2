/** Explains in plain English what each query does with a row. Used by the editor and the command line. */
import { type ReadValue, valueText } from '../../shared/absenceWords.ts';
import type { ValueTrace } from '../plan/evaluate/observations.ts';
import type { RuleTrace } from '../plan/evaluate/traceRow.ts';
import type { Origin } from '../plan/expression.ts';

/** @param sqlAt returns the SQL at a place in the stream, as it is written in the file */
export function rowSentences(rule: RuleTrace, sqlAt: (at: Origin) => string): readonly string[] {
  const sql = sqlAt(rule.mismatch ?? rule.at);
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
      return [`is not synced: ${filterText(rule, sql, sqlAt)}`];
  }
}

/** Describes the first condition that does not hold. Other elements of the row may violate other conditions. */
function filterText({ combinations }: RuleTrace, sql: string, sqlAt: (at: Origin) => string): string {
  const against = combinations[0]?.conditions.find(({ holds }) => !holds)?.values ?? [];
  const read = readValues(against, sqlAt).map(({ text, value }) => `${text} = ${valueText(value)}`);
  const where =
    combinations.length > 1
      ? `no element meets all conditions. For the first of ${combinations.length}, `
      : '';
  return `${where}${sql} does not hold${read.length === 0 ? '' : `, with ${read.join(', ')}`}`;
}

/** Returns the distinct values, each with its name or its SQL. */
export function readValues(
  values: readonly ValueTrace[],
  sqlAt: (at: Origin) => string,
): readonly ReadValue[] {
  const read = values.map(({ at, name, value }) => ({ text: name ?? sqlAt(at), value }));
  return read.filter(
    (one, index) => index === read.findIndex(({ text, value }) => text === one.text && value === one.value),
  );
}
