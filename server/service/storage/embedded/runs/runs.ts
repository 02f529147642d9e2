/**
 * Operations of a bucket that were written together, as one row of the database: most of what an operation would cost is
 * what a row costs. Runs of a bucket follow each other, and a published checkpoint never lies inside of one.
 */

import type { Database } from '../database.ts';
import { checkOfRun } from './checks.ts';
import { columns } from './columns.ts';
import { type Op, rowOf } from './runRows.ts';

/** Characters of several operations, at most: who needs a part of a run reads all of it. */
const longest = 32_768;

export interface RunBuilder {
  /** In the order of their ids. */
  add(bucket: number, op: Op): void;
  /** All that were added. */
  readonly runs: readonly Run[];
}

interface Run {
  readonly bucket: number;
  readonly ops: readonly Op[];
}

interface OpenRun extends Run {
  readonly ops: Op[];
  length: number;
}

export function gatherRuns(): RunBuilder {
  const latest = new Map<number, OpenRun>();
  const runs: Run[] = [];
  return {
    add: (bucket, op) => {
      let run = latest.get(bucket);
      if (run === undefined || run.length + op.json.length > longest) {
        run = { bucket, ops: [], length: 0 };
        latest.set(bucket, run);
        runs.push(run);
      }
      run.ops.push(op);
      run.length += op.json.length;
    },
    runs,
  };
}

/** Inside of transactions. */
export function insertRuns({ writing }: Database): (run: Run) => void {
  const insert = writing.prepare(
    `INSERT INTO runs (bucket, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  // `get` does what `run` does, and makes no object of what has changed.
  return ({ bucket, ops }) => {
    const row = rowOf(ops);
    insert.get(bucket, ...row, checkOfRun(bucket, row));
  };
}
