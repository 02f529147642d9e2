/** Random histories of a few rows: whatever happened, every client arrives at the rows that there are. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type {
  NewLookup,
  NewOp,
  OpId,
  ReplicationWriter,
  RowWrite,
  Storage,
} from '../../../../server/service/storage/storage.ts';
import { type Client, catchUp, newClient } from './client.ts';
import { activated, type CreateRig, commit, compact, key, positionAt, put, remove, writerOf } from './rig.ts';

type Step =
  | {
      readonly kind: 'put';
      readonly row: number;
      readonly buckets: readonly string[];
      readonly id: string;
      readonly data: number;
    }
  | { readonly kind: 'delete'; readonly row: number }
  | { readonly kind: 'write' | 'commit' | 'hold' | 'compact' | 'reopen' };

const buckets = ['a', 'b', 'c'];
const ids = ['x', 'y', 'z'];

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      row: fc.nat(4),
      buckets: fc.subarray(buckets),
      id: fc.constantFrom(...ids),
      data: fc.nat(3),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), row: fc.nat(4) }) },
  { weight: 4, arbitrary: fc.constant({ kind: 'write' as const }) },
  { weight: 6, arbitrary: fc.constant({ kind: 'commit' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'hold' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'compact' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'reopen' as const }) },
);

export function describeHistories(create: CreateRig, numRuns: number): void {
  test('clients of any age have the rows of the checkpoint, after any history', async () => {
    const histories = fc.array(anyStep, { minLength: 5, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        const rig = await create();
        try {
          let run = await start(await rig.open());
          for (const step of steps) {
            if (step.kind === 'reopen') {
              await run.storage.close();
              run = await run.reopened(await rig.open());
            } else await take(run, step);
          }
          await take(run, { kind: 'commit' });
        } finally {
          await rig.dispose();
        }
      }),
      { seed: 20_261_121, numRuns },
    );
  });
}

/** A row of the source as evaluation would place it. */
interface PlacedStep {
  readonly buckets: readonly string[];
  readonly id: string;
  readonly data: number;
}

interface Run {
  readonly storage: Storage;
  readonly deployment: number;
  readonly writer: ReplicationWriter;
  readonly rows: Map<number, PlacedStep>;
  /** The changes that have yet to be written. */
  readonly pending: RowWrite[];
  /** The clients with their state at each checkpoint. */
  readonly clients: Client[];
  readonly published: { opId: OpId; rows: ReadonlyMap<number, PlacedStep> };
  readonly source: { position: number; held: number };
  reopened(storage: Storage): Promise<Run>;
}

async function start(storage: Storage): Promise<Run> {
  const { deployment, writer } = await activated(storage);
  const run: Run = {
    storage,
    deployment,
    writer,
    rows: new Map(),
    pending: [],
    clients: [],
    published: { opId: 0, rows: new Map() },
    source: { position: 1, held: 0 },
    // The source sends unwritten changes again.
    reopened: async (opened) => ({ ...run, storage: opened, writer: await writerOf(opened, deployment) }),
  };
  return run;
}

async function take(run: Run, step: Exclude<Step, { kind: 'reopen' }>): Promise<void> {
  switch (step.kind) {
    case 'put':
      run.pending.push(changeOf(run, step.row, step));
      return;
    case 'delete':
      run.pending.push(changeOf(run, step.row, undefined));
      return;
    case 'write':
      await writePending(run);
      return;
    case 'hold':
      run.source.held = run.source.position + 2;
      await run.writer.holdCheckpoints(positionAt(run.source.held));
      return;
    case 'compact':
      await compact(run.storage, run.deployment);
      await checkClients(run);
      return;
    case 'commit':
      await commitAll(run);
  }
}

