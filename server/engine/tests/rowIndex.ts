/** Indexes the rows of a test by the buckets and lookup entries that they create. */
import type { LookupAnswer } from '../plan/evaluate/requests.ts';
import type { BucketRow } from '../plan/evaluate/rows.ts';
import type { SourceRow } from '../plan/values/source.ts';
import type { SqlValue } from '../plan/values/value.ts';
import type { RowOutcome, TestSubject } from './subject.ts';

/** A row of the source, from the test file or from an SQL file. */
export interface TestedRow {
  /** The table as the test names it. */
  readonly table: string;
  readonly id: string;
  readonly values: SourceRow;
}

/** Returns the id by which a test identifies a row; empty for a row without an id. */
export function rowId({ id }: SourceRow): string {
  return typeof id === 'string' || typeof id === 'bigint' || typeof id === 'number' ? String(id) : '';
}

interface DatabaseFailure {
  readonly row: TestedRow;
  readonly failure: RowOutcome['failures'][number];
}

export interface RowIndex {
  readonly rows: readonly TestedRow[];
  /** The number of rows. */
  readonly size: number;
  readonly failures: readonly DatabaseFailure[];
  readonly inBucket: (bucket: string) => readonly BucketRow[];
  readonly found: (key: string) => readonly (readonly SqlValue[])[];
}

/** Returns an index on top of another one, whose rows are not indexed again. */
export function toRowIndex(rows: readonly TestedRow[], subject: TestSubject, below?: RowIndex): RowIndex {
  const buckets = new Map<string, BucketRow[]>();
  const entries = new Map<string, (readonly SqlValue[])[]>();
  const failures: DatabaseFailure[] = [];
  for (const row of rows) {
    const result = subject.resultOf(row.table, row.values);
    for (const each of result.rows) append(buckets, each.bucket, each);
    for (const { key, values } of result.entries) append(entries, key, values);
    for (const failure of result.failures) failures.push({ row, failure });
  }
  if (below === undefined)
    return {
      rows,
      size: rows.length,
      failures,
      inBucket: (bucket) => buckets.get(bucket) ?? [],
      found: (key) => entries.get(key) ?? [],
    };
  let all: readonly TestedRow[] | undefined;
  return {
    // The rows are created lazily, because most tests need only a few of up to a million rows.
    get rows() {
      all ??= [...below.rows, ...rows];
      return all;
    },
    size: below.size + rows.length,
    failures: [...below.failures, ...failures],
    inBucket: (bucket) => joinLists(below.inBucket(bucket), buckets.get(bucket)),
    found: (key) => joinLists(below.found(key), entries.get(key)),
  };
}

/** Runs work that requests lookups, and returns its result. */
export function answerFrom<T>(
  database: Pick<RowIndex, 'found'>,
  asking: Generator<readonly string[], T, LookupAnswer>,
): T {
  let step = asking.next();
  while (!step.done) step = asking.next(new Map(step.value.map((key) => [key, database.found(key)])));
  return step.value;
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [value]);
  else known.push(value);
}

function joinLists<T>(first: readonly T[], second: readonly T[] | undefined): readonly T[] {
  return second === undefined ? first : [...first, ...second];
}
