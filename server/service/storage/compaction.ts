/**
 * Shortens histories without changing their meaning. Operations whose effect a later one covers become MOVE, from the newest to
 * the oldest; then the beginning of a bucket, up to its first PUT, becomes one CLEAR. Ids and sums stay, so that clients at any
 * position arrive at the same rows and the same checksum.
 */
import { kinds, textOfClear } from './operation.ts';
import type { OpId } from './storage.ts';
import { noValueSets } from './valueSets.ts';

/** Operations of a step, at most. */
export const compactionBatch = 2_000;

export interface KeptOp {
  readonly opId: OpId;
  readonly kind: number;
  readonly checksum: number;
  readonly target: OpId | null;
}

/** An operation with the beginning of its text, which names its row. The text itself may be large. */
export interface HeadedOp extends KeptOp {
  readonly head: string;
}

/** Returns those of the operations, which are in order, that one CLEAR can replace, beginning with the first one. */
export function clearableOf(ops: readonly KeptOp[]): readonly KeptOp[] {
  const put = ops.findIndex(({ kind }) => kind === kinds.PUT);
  return put === -1 ? ops : ops.slice(0, put);
}

export interface Clear extends KeptOp {
  readonly json: string;
  /** Kind of the operation whose id it has. */
  readonly replaced: number;
}

/** The CLEAR that replaces them, at the id of the last one. */
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
 * Given the entries of lookups ordered by what they are about, then by id: yields the ones that a reader at the end
 * does not need, none before what covers it. Batches may end anywhere; `end` follows the last one.
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