/** Returns the write for a change of a row, as replication derives it from the known state of the row. */
function changeOf({ rows }: Run, row: number, after: PlacedStep | undefined): RowWrite {
  const before = rows.get(row);
  if (after === undefined) rows.delete(row);
  else rows.set(row, after);
  const source = `row ${row}`;
  const isKept = (bucket: string) => after?.id === before?.id && after?.buckets.includes(bucket);
  const removed = (before?.buckets ?? []).filter((bucket) => !isKept(bucket));
  const ops: NewOp[] = [
    ...removed.map((bucket) => remove(bucket, before?.id ?? '', source)),
    ...(after?.buckets ?? []).map((bucket) => put(bucket, after?.id ?? '', `{"n":${after?.data}}`, source)),
  ];
  const lookups: NewLookup[] = [
    ...(before === undefined || before.id === after?.id ? [] : [{ lookup: before.id, values: [] }]),
    ...(after === undefined ? [] : [{ lookup: after.id, values: [[BigInt(row), BigInt(after.data)]] }]),
  ];
  const memberships = (after?.buckets ?? []).map((bucket) => ({
    bucket,
    type: 'todos',
    id: after?.id ?? '',
  }));
  const current = after && { values: undefined, memberships, lookups: [after.id] };
  return { table: 1, key: key(row), ops, lookups, current: current ?? null };
}

async function writePending({ writer, pending, rows }: Run): Promise<void> {
  await writer.write({ rows: pending.splice(0) });
  const known = await writer.currentRows(1, [0, 1, 2, 3, 4].map(key));
  const buckets = known.map((row) => row?.memberships.map(({ bucket }) => bucket));
  expect(buckets).toEqual([0, 1, 2, 3, 4].map((row) => rows.get(row)?.buckets));
}

async function commitAll(run: Run): Promise<void> {
  await writePending(run);
  const { source, published } = run;
  source.position += 1;
  const result = await commit(run.writer, source.position, run.deployment);
  expect(result.published).toBe(source.position >= source.held);
  if (result.checkpoint === undefined) return;
  expect(result.checkpoint.opId).toBeGreaterThanOrEqual(published.opId);
  Object.assign(published, { opId: result.checkpoint.opId, rows: new Map(run.rows) });
  const newest = await checkClients(run);
  run.clients.push(newest);
  // The oldest and some of the newest are enough.
  if (run.clients.length > 5) run.clients.splice(1, 1);
}

/** Each client catches up, and none is different from one that starts now. */
async function checkClients({ storage, deployment, clients, published }: Run): Promise<Client> {
  const reader = storage.reader(deployment);
  const expected = contentOf(published.rows);
  const sums = await reader.checksums(published.opId, buckets);
  const caughtUp = await Promise.all(
    [newClient(buckets), ...clients].map((client) => catchUp(client, reader, published.opId)),
  );
  for (const client of caughtUp) {
    expect(client.content()).toEqual(expected);
    expect(client.sums()).toEqual(sums.map(({ bucket, checksum }) => ({ bucket, checksum })));
  }
  const found = await reader.lookups(published.opId, ids, 100);
  expect(found).toEqual(lookupsOf(published.rows));
  return caughtUp[0] ?? newClient(buckets);
}

function contentOf(rows: ReadonlyMap<number, PlacedStep>): Record<string, Record<string, string>> {
  const inBucket = (bucket: string) =>
    [...rows].flatMap(([row, placed]) =>
      placed.buckets.includes(bucket)
        ? [[`todos/${placed.id}/1/row ${row}`, `{"n":${placed.data}}`] as const]
        : [],
    );
  return Object.fromEntries(buckets.map((bucket) => [bucket, Object.fromEntries(inBucket(bucket))]));
}

function lookupsOf(rows: ReadonlyMap<number, PlacedStep>): ReadonlyMap<string, unknown> {
  const sorted = [...rows].sort(([one], [other]) => one - other);
  const valuesOf = (id: string) =>
    sorted.filter(([, placed]) => placed.id === id).map(([row, { data }]) => [BigInt(row), BigInt(data)]);
  return new Map(ids.map((id) => [id, valuesOf(id)] as const).filter(([, values]) => values.length > 0));
}
