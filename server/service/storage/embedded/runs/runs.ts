/**
 * Runs: operations of a bucket that were written together, as one row of the database. Combining them is efficient, because most
 * of the cost of an operation is the cost of its row. Runs of a bucket do not overlap, and a published checkpoint is never inside
 * of a run.
 */
import type { Database } from '../database.ts';
import type { Backlog } from '../transactions.ts';
import { checkOfRun } from './checks.ts';
import { columns } from './columns.ts';
import { addOp, beginDraft, endDraft, type RunDraft, rowOf } from './drafts.ts';
import type { Op } from './runRows.ts';
import { storeAsItIs, storeCompressed } from './texts.ts';

/**
 * The limits of a run. A reader of a part reads the entire run, so a run is no longer than an answer. Runs should not be too
 * short either, because decompressing one takes at least 20 µs. `size`: the bytes of several operations.
 */
const most = { size: 131_072, ops: 1_000 } as const;
/** The maximum number of bytes that wait to be written. */
const mostWaiting = 6_000_000;

interface RunBuilder extends Backlog {
  /**
   * Adds an operation. Ids must increase. It must be called inside of a transaction, which must not end before {@link
   * Backlog.write}.
   */
  add(bucket: number, op: Op): void;
}

/**
 * Collects operations into runs. A table is copied in small pages, each with a few rows for each bucket, so a run combines the
 * rows of as many pages as fit. Runs are written in the order of their first operations, so that they are appended to the table.
 */
export function gatherRuns(insert: (run: RunDraft) => void): RunBuilder {
  const latest = new Map<number, RunDraft>();
  const waiting = new Set<RunDraft>();
  let size = 0;
  const writeWhile = (isDue: (run: RunDraft) => boolean): void => {
    for (const run of waiting) {
      if (!isDue(run)) return;
      insert(run);
      forget(run);
    }
  };
  const forget = (run: RunDraft): void => {
    waiting.delete(run);
    size -= run.size;
    endDraft(run);
  };
  const begin = (bucket: number, op: Op): RunDraft => {
    const run = beginDraft(bucket, op);
    latest.set(bucket, run);
    // The previous run of this bucket is full, and may now be the first one that can be written.
    writeWhile((each) => latest.get(each.bucket) !== each);
    waiting.add(run);
    return run;
  };
  const write = (): void => {
    writeWhile(() => true);
    latest.clear();
  };
  return {
    add: (bucket, op) => {
      let run = latest.get(bucket);
      if (run === undefined || isFull(run, op)) run = begin(bucket, op);
      const before = run.size;
      addOp(run, op);
      size += run.size - before;
      if (size >= mostWaiting) write();
    },
    write,
    drop: () => {
      latest.clear();
      for (const run of waiting) forget(run);
    },
  };
}

function isFull({ count, size }: RunDraft, { json }: Op): boolean {
  return count === most.ops || size + json.length > most.size;
}

/** Returns a function that inserts a run, inside of transactions. */
export function insertRuns({ writing, hasZstd }: Database): (run: RunDraft) => void {
  const store = hasZstd ? storeCompressed : storeAsItIs;
  const insert = writing.prepare(
    `INSERT INTO runs (bucket, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  // `get` does the same as `run`, but does not create an object for the result.
  return (run) => {
    const row = rowOf(run, store);
    insert.get(run.bucket, ...row, checkOfRun(run.bucket, row));
  };
}
