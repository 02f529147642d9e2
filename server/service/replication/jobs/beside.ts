/**
 * Copies what is added to a deployment, while its stream goes on: only the tables that the added parts read, and of each row
 * only what these parts make of it.
 *
 * A page may be newer than the stream. What has happened to its rows since then comes with the stream, which evaluates all
 * parts; until it has passed the end of the copy, nobody is served the added ones. A page must never be older: rows that the
 * stream has changed since the page's statement may have begun are left out of it, for they have all parts already.
 *
 * It is done in pieces, between events of the stream.
 */
import { belongsTo } from '../../../engine/plan/evaluate/names.ts';
import { type Lsn, laterOf } from '../../ground/lsn.ts';
import type { BesideProgress, RowWrite, StoredTable } from '../../storage/storage.ts';
import { addToRow } from '../rows/besideRow.ts';
import type { RowChange } from '../rows/flush.ts';
import { identityText } from '../rows/identity.ts';
import { sizeOfRow } from '../rows/rowCodec.ts';
import { type ReplicatedTable, toReplicatedTable } from '../rows/tables.ts';
import type { CopyPage, TableInfo } from '../source.ts';
import { SourceFailure } from '../source.ts';
import { type CopiedTable, openBesideTables } from './besideTables.ts';
import { mayEnd, readAhead, storeProblems } from './copy.ts';
import { restBefore } from './pace.ts';
import type { BesideWork, Chore, Replication } from './replication.ts';
import { delayAfter } from './retry.ts';

export interface BesideCopy {
  chores(signal: AbortSignal): AsyncGenerator<Chore, void>;
  /** Whether only what is added needs a table. */
  isAlone(table: Pick<TableInfo, 'schema' | 'name'>): boolean;
  /** The stream reports a table that only what is added needs. */
  take(info: TableInfo, stored: StoredTable | undefined): Promise<void>;
  /** The stream changes a row. */
  touch(change: RowChange): void;
  /** All that was read of a table, and is not written yet, is out of date. */
  interrupt(table: number): void;
  /** All parts of its rows are stored. */
  hasWhole(table: StoredTable): void;
  /** The table is another one now. */
  forget(table: number): void;
  /** What is stored of the added parts may be as late as this. */
  raise(position: Lsn): void;
  giveUp(reason: string): Promise<void>;
  /** What is added is served. */
  end(): void;
  /** All that is added is stored as it was at this position. */
  isCompleteAt(position: Lsn): boolean;
}

/** The most rows to remember, at about a hundred bytes each, before a statement begins again. */
const mostTouched = 50_000;
const durableRows = 40_000;
const durableBytes = 16_000_000;
/** Milliseconds. */
const lookedAtEvery = 500;

/** A statement that reads a table. */
interface Reading {
  readonly table: CopiedTable;
  readonly touched: Set<string>;
  isOutdated: boolean;
}

