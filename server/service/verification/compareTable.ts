/**
 * Compares a table of the source with the storage while both change. A row that differs in the first comparison is wrong only if
 * no operation was written for it since the comparison began, although replication has passed the position at which the row was
 * read from the source. Only then will no pending change correct the row.
 */

import type { RowSide } from '../../engine/plan/evaluate/evaluate.ts';
import type { RowResult } from '../../engine/plan/evaluate/rows.ts';
import type { Row } from '../../engine/plan/evaluate/scope.ts';
import { identityText } from '../replication/rows/identity.ts';
import { checksumOfPut, withoutDoubles } from '../replication/rows/rowChange.ts';
import { fullName, type ReplicatedTable, toReplicatedTable } from '../replication/rows/tables.ts';
import type { SourceStream, TableInfo } from '../replication/source.ts';
import type { CurrentRow, LookupPlace, OpId, StoredContents, StoredTable } from '../storage/storage.ts';
import { noValueSets, writeValueSets } from '../storage/valueSets.ts';
import type { Budget } from './budget.ts';
import { type BucketHistory, placeOf, sumOfResult } from './history.ts';
import { lookupsBucket, type Picture, type PictureEntry } from './picture.ts';

type Difference = 'missing' | 'stale' | 'extra';

export interface TableReport extends Readonly<Record<Difference, number>> {
  readonly table: string;
  /** The number of rows in the source. */
  readonly rows: number;
  /** The number of stored rows. */
  readonly stored: number;
  /** The number of rows that changed during the comparison or cannot be read. */
  readonly unjudged: number;
  /** The number of rows that differed in the first comparison but were not compared again, because there were too many. */
  readonly more: number;
  /** The first few wrong rows. */
  readonly examples: readonly { readonly difference: Difference; readonly row: string }[];
  /** The differences between the table and its definition when it was copied, as phrases. Rows of both may have other values. */
  readonly changes?: readonly string[];
  /** The reason if the table was not compared. */
  readonly skipped?: string;
}

export interface WrongRow {
  readonly memberships: CurrentRow['memberships'];
  readonly lookups: readonly string[];
}

export interface TableComparison {
  readonly report: TableReport;
  /** The stored data of each wrong row, by its key. */
  readonly wrong: ReadonlyMap<string, WrongRow>;
  /** Whether existing operations have been lost, so that the histories cannot be trusted. */
  readonly hasLost: boolean;
}

interface ComparisonParts {
  readonly history: BucketHistory;
  readonly picture: Picture;
  readonly stored: StoredContents;
  readonly stream: SourceStream;
  readonly evaluator: RowSide;
  readonly tag: string;
  /** Returns an operation. From now on, the source shows everything that replication has stored up to it. */
  readonly settle: () => Promise<OpId>;
  /** Resolves to true when everything up to the current position of the source is published, or to false if that takes too long. */
  readonly catchUp: () => Promise<boolean>;
  readonly budget: Budget;
  readonly signal: AbortSignal;
}

/** The maximum number of rows that are compared again. Each takes about a kilobyte of memory. */
const mostSuspects = 20_000;
const mostExamples = 10;
const rowsAtOnce = 1_000;

interface Suspect {
  readonly name: string;
  /** The expected checksums by {@link nameOf}. Undefined if the source does not have the row. */
  readonly expected: ReadonlyMap<string, number> | undefined;
  readonly current: CurrentRow | undefined;
}

