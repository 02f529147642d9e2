/**
 * Operations of a bucket that were written together, as one row of the database: most of what an operation would cost is
 * what a row costs. Runs of a bucket follow each other, and a published checkpoint never lies inside of one.
 */
import type { Database } from '../database.ts';
import type { Backlog } from '../transactions.ts';
import { checkOfRun } from './checks.ts';
import { columns } from './columns.ts';
import { addOp, beginDraft, endDraft, type RunDraft, rowOf } from './drafts.ts';
import type { Op } from './runRows.ts';
import { storeAsItIs, storeCompressed } from './texts.ts';

/**
 * The limits of a run. A reader of a part reads all of it, so it is no longer than an answer; decompressing one takes 20 µs,
 * however short it is. `size`: bytes of several operations.
 */
const most = { size: 131_072, ops: 1_000 } as const;
/** Bytes that wait to be written, at most. */
const mostWaiting = 6_000_000;

interface RunBuilder extends Backlog {
  /** Adds an operation, in the order of the ids; inside of a transaction, which must not end before {@link Backlog.write}. */
  add(bucket: number, op: Op): void;
}

/**
 * Gathers runs. A table is copied in small pages, of which each bucket may get a few rows, so a run combines as many of them as
 * there is room for. Runs are written in the order of their first operations: at the end of the table.
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
    // The one before is full, and may be the first of all.
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

/** Inside of transactions. */
export function insertRuns({ writing, hasZstd }: Database): (run: RunDraft) => void {
  const store = hasZstd ? storeCompressed : storeAsItIs;
  const insert = writing.prepare(
    `INSERT INTO runs (bucket, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  // `get` does the same as `run`, and creates no object about the changes.
  return (run) => {
    const row = rowOf(run, store);
    insert.get(run.bucket, ...row, checkOfRun(run.bucket, row));
  };
}