/** @param onTable from now on the changes of this one are stored for what is added */
export function openBesideCopy(
  replication: Replication,
  work: BesideWork,
  onTable: (table: ReplicatedTable) => void,
): BesideCopy {
  const { source, stream, writer, reports, clock, log, slot } = replication;
  const { tag } = source;
  const isAdded = belongsTo(work.addedParts);
  let reading: Reading | undefined;
  let end: Lsn | undefined;
  let isGivenUp = false;
  let unsettled = { rows: 0, bytes: 0 };
  const ended = new AbortController();

  const raise = (position: Lsn) => {
    end = laterOf(position, end);
  };
  const giveUp = async (reason: string) => {
    if (isGivenUp) return;
    isGivenUp = true;
    log.write('info', `A sync config is copied as a whole: ${reason}`, { slot });
    await work.onGivenUp();
  };
  const tables = openBesideTables(replication, work, onTable, giveUp);

  async function* chores(stop: AbortSignal): AsyncGenerator<Chore, void> {
    const signal = AbortSignal.any([stop, ended.signal]);
    work.progress.enter('copying');
    let failures = 0;
    while (!signal.aborted && !isGivenUp) {
      try {
        if (!tables.isPrepared()) yield* tables.prepare(signal);
        else {
          await restBefore(work.pace, work.progress, signal);
          yield* copyNext(signal);
        }
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        const kind = error instanceof SourceFailure ? error.kind : 'other';
        await work.onFailure(error);
        await clock.sleep(delayAfter(kind, failures), signal);
      }
    }
  }

  async function* copyNext(signal: AbortSignal): AsyncGenerator<Chore, void> {
    const next = tables.next();
    if (next !== undefined) yield* read(next, signal);
    else if (tables.isFinished()) await clock.sleep(lookedAtEvery, signal);
    else {
      yield finish;
      if (tables.isWaiting()) await clock.sleep(lookedAtEvery, signal);
    }
  }

  /** What has changed while it was read comes with the stream. */
  const finish = async () => {
    if (!(await tables.finish())) return;
    raise(await source.position());
    work.progress.enter('streaming');
    await source.mark();
  };

  /** One statement, or several that follow each other. */
  async function* read(table: CopiedTable, signal: AbortSignal): AsyncGenerator<Chore, void> {
    const { info } = table;
    const stop = new AbortController();
    const own: Reading = { table, touched: new Set(), isOutdated: false };
    const abort = () => stop.abort();
    signal.addEventListener('abort', abort);
    reading = own;
    try {
      // From here on the stream's changes are remembered, and what it has told before is seen.
      await stream.settle(signal);
      const replicated = toReplicatedTable(info, table.stored, work.added, tag);
      const pages = readAhead(stream.copy(info, table.state.progress, stop.signal), abort);
      let known: Lsn | undefined;
      for await (const page of pages) {
        if (signal.aborted || isStale(own) || isGivenUp) return;
        if (page.isOfSameState !== true) known = undefined;
        const readUpTo = page.position ?? known ?? (await source.position());
        known = readUpTo;
        yield () => write(page, readUpTo, replicated, own);
        if (isStale(own) || table.state.copied) return;
        if (own.touched.size >= mostTouched && page.progress.lastKey !== undefined) return;
        if (!mayEnd(work.pace, page)) await work.pace.restUnlessPaused(signal);
        if (mayEnd(work.pace, page)) {
          yield settle;
          return;
        }
        work.progress.goOn(work.pace.limit());
      }
      if (signal.aborted || isStale(own)) return;
      const readUpTo = await source.position();
      yield async () => {
        if (isStale(own)) return;
        raise(readUpTo);
        await setState(table, { ...table.state, copied: true, readUpTo });
      };
    } finally {
      if (reading === own) reading = undefined;
      signal.removeEventListener('abort', abort);
      stop.abort();
    }
  }

  /** Nobody knows how long it rests. */
  const settle = async () => {
    unsettled = { rows: 0, bytes: 0 };
    await writer.write({ rows: [] });
  };
  const setState = async (table: CopiedTable, state: BesideProgress) => {
    table.state = state;
    table.stored = await writer.putTable(recordOf(table));
    tables.show(table);
  };
  /** What only the added parts need is copied with them. */
  const recordOf = ({ info, stored, state }: CopiedTable): StoredTable => ({
    ...stored,
    ...(tables.isAlone(info) && {
      copied: state.copied,
      ...(state.progress && { progress: state.progress }),
    }),
    beside: state,
  });

  const write = async (page: CopyPage, readUpTo: Lsn, table: ReplicatedTable, own: Reading) => {
    if (isStale(own) || isGivenUp) return;
    raise(readUpTo);
    const copied = own.table;
    for (const { identity, message } of page.failed) {
      const row = identityText(table.info, identity);
      reports.tell(table, table.keyOf(identity), { row, kind: 'failure', message });
    }
    const rows = await writesOf(page, table, own);
    const isLast = page.position !== undefined;
    copied.state = { deployment: work.id, copied: isLast, progress: page.progress, readUpTo };
    const bytes = page.rows.reduce((sum, row) => sum + sizeOfRow(row), 0);
    unsettled = { rows: unsettled.rows + page.rows.length, bytes: unsettled.bytes + bytes };
    work.pace.spend(page.rows.length);
    const isMuch = unsettled.rows >= durableRows || unsettled.bytes >= durableBytes;
    const goesOn = !isLast && !isMuch && !work.pace.isLongRest();
    if (!goesOn) unsettled = { rows: 0, bytes: 0 };
    copied.stored = recordOf(copied);
    await writer.write({ rows, progress: copied.stored, goesOn });
    await storeProblems(replication);
    tables.show(copied);
    work.progress.stored({ rows: page.rows.length, bytes, pages: 1 });
  };

  const writesOf = async (page: CopyPage, table: ReplicatedTable, { touched }: Reading) => {
    const { id } = table.stored;
    const byKey = new Map(page.rows.map((row) => [table.keyOf(row), row]));
    const keys = [...byKey.keys()].filter((key) => !touched.has(key));
    const there = await writer.currentRows(id, keys);
    return keys.flatMap((key, index): RowWrite[] => {
      const row = byKey.get(key);
      if (row === undefined) return [];
      const text = () => identityText(table.info, row);
      try {
        const { rows, entries, failures } = table.evaluate(row);
        for (const { stream: name, side, code } of failures) {
          const message = `A query of ${name} failed for a row, which it therefore leaves out: ${code}`;
          reports.tell(table, key, { row: text(), kind: `${name} ${side} ${code}`, message });
        }
        const place = { table: id, key, before: there[index] };
        const write = addToRow(place, { rows, entries, isAdded }, table.codec.encode(row));
        return write === undefined ? [] : [write];
      } catch {
        const message = 'A row could not be evaluated, because of a fault in this service';
        reports.tell(table, key, { row: text(), kind: 'fault', message });
        return [];
      }
    });
  };

  const interrupt = (table: number) => {
    if (reading?.table.stored.id === table) reading.isOutdated = true;
  };
  return {
    chores,
    isAlone: tables.isAlone,
    take: tables.take,
    touch: ({ table, key, ...change }) => {
      if (reading?.table.stored.id !== table.stored.id) return;
      reading.touched.add(key);
      if ('oldKey' in change && change.oldKey !== undefined) reading.touched.add(change.oldKey);
    },
    interrupt,
    hasWhole: tables.hasWhole,
    forget: tables.forget,
    raise,
    giveUp,
    end: () => ended.abort(),
    isCompleteAt: (position) => tables.isFinished() && !isGivenUp && end !== undefined && position >= end,
  };
}

/** What it has read of its table is out of date. */
function isStale({ isOutdated, table }: Reading): boolean {
  return isOutdated || table.isGone;
}
