/** The helpers of the storage contract's tests. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { LogPosition } from '../../../../server/service/ground/logPosition.ts';
import { toLsn } from '../../../../server/service/replication/postgres/lsn.ts';
import { jsonOfChunk } from '../../../../server/service/storage/chunks.ts';
import type { Decide } from '../../../../server/service/storage/deployment.ts';
import type {
  BucketReader,
  CommitResult,
  CompactionOptions,
  CompactionReport,
  NewOp,
  NewTable,
  OpChunk,
  OpId,
  ReplicationWriter,
  RowWrite,
  Storage,
} from '../../../../server/service/storage/storage.ts';
import { tableId } from '../../../support/service/sourceIds.ts';

/** One storage and its data. */
export interface StorageRig {
  /** Opens the data; once at a time. */
  open(): Promise<Storage>;
  /** Closes the storage and deletes its data. */
  dispose(): Promise<void>;
}

/** Each test has a storage of its own. */
export type CreateRig = () => Promise<StorageRig>;

export function positionAt(position: number): LogPosition {
  return toLsn(BigInt(position));
}

/** A deployment that copies; the others stop. */
export async function deploy(storage: Storage, content = 'streams: {}'): Promise<number> {
  const insert: Decide = () => [
    { kind: 'insert', content, storageVersion: 2, deploymentNameOf: (id) => `slot_${id}`, at: 1_000 },
  ];
  const records = await storage.deployments.change(insert);
  return records.at(-1)?.id ?? 0;
}

/** Decides the effect of a first checkpoint: this deployment becomes active, and the others stop. */
export function activating(deployment: number): Decide {
  return (records) =>
    records.flatMap(({ id, state }) => {
      if (id === deployment) return { kind: 'state', id, state: 'active' };
      return state === 'active' || state === 'errored' ? { kind: 'state', id, state: 'stopped' } : [];
    });
}

export const nothing: Decide = () => [];

export async function writerOf(storage: Storage, deployment: number): Promise<ReplicationWriter> {
  const writer = await storage.writer(deployment);
  if (writer === undefined) throw new Error('Another one writes');
  return writer;
}

/** A deployment whose snapshot is done, its writer, and its first checkpoint. */
export async function activated(storage: Storage) {
  const deployment = await deploy(storage);
  const writer = await writerOf(storage, deployment);
  await writer.finishSnapshot(positionAt(1));
  await commit(writer, 1, deployment);
  return { deployment, writer, reader: storage.reader(deployment) };
}

export function commit(
  writer: ReplicationWriter,
  position: number,
  deployment: number,
): Promise<CommitResult> {
  return writer.commit(positionAt(position), { activate: activating(deployment), at: 2_000 + position });
}

export const todos: NewTable = {
  schema: 'public',
  name: 'todos',
  sourceId: tableId(16_385),
  identity: [{ name: 'id', type: 'uuid' }],
  identityKind: 'default',
  copied: false,
};

/** A UUID that ends with the number, and is after those of lower ones. Three at a time begin with the same. */
export function key(number: number): string {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  return `${hex(Math.floor(number / 3), 8)}-0000-5000-8000-${hex(number, 12)}`;
}

export function put(bucket: string, id: string, data = `{"id":"${id}"}`, row = id): NewOp {
  const checksum = hash(`put.todos.${id}.${data}`);
  return { bucket, op: 'PUT', checksum, type: 'todos', id, subkey: `1/${row}`, data };
}

export function remove(bucket: string, id: string, row = id): NewOp {
  const subkey = `1/${row}`;
  return { bucket, op: 'REMOVE', checksum: hash(`delete.${subkey}`), type: 'todos', id, subkey };
}

function hash(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32LE(0);
}

/** Returns the change of one row to these operations. Its known state follows from its PUTs. */
export function change(number: number, ops: readonly NewOp[], more: Partial<RowWrite> = {}): RowWrite {
  const memberships = ops
    .filter(({ op }) => op === 'PUT')
    .map(({ bucket, type, id }) => ({ bucket, type, id }));
  const current = memberships.length === 0 ? null : { values: undefined, memberships, lookups: [] };
  return { table: 1, key: key(number), ops, lookups: [], current, ...more };
}

/** All operations of the buckets, page after page. */
export async function readAll(
  reader: BucketReader,
  checkpoint: OpId,
  buckets: readonly string[],
  after: OpId = 0,
): Promise<readonly OpChunk[]> {
  const chunks: OpChunk[] = [];
  const positions = new Map(buckets.map((bucket) => [bucket, after]));
  for (;;) {
    const from = [...positions].map(([bucket, position]) => ({ bucket, after: position }));
    const page = await reader.read(checkpoint, from);
    if (page.every(({ count }) => count === 0)) return [...chunks, ...page];
    for (const chunk of page) positions.set(chunk.bucket, chunk.nextAfter);
    chunks.push(...page);
  }
}

export interface Line {
  readonly op_id: string;
  readonly op: 'PUT' | 'REMOVE' | 'MOVE' | 'CLEAR';
  readonly checksum: number;
  readonly object_type?: string;
  readonly object_id?: string;
  readonly subkey?: string;
  readonly data?: string | null;
}

export function linesOf(chunks: readonly OpChunk[]): Line[] {
  return chunks.flatMap((chunk) => {
    const lines = JSON.parse(jsonOfChunk(chunk)) as Line[];
    expect(lines).toHaveLength(chunk.count);
    return lines;
  });
}

/** `3 PUT a`: enough to recognise an operation. */
export function drawn(chunks: readonly OpChunk[]): string[] {
  return linesOf(chunks).map(({ op_id, op, object_id }) => [op_id, op, object_id].filter(Boolean).join(' '));
}

export function compact(
  storage: Storage,
  deployment: number,
  options: Partial<CompactionOptions> = {},
): Promise<CompactionReport> {
  return storage.compact(deployment, {
    lookups: true,
    now: 10_000_000,
    requestRetention: 3_600_000,
    signal: new AbortController().signal,
    ...options,
  });
}
