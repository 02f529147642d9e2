/**
 * Shortens histories without changing their meaning. Operations whose effect a later one covers become MOVE, from the newest to
 * the oldest. Then the beginning of a bucket, up to its first PUT, becomes one CLEAR. Ids and checksums stay, so that clients at
 * any position arrive at the same rows and the same checksum.
 */
import { kinds, textOfClear } from './operation.ts';
import type { OpId } from './storage.ts';
import { noValueSets } from './valueSets.ts';

/** The maximum number of operations in one step. */
export const compactionBatch = 2_000;

export interface KeptOp {
  readonly opId: OpId;
  readonly kind: number;
  readonly checksum: number;
  readonly target: OpId | null;
}

/** An operation with the beginning of its text, which identifies its row. The entire text may be large. */
export interface HeadedOp extends KeptOp {
  readonly head: string;
}

/** Returns the first of the ordered operations that one CLEAR can replace. */
export function clearableOf(ops: readonly KeptOp[]): readonly KeptOp[] {
  const put = ops.findIndex(({ kind }) => kind === kinds.PUT);
  return put === -1 ? ops : ops.slice(0, put);
}

export interface Clear extends KeptOp {
  readonly json: string;
  /** The kind of the operation that has the same id. */
  readonly replaced: number;
}

/** Returns the CLEAR that replaces the operations. It has the id of the last one. */
export function clearFor(ops: readonly KeptOp[]): Clear {
  const last = ops.at(-1);
  const opId = last?.opId ?? 0;
  const checksum = ops.reduce((sum, op) => (sum + op.checksum) % 2 ** 32, 0);
  const target = Math.max(...ops.map((op) => op.target ?? 0));
  return {
    opId,
    kind: kinds.CLEAR,
    checksum,
    target: target === 0 ? null : target,
    json: textOfClear(opId, checksum),
    replaced: last?.kind ?? kinds.MOVE,
  };
}

export interface LookupEntry {
  readonly opId: OpId;
  readonly lookup: string;
  readonly table: number;
  readonly sourceKey: string;
  readonly result: string;
}

/**
 * Finds unneeded entries of lookups. The entries must be ordered by their lookup and row, then by id. The result contains the
 * entries that a reader at the end does not need; each is returned only after an entry that covers it. Batches may end anywhere,
 * and `end` is called after the last one.
 */
export function findUnneeded(): {
  next(entry: LookupEntry): LookupEntry | undefined;
  end(): LookupEntry | undefined;
} {
  let previous: LookupEntry | undefined;
  const emptyResult = () => (previous?.result === noValueSets ? previous : undefined);
  return {
    next: (entry) => {
      const unneeded = isSameRow(previous, entry) ? previous : emptyResult();
      previous = entry;
      return unneeded;
    },
    end: emptyResult,
  };
}

function isSameRow(one: LookupEntry | undefined, other: LookupEntry): boolean {
  return one?.lookup === other.lookup && one.table === other.table && one.sourceKey === other.sourceKey;
}
