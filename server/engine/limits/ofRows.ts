/** A forecast from rows at hand, instead of what a service has stored. */
import { distinctRows } from '../plan/evaluate/requests.ts';
import type { LookupRecord } from '../plan/evaluate/rows.ts';
import type { Row, SourceTable } from '../plan/evaluate/scope.ts';
import type { SqlValue } from '../plan/values/value.ts';
import { forecast, type LimitForecast } from './forecast.ts';
import type { PreparedForecast } from './prepare.ts';
import { countLookups } from './sizes.ts';

interface TableRow {
  readonly table: SourceTable;
  readonly row: Row;
}

export function forecastOfRows(prepared: PreparedForecast, rows: Iterable<TableRow>): LimitForecast {
  const stored = new Map<string, (readonly SqlValue[])[]>();
  const put = ({ key, values }: LookupRecord) => {
    const known = stored.get(key);
    if (known === undefined) stored.set(key, [values]);
    else known.push(values);
  };
  const evaluators = new Map<SourceTable, readonly ((row: Row) => { entries: readonly LookupRecord[] })[]>();
  for (const { table, row } of rows) {
    const known = evaluators.get(table) ?? [prepared.own.rowsOf(table), prepared.reference.rowsOf(table)];
    evaluators.set(table, known);
    for (const evaluate of known) for (const entry of evaluate(row).entries) put(entry);
  }
  const sizes = countLookups((lookup) => prepared.plan.telling.has(lookup));
  for (const [key, values] of stored)
    sizes.add(key, { values: values.length, distinct: distinctRows(values).length });
  const work = forecast(prepared.plan, { ...prepared, sizes });
  let step = work.next();
  while (!step.done) step = work.next(new Map(step.value.map((key) => [key, stored.get(key) ?? []])));
  return step.value;
}
