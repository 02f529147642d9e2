import { expect, test } from 'vitest';
import { type ConfigEvaluator, toConfigEvaluator } from '../../../server/engine/plan/evaluate/evaluate.ts';
import type { RequestResult } from '../../../server/engine/plan/evaluate/requests.ts';
import type { RowResult } from '../../../server/engine/plan/evaluate/rows.ts';
import { type Random, randomFrom } from '../../differential/random.ts';
import { acceptedConfig } from '../../membership/accepted.ts';
import { sqlRow, syncRequest } from '../../membership/engines.ts';
import { type Record_, record, type Table, tables, world } from '../../membership/world.ts';
import { finish } from '../../support/engine/evaluation.ts';
import { plansOf } from '../../support/engine/plans.ts';

const cases = Number(process.env.HEADWATER_HISTORY_CASES ?? 60);
const seed = Number(process.env.HEADWATER_HISTORY_SEED ?? 5_000);

/**
 * The test does what a service does with a config: it stores the result of each row, replaces it when the row changes,
 * and computes the buckets of a client again only if the content of a lookup key of the last answer may have changed.
 */
test(`after ${cases} random histories from seed ${seed}, the stored results equal those of a new evaluation`, () => {
  for (let at = seed; at < seed + cases; at++) {
    const random = randomFrom(at);
    const { text, streams } = acceptedConfig(random);
    const { plans, options } = plansOf(text);
    const evaluator = toConfigEvaluator(plans, { options });
    const requests = world(random).requests.map((request) => syncRequest(request, streams));
    const store = emptyStore();
    const clients = requests.map((request) => ({ request, result: ask(evaluator, request, store) }));
    for (let step = 0; step < 25; step++) {
      const stale = change(random, evaluator, store);
      for (const client of clients) {
        const touched = client.result.lookups.some((key) => stale.has(key));
        if (touched) client.result = ask(evaluator, client.request, store);
      }
    }
    const fresh = toConfigEvaluator(plansOf(text).plans, { options });
    const again = emptyStore();
    for (const { table, record: row } of store.source.values()) put(fresh, again, table, row);
    expect({ seed: at, contents: contentsOf(store) }).toEqual({ seed: at, contents: contentsOf(again) });
    for (const { request, result } of clients) {
      expect({ seed: at, text, given: bucketsOf(result) }).toEqual({
        seed: at,
        text,
        given: bucketsOf(ask(fresh, request, again)),
      });
    }
  }
});

interface Store {
  readonly source: Map<string, { readonly table: Table; readonly record: Record_ }>;
  /** Results by the id of the source row. */
  readonly results: Map<string, RowResult>;
  /** Bucket → table and id → data, as put and remove leave them. */
  readonly buckets: Map<string, Map<string, string>>;
}

function emptyStore(): Store {
  return { source: new Map(), results: new Map(), buckets: new Map() };
}

/** Inserts, updates or deletes a row. Returns the lookup keys whose content may have changed. */
function change(random: Random, evaluator: ConfigEvaluator, store: Store): ReadonlySet<string> {
  const table = random.pick(tables);
  const row = record(random, table, random.int(4));
  const before = store.results.get(row.id);
  if (random.chance(0.3)) remove(store, row.id);
  else put(evaluator, store, table, row);
  const after = store.results.get(row.id);
  return new Set([before, after].flatMap((result) => result?.entries.map(({ key }) => key) ?? []));
}

function put(evaluator: ConfigEvaluator, store: Store, table: Table, row: Record_): void {
  const result = evaluator.rowsOf({ tag: 'default', schema: 'public', name: table })(sqlRow(row));
  const kept = new Set(result.rows.map(placeOf));
  removeRows(store, store.results.get(row.id)?.rows.filter((each) => !kept.has(placeOf(each))) ?? []);
  for (const each of result.rows) {
    const bucket = store.buckets.get(each.bucket) ?? new Map<string, string>();
    store.buckets.set(each.bucket, bucket.set(`${each.table} ${each.id}`, each.data));
  }
  store.source.set(row.id, { table, record: row });
  store.results.set(row.id, result);
}

function remove(store: Store, id: string): void {
  removeRows(store, store.results.get(id)?.rows ?? []);
  store.results.delete(id);
  store.source.delete(id);
}

function removeRows(store: Store, rows: RowResult['rows']): void {
  for (const { bucket, table, id } of rows) store.buckets.get(bucket)?.delete(`${table} ${id}`);
}

function placeOf({ bucket, table, id }: RowResult['rows'][number]): string {
  return JSON.stringify([bucket, table, id]);
}

function ask(
  evaluator: ConfigEvaluator,
  request: Parameters<ConfigEvaluator['request']>[0],
  { results }: Store,
): RequestResult {
  return finish(
    evaluator.request(request),
    [...results.values()].flatMap(({ entries }) => entries),
  );
}

function bucketsOf({ buckets }: RequestResult): readonly string[] {
  return buckets.map((given) => JSON.stringify(given)).sort();
}

function contentsOf({ buckets }: Store): readonly string[] {
  return [...buckets]
    .flatMap(([bucket, rows]) => [...rows].map(([place, data]) => `${bucket} ${place} ${data}`))
    .sort();
}
