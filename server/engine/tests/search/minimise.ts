/** Removes everything from a counterexample that it does not need: rows, columns, and values of the request. */
import type { JsonObject } from '../../plan/values/json.ts';
import type { TestedRow } from '../rowIndex.ts';
import type { SearchCandidate } from './candidates.ts';

/**
 * @param idOf returns the client's id of the row that arrives, which must not change
 * @param canBeNull whether a row without this column has NULL in it
 */
export function minimise(
  candidate: SearchCandidate,
  isOne: (candidate: SearchCandidate) => boolean,
  idOf: (candidate: SearchCandidate) => string,
  canBeNull: (table: string, column: string) => boolean,
): SearchCandidate {
  const id = idOf(candidate);
  let smallest = candidate;
  for (;;) {
    const smaller = [...smallerThan(smallest, canBeNull)].find((each) => isOne(each) && idOf(each) === id);
    if (smaller === undefined) return smallest;
    smallest = smaller;
  }
}

/** Returns candidates that are each smaller by one row, column or value. */
function* smallerThan(
  { rows, main, asking }: SearchCandidate,
  canBeNull: (table: string, column: string) => boolean,
): Generator<SearchCandidate> {
  for (const row of rows)
    if (row !== main) yield { main, asking, rows: rows.filter((other) => other !== row) };
  for (const row of rows)
    for (const column of Object.keys(row.values)) {
      // The `id` identifies every row except the one that arrives, where it may be an ordinary column.
      if ((column === 'id' && row !== main) || !canBeNull(row.table, column)) continue;
      const { [column]: _, ...values } = row.values;
      const less: TestedRow = { ...row, values };
      yield {
        asking,
        main: row === main ? less : main,
        rows: rows.map((other) => (other === row ? less : other)),
      };
    }
  for (const claims of withoutOne(asking.claims)) yield { rows, main, asking: { ...asking, claims } };
  for (const parameters of withoutOne(asking.parameters))
    yield { rows, main, asking: { ...asking, parameters } };
  const [subscription] = asking.subscriptions;
  if (subscription === undefined) return;
  yield { rows, main, asking: { ...asking, subscriptions: [] } };
  for (const parameters of withoutOne(subscription.parameters))
    yield { rows, main, asking: { ...asking, subscriptions: [{ ...subscription, parameters }] } };
}

function withoutOne(object: JsonObject): readonly JsonObject[] {
  return Object.keys(object).map((name) => {
    const { [name]: _, ...rest } = object;
    return rest;
  });
}