export async function compareTable(
  info: TableInfo,
  record: StoredTable,
  parts: ComparisonParts,
): Promise<TableComparison> {
  if (info.identityKind === 'nothing' || info.identity.length === 0)
    return skippedTable(fullName(info), 'its rows cannot be distinguished');
  const { history, picture, stream, evaluator, tag, budget, signal } = parts;
  const table = toReplicatedTable(info, record, { evaluator, source: { tag } });
  const suspects = new Map<string, Suspect>();
  const counts = { ...none };
  const suspect = (key: string, found: Suspect) => {
    if (suspects.size < mostSuspects) suspects.set(key, found);
    else counts.more += 1;
  };

  picture.forgetSeen();
  const since = await parts.settle();
  const touched = new Set<string>();
  const touch = (at: number, key: string, opId: OpId) => {
    if (at === record.id && opId > since) touched.add(key);
  };
  await history.advance(touch);
  let unreadable = 0;
  for await (const page of stream.copy(info, undefined, signal)) {
    unreadable += page.failed.length;
    counts.rows += page.rows.length + page.failed.length;
    await compareRows(page.rows, table, parts, suspect);
    // A page that cannot be resumed belongs to one long statement, which should not stay open.
    if (page.progress.lastKey !== undefined) await budget.rest();
  }
  await budget.rest();
  counts.stored = await findExtra(record.id, parts, suspect);
  counts.unjudged += unreadable;
  if (suspects.size === 0 || signal.aborted)
    return { report: { table: fullName(info), ...counts, examples: [] }, wrong: new Map(), hasLost: false };

  const isCaughtUp = await parts.catchUp();
  const end = await history.advance((at, key, opId) => {
    if (suspects.has(key)) touch(at, key, opId);
  });
  const lookups = await latestLookups(record.id, suspects, end.opId, parts);
  const wrong = new Map<string, WrongRow>();
  const examples: { difference: Difference; row: string }[] = [];
  let hasLost = false;
  for (const [key, each] of suspects) {
    const { name, expected, current } = each;
    const latest = lookups.get(key) ?? { entries: [], newest: 0 };
    const inBuckets = picture.entriesOf(record.id, key).filter(({ bucket }) => bucket !== lookupsBucket);
    const entries = [...inBuckets, ...latest.entries];
    const found = foundIn(entries, history);
    if (expected !== undefined && isAsExpected(expected, found, current)) continue;
    // If a row cannot be read, its former version stays stored.
    const mayBeUnreadable = expected === undefined && unreadable > 0;
    if (!isCaughtUp || touched.has(key) || latest.newest > since || mayBeUnreadable) {
      counts.unjudged += 1;
      continue;
    }
    const lists = listsOf(each, entries, history);
    const difference = differenceOf(each, found);
    counts[difference] += 1;
    if (examples.length < mostExamples) examples.push({ difference, row: name || textOf(lists, key) });
    hasLost ||= hasLostEntries(each, found);
    wrong.set(key, lists);
  }
  return { report: { table: fullName(info), ...counts, examples }, wrong, hasLost };
}

async function compareRows(
  rows: readonly Row[],
  table: ReplicatedTable,
  { picture, stored, history }: ComparisonParts,
  suspect: (key: string, found: Suspect) => void,
): Promise<void> {
  const { id } = table.stored;
  const keys = rows.map(table.keyOf);
  const currents = await stored.currentRows(id, keys);
  rows.forEach((row, index) => {
    const key = keys[index] as string;
    picture.see(key);
    const result = evaluate(table, row);
    if (result === undefined) return;
    const expected = expectedOf(result);
    const current = currents[index];
    if (isAsExpected(expected, foundIn(picture.entriesOf(id, key), history), current)) return;
    suspect(key, { name: identityText(table.info, row), expected, current });
  });
}

/** Evaluates a row. Errors of the evaluation are ignored here, because they are reported when the row is replicated. */
function evaluate(table: ReplicatedTable, row: Row): RowResult | undefined {
  try {
    return table.evaluate(row);
  } catch {
    return undefined;
  }
}

/** Finds stored rows that the source does not have. Returns the number of stored rows. */
async function findExtra(
  table: number,
  { picture, stored, budget, signal }: ComparisonParts,
  suspect: (key: string, found: Suspect) => void,
): Promise<number> {
  const extra = { name: '', expected: undefined };
  let count = 0;
  for (let last: string | undefined; !signal.aborted; ) {
    const some = await stored.rowsAfter(table, last);
    count += some.length;
    for (const row of some) {
      if (picture.isSeen(row.key) || row.memberships.length + row.lookups.length === 0) continue;
      picture.see(row.key);
      suspect(row.key, { ...extra, current: row });
    }
    last = some.at(-1)?.key;
    await budget.rest();
    if (last === undefined) break;
  }
  for (let last = ''; !signal.aborted; ) {
    const some = picture.unseen(table, last, rowsAtOnce);
    for (const key of some) suspect(key, { ...extra, current: undefined });
    last = some.at(-1) ?? last;
    await budget.rest();
    if (some.length === 0) break;
  }
  return count;
}

/** Returns the name by which both sides are compared, for a place in a bucket or for a lookup. */
function nameOf(bucket: string, place: string): string {
  return `${bucket} ${place}`;
}

function lookupName(lookup: string): string {
  // Lookups use an empty name, because every bucket has a name.
  return nameOf('', lookup);
}

function expectedOf({ rows, entries }: RowResult): ReadonlyMap<string, number> {
  const expected = new Map<string, number>();
  for (const { bucket, table, id, data } of rows)
    expected.set(nameOf(bucket, placeOf(table, id)), checksumOfPut(table, id, data));
  const sets = new Map<string, RowResult['entries'][number]['values'][]>();
  for (const { key, values } of entries) {
    const known = sets.get(key);
    if (known === undefined) sets.set(key, [values]);
    else known.push(values);
  }
  for (const [lookup, values] of sets) expected.set(lookupName(lookup), sumOfResult(writeValueSets(values)));
  return expected;
}

