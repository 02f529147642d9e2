/** Random histories of a source, faults that occur meanwhile, and the state that every checkpoint must show. */
import fc from 'fast-check';
import { toConfigEvaluator } from '../../../server/engine/plan/evaluate/evaluate.ts';
import type { Row } from '../../../server/engine/plan/evaluate/scope.ts';
import { readSyncConfig } from '../../../server/service/deployments/syncConfigs.ts';
import type { LogPosition } from '../../../server/service/ground/logPosition.ts';
import { SourceFailure } from '../../../server/service/replication/source.ts';
import type { ReplicationWriter, Storage } from '../../../server/service/storage/storage.ts';
import type { MemorySource } from './memorySource.ts';
import type { Replicating } from './replication.ts';

export const config = `config:
  edition: 3
streams:
  todos:
    auto_subscribe: true
    query: SELECT * FROM todos WHERE list IN (SELECT id FROM lists WHERE owner = auth.user_id())
  lists:
    auto_subscribe: true
    queries:
      - SELECT * FROM lists WHERE owner = auth.user_id()
      - SELECT id, list AS owner FROM todos WHERE list = auth.user_id()
  logs:
    auto_subscribe: true
    query: SELECT id, body FROM "log%" AS logs
`;

export type Change =
  | { readonly kind: 'put'; readonly table: string; readonly id: string; readonly row: Row }
  | { readonly kind: 'rename'; readonly table: string; readonly id: string; readonly to: string }
  | { readonly kind: 'remove'; readonly table: string; readonly id: string }
  | { readonly kind: 'truncate'; readonly table: string }
  /** Puts a row into another table of the same name. The log shows only that row. */
  | { readonly kind: 'replace'; readonly table: 'logs_new'; readonly id: string; readonly row: Row };

export type Step =
  /** Commits transactions that the service sees at once. */
  | { readonly kind: 'commit'; readonly transactions: readonly (readonly Change[])[] }
  | { readonly kind: 'crash'; readonly in: number }
  | { readonly kind: 'break' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'lose slot' }
  | { readonly kind: 'deploy' };

const ids = fc.constantFrom('1', '2', '3', '4', '5');
const tables = fc.constantFrom('todos', 'lists', 'logs', 'logs_new');
const row = fc.record(
  {
    list: fc.constantFrom('1', '2', null),
    owner: fc.constantFrom('u1', 'u2', null),
    body: fc.constantFrom('small', 'medium '.repeat(10), 'large '.repeat(70)),
  },
  { requiredKeys: [] },
);
export const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('put'), table: tables, id: ids, row }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename'), table: tables, id: ids, to: ids }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove'), table: tables, id: ids }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('truncate'), table: tables }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('replace'), table: fc.constant('logs_new'), id: ids, row }),
  },
);
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('commit'),
      transactions: fc.array(fc.array(change, { minLength: 1, maxLength: 6 }), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pause') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('crash'), in: fc.integer({ min: 0, max: 6 }) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'break' }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'lose slot' }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'deploy' }) },
);

export async function perform(
  step: Step,
  { source, deployer, records }: Replicating,
  crash: { in: number },
): Promise<void> {
  switch (step.kind) {
    case 'commit':
      for (const changes of step.transactions) {
        const isNew = changes.some(({ table }) => table === 'logs_new');
        if (isNew && !source.stateAt(await source.position()).has('logs_new'))
          source.createTable({ name: 'logs_new' });
        commit(source, changes);
      }
      return;
    case 'crash':
      crash.in = step.in;
      return;
    case 'break':
      source.breakStreams(new SourceFailure('closed', 'SVC_S1121', 'broken'));
      return;
    case 'pause':
      return turns(30);
    case 'lose slot':
      source.loseSlot(
        records().findLast(({ state }) => state === 'active')?.deploymentName ?? '',
        'wal_removed',
      );
      return;
    case 'deploy':
      await deployer.deploy(config);
  }
}

export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Commits the changes, but leaves out changes of missing rows. A table is replaced before all of them. */
export function commit(source: MemorySource, changes: readonly Change[]): void {
  for (const { kind, table } of changes) {
    if (kind !== 'replace') continue;
    source.dropTable(table);
    source.createTable({ name: table });
  }
  source.commit((transaction) => {
    for (const each of changes) {
      try {
        if (each.kind === 'truncate') transaction.truncate(each.table);
        else if (each.kind === 'remove') transaction.remove(each.table, each.id);
        else if (each.kind === 'rename') transaction.rename(each.table, each.id, each.to);
        else transaction.put(each.table, each.id, each.row);
      } catch {}
    }
  });
}

/** Wraps a storage, so that it fails once: before or after the call at which the countdown ends. */
export function fragile(storage: Storage, crash: { in: number }): Storage {
  const strike = () => {
    if (crash.in < 0) return;
    crash.in -= 1;
    if (crash.in < 0) throw new Error('crash');
  };
  return {
    ...storage,
    writer: async (deployment) => {
      const writer = await storage.writer(deployment);
      return writer === undefined ? undefined : wrap(writer, strike);
    },
  };
}

function wrap(writer: ReplicationWriter, strike: () => void): ReplicationWriter {
  const guarded = [
    'putTable',
    'write',
    'commit',
    'holdCheckpoints',
    'finishSnapshot',
    'deleteTable',
  ] as const;
  const wrapped = guarded.map((name) => [
    name,
    async (...args: never[]) => {
      strike();
      const result = await (writer[name] as (...given: never[]) => Promise<unknown>)(...args);
      strike();
      return result;
    },
  ]);
  return { ...writer, ...Object.fromEntries(wrapped) };
}

export function model(source: MemorySource, position: LogPosition, deployment: number): string {
  const { plans, options } = readSyncConfig(config, 'public');
  const evaluator = toConfigEvaluator(plans, { options, version: String(deployment) });
  const buckets = new Map<string, Map<string, string>>();
  const lookups = new Map<string, string[]>();
  for (const [table, rows] of source.stateAt(position)) {
    const evaluate = evaluator.rowsOf({ tag: 'default', schema: 'public', name: table });
    for (const each of rows) {
      const result = evaluate(each);
      for (const { bucket, table: type, id, data } of result.rows) {
        const contents = buckets.get(bucket) ?? new Map<string, string>();
        buckets.set(bucket, contents.set(`${type}/${id}/${table}`, data));
      }
      for (const { key, values } of result.entries) {
        lookups.set(key, [...(lookups.get(key) ?? []), JSON.stringify(values)].sort());
      }
    }
  }
  return describe(buckets, lookups);
}

export function describe(buckets: Map<string, Map<string, string>>, lookups: Map<string, string[]>): string {
  const rows = [...buckets].flatMap(([bucket, contents]) =>
    [...contents].map(([key, data]) => `${bucket} ${key.split('/').slice(0, 2).join('/')} ${sorted(data)}`),
  );
  const entries = [...lookups].map(([lookup, values]) => `lookup ${lookup} ${values.join()}`);
  return [...rows, ...entries].sort().join('\n');
}

function sorted(data: string): string {
  return JSON.stringify(Object.entries(JSON.parse(data)).sort());
}
