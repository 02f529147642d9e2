/** Creates the entries of lookups that are not stored, from the available rows. */
import { distinctRows, type LookupAnswer } from '../plan/evaluate/requests.ts';
import type { LookupRecord } from '../plan/evaluate/rows.ts';
import type { Row, SourceTable } from '../plan/evaluate/scope.ts';
import type { SqlValue } from '../plan/values/value.ts';
import type { PreparedForecast } from './prepare.ts';
import type { GrowingSizes } from './sizes.ts';

export interface RowEntries {
  /** Returns a function that adds the entries of a row of this table. */
  readonly rowsOf: (table: SourceTable) => (row: Row) => void;
  readonly countInto: (sizes: GrowingSizes) => void;
  readonly answer: (keys: readonly string[]) => LookupAnswer;
}

export function collectEntries({ own, reference }: Pick<PreparedForecast, 'own' | 'reference'>): RowEntries {
  const entries = new Map<string, (readonly SqlValue[])[]>();
  const put = ({ key, values }: LookupRecord) => {
    const known = entries.get(key);
    if (known === undefined) entries.set(key, [values]);
    else known.push(values);
  };
  return {
    rowsOf: (table) => {
      const evaluators = [own.rowsOf(table), reference.rowsOf(table)];
      return (row) => {
        for (const evaluate of evaluators) evaluate(row).entries.forEach(put);
      };
    },
    countInto: (sizes) => {
      for (const [key, values] of entries)
        sizes.add(key, { values: values.length, distinct: distinctRows(values).length });
    },
    answer: (keys) =>
      new Map(
        keys.flatMap((key) => {
          const values = entries.get(key);
          return values === undefined ? [] : [[key, values]];
        }),
      ),
  };
}