/** The stored rows that clients get, by {@link nameOf}, with the checksums of their content. */
type StoredSums = ReadonlyMap<string, number>;

function foundIn(entries: readonly PictureEntry[], history: BucketHistory): StoredSums {
  return new Map(
    entries.map(({ bucket, place, sum }) => [
      bucket === lookupsBucket ? lookupName(place) : nameOf(history.nameOf(bucket), place),
      sum,
    ]),
  );
}

function namesIn(current: CurrentRow | undefined): readonly string[] {
  const { memberships = [], lookups = [] } = current ?? {};
  return [
    ...memberships.map(({ bucket, type, id }) => nameOf(bucket, placeOf(type, id))),
    ...lookups.map(lookupName),
  ];
}

function isAsExpected(
  expected: ReadonlyMap<string, number>,
  found: StoredSums,
  current: CurrentRow | undefined,
) {
  const names = namesIn(current);
  if (found.size !== expected.size || names.length !== expected.size) return false;
  for (const [name, sum] of expected) if (found.get(name) !== sum) return false;
  return names.every((name) => expected.has(name));
}

function differenceOf({ expected, current }: Suspect, found: StoredSums): Difference {
  if (expected === undefined) return 'extra';
  return found.size === 0 && namesIn(current).length === 0 ? 'missing' : 'stale';
}

/** Whether operations were lost: the current row is in a bucket whose history does not contain it. */
function hasLostEntries({ current }: Suspect, found: StoredSums): boolean {
  const { memberships = [] } = current ?? {};
  return memberships.some(({ bucket, type, id }) => !found.has(nameOf(bucket, placeOf(type, id))));
}

function listsOf({ current }: Suspect, entries: readonly PictureEntry[], history: BucketHistory): WrongRow {
  const memberships = entries
    .filter(({ bucket }) => bucket !== lookupsBucket)
    .map(({ bucket, place }) => {
      const [type, id] = JSON.parse(place) as [string, string];
      return { bucket: history.nameOf(bucket), type, id };
    });
  const lookups = entries.filter(({ bucket }) => bucket === lookupsBucket).map(({ place }) => place);
  return {
    memberships: withoutDoubles([...(current?.memberships ?? []), ...memberships]),
    lookups: [...new Set([...(current?.lookups ?? []), ...lookups])],
  };
}

function textOf({ memberships: [first] }: WrongRow, key: string): string {
  return first === undefined ? key : `${first.type}/${first.id}`;
}

interface LatestLookups {
  /** The entries with values. */
  readonly entries: PictureEntry[];
  newest: OpId;
}

/** Returns the latest lookups of the rows that differ. */
async function latestLookups(
  table: number,
  suspects: ReadonlyMap<string, Suspect>,
  checkpoint: OpId,
  { picture, stored }: ComparisonParts,
): Promise<ReadonlyMap<string, LatestLookups>> {
  const wanted: LookupPlace[] = [];
  for (const [key, { expected, current }] of suspects) {
    const names = new Set(current?.lookups);
    for (const { bucket, place } of picture.entriesOf(table, key))
      if (bucket === lookupsBucket) names.add(place);
    for (const name of expected?.keys() ?? []) if (name.startsWith(' ')) names.add(name.slice(1));
    for (const lookup of names) wanted.push({ lookup, table, key });
  }
  const found = new Map<string, LatestLookups>();
  for (let start = 0; start < wanted.length; start += rowsAtOnce) {
    const some = await stored.lookupsOf(checkpoint, wanted.slice(start, start + rowsAtOnce));
    for (const { key, lookup, opId, result } of some) {
      const latest = found.get(key) ?? { entries: [], newest: 0 };
      found.set(key, latest);
      latest.newest = Math.max(latest.newest, opId);
      if (result !== noValueSets)
        latest.entries.push({ bucket: lookupsBucket, place: lookup, sum: sumOfResult(result) });
    }
  }
  return found;
}

type Counts = {
  -readonly [each in Exclude<keyof TableReport, 'table' | 'examples' | 'changes' | 'skipped'>]: number;
};

const none: Counts = { rows: 0, stored: 0, missing: 0, stale: 0, extra: 0, unjudged: 0, more: 0 };

export function skippedTable(table: string, reason: string): TableComparison {
  const report = { table, ...none, examples: [], skipped: reason };
  return { report, wrong: new Map(), hasLost: false };
}
