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
import { replicates } from '../../../engine/plan/evaluate/evaluate.ts';
import { belongsTo } from '../../../engine/plan/evaluate/names.ts';
import { type Lsn, laterOf, zeroLsn } from '../../ground/lsn.ts';
import type { BesideProgress, RowWrite, StoredTable } from '../../storage/storage.ts';
import { addToRow } from '../rows/besideRow.ts';
import type { RowChange } from '../rows/flush.ts';
import { identityText } from '../rows/identity.ts';
import { sizeOfRow } from '../rows/rowCodec.ts';
import { fullName, newTable, type ReplicatedTable, resolveTable, toReplicatedTable } from '../rows/tables.ts';
import type { CopyPage, TableInfo } from '../source.ts';
import { SourceFailure } from '../source.ts';
import { dropTable, mayEnd, measure, readAhead, storeProblems } from './copy.ts';
import { strayFrom } from './history.ts';
import { restBefore } from './pace.ts';
import type { BesideWork, Chore, Replication } from './replication.ts';
import { delayAfter } from './retry.ts';

export interface BesideCopy {
  /** Before the first change is read. */
  begin(): Promise<void>;
  chores(signal: AbortSignal): AsyncGenerator<Chore, void>;
  /** Whether only what is added needs a table. */
  isAlone(table: Pick<TableInfo, 'schema' | 'name'>): boolean;
  /** A table of which nothing is stored, and that only what is added needs; undefined where that cannot be copied here. */
  add(info: TableInfo): Promise<StoredTable | undefined>;
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

interface CopiedTable {
  info: TableInfo;
  stored: StoredTable;
  state: BesideProgress;
  isGone: boolean;
}

/** A statement that reads a table. */
interface Reading {
  readonly table: CopiedTable;
  readonly touched: Set<string>;
  isOutdated: boolean;
}

export function openBesideCopy(replication: Replication, work: BesideWork): BesideCopy {
  const { source, stream, writer, reports, clock, log, slot, served } = replication;
  const { tag } = source;
  const isAdded = belongsTo(work.addedParts);
  const tables = new Map<number, CopiedTable>();
  /** Those that the stream copies as a whole, by their full names. */
  const awaited = new Map<string, TableInfo>();
  let reading: Reading | undefined;
  let end: Lsn | undefined;
  let isDone = false;
  let isGivenUp = false;
  let unsettled = { rows: 0, bytes: 0 };
  const ended = new AbortController();

  const isAlone: BesideCopy['isAlone'] = ({ schema, name }) =>
    replicates(work.added.tables, { tag, schema, name }) && !replicates(served, { tag, schema, name });
  const raise = (position: Lsn) => {
    end = laterOf(position, end);
  };
  const giveUp = async (reason: string) => {
    if (isGivenUp) return;
    isGivenUp = true;
    log.write('info', `A sync config is copied as a whole: ${reason}`, { slot });
    await work.onGivenUp();
  };
  const follow = (info: TableInfo, stored: StoredTable) => {
    const known = stored.beside?.deployment === work.id ? stored.beside : undefined;
    const state = known ?? { deployment: work.id, copied: false };
    tables.set(stored.id, { info, stored, state, isGone: false });
    if (!state.copied) isDone = false;
    show({ info, stored, state });
  };
  /** The table as this copy sees it: without what was copied for the serving deployment. */
  const ofCopy = ({
    stored,
    info,
    state: { copied, progress },
  }: Omit<CopiedTable, 'isGone'>): StoredTable => ({
    ...stored,
    copied,
    progress: progress ?? {
      copiedRows: 0,
      ...(info.estimatedRows !== undefined && { estimatedRows: info.estimatedRows }),
    },
  });
  const show = (table: Omit<CopiedTable, 'isGone'>) => work.progress.table(ofCopy(table));
  const add = async (info: TableInfo): Promise<StoredTable | undefined> => {
    if (!canBeCopied(info)) {
      await giveUp(`rows of ${fullName(info)} cannot be distinguished.`);
      return undefined;
    }
    const beside = { deployment: work.id, copied: false };
    const { estimatedRows } = info;
    const stored = await writer.putTable({
      ...newTable(info),
      beside: {
        ...beside,
        ...(estimatedRows !== undefined && { progress: { copiedRows: 0, estimatedRows } }),
      },
    });
    follow(info, stored);
    return stored;
  };
  /** Returns whether the copy can be relied on. */
  const goesOn = async (all: readonly StoredTable[]): Promise<boolean> => {
    const positions = all.flatMap(({ beside }) =>
      beside?.deployment === work.id && beside.readUpTo !== undefined ? [beside.readUpTo] : [],
    );
    const read = positions.reduce((last, each) => laterOf(each, last), zeroLsn);
    if (read === zeroLsn) return true;
    const { origin } = replication;
    const passed = { acknowledged: read, last: read };
    const { end: logEnd } = await source.slotState(slot);
    if (logEnd !== undefined && logEnd < read) return false;
    return strayFrom({ ...(origin && { origin }), passed }, await source.history()) === undefined;
  };

  const begin = async () => {
    const stored = await writer.tables();
    if (!(await goesOn(stored))) {
      await giveUp('the source has lost what was read of it.');
      return;
    }
    for (const { table: info, replicated, problems, pattern } of await source.tables(work.added.tables)) {
      const name = info === undefined ? `${pattern.schema.text}.${pattern.name.text}` : fullName(info);
      for (const { message } of problems) log.write('warn', message, { table: name });
      if (info === undefined || !replicated) continue;
      const { reused, dropped } = resolveTable(info, stored);
      if (!isAlone(info)) {
        if (reused?.copied !== true) awaited.set(name, info);
        else if (canBeCopied(info)) follow(info, reused);
        else await giveUp(`rows of ${name} cannot be distinguished.`);
        continue;
      }
      const isOurs = reused?.beside?.deployment === work.id;
      // What nobody has followed is out of date.
      for (const gone of isOurs ? dropped : [...dropped, ...(reused ? [reused] : [])])
        await dropTable(replication, gone);
      if (reused !== undefined && isOurs) follow(info, reused);
      else await add(info);
    }
  };

  async function* chores(stop: AbortSignal): AsyncGenerator<Chore, void> {
    const signal = AbortSignal.any([stop, ended.signal]);
    work.progress.enter('copying');
    for (const table of tables.values()) {
      if (table.state.copied || signal.aborted) continue;
      table.info = await measure(replication, table.info, ofCopy(table), work.progress);
    }
    let failures = 0;
    while (!signal.aborted && !isGivenUp) {
      await restBefore(work.pace, work.progress, signal);
      const next = [...tables.values()].find(({ state, isGone }) => !state.copied && !isGone);
      try {
        if (next !== undefined) yield* read(next, signal);
        else if (isDone) await clock.sleep(lookedAtEvery, signal);
        else yield finish;
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        const kind = error instanceof SourceFailure ? error.kind : 'other';
        await work.onFailure(error);
        await clock.sleep(delayAfter(kind, failures), signal);
      }
      if (awaited.size > 0 && next === undefined) await clock.sleep(lookedAtEvery, signal);
    }
  }

  /** What has changed while it was read comes with the stream. */
  const finish = async () => {
    const stored = await writer.tables();
    for (const [name, info] of awaited) {
      const { reused } = resolveTable(info, stored);
      if (reused?.copied === true) awaited.delete(name);
    }
    if (awaited.size > 0 || [...tables.values()].some(({ state, isGone }) => !state.copied && !isGone))
      return;
    raise(await source.position());
    isDone = true;
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
        if (signal.aborted || own.isOutdated || isGivenUp) return;
        if (page.isOfSameState !== true) known = undefined;
        const readUpTo = page.position ?? known ?? (await source.position());
        known = readUpTo;
        yield () => write(page, readUpTo, replicated, own);
        if (own.isOutdated || table.state.copied) return;
        if (own.touched.size >= mostTouched && page.progress.lastKey !== undefined) return;
        if (!mayEnd(work.pace, page)) await work.pace.restUnlessPaused(signal);
        if (mayEnd(work.pace, page)) {
          yield settle;
          return;
        }
        work.progress.goOn(work.pace.limit());
      }
      if (signal.aborted || own.isOutdated) return;
      const readUpTo = await source.position();
      yield async () => {
        if (own.isOutdated) return;
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
    show(table);
  };
  /** What only the added parts need is copied with them. */
  const recordOf = ({ info, stored, state }: CopiedTable): StoredTable => ({
    ...stored,
    ...(isAlone(info) && { copied: state.copied, ...(state.progress && { progress: state.progress }) }),
    beside: state,
  });

  const write = async (page: CopyPage, readUpTo: Lsn, table: ReplicatedTable, own: Reading) => {
    if (own.isOutdated || isGivenUp) return;
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
    show(copied);
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
  const leave = (table: number) => {
    interrupt(table);
    const known = tables.get(table);
    if (known === undefined) return;
    known.isGone = true;
    tables.delete(table);
  };
  return {
    begin,
    chores,
    isAlone,
    add,
    touch: ({ table, key, ...change }) => {
      if (reading?.table.stored.id !== table.stored.id) return;
      reading.touched.add(key);
      if ('oldKey' in change && change.oldKey !== undefined) reading.touched.add(change.oldKey);
    },
    interrupt,
    hasWhole: (stored) => {
      leave(stored.id);
      awaited.delete(fullName(stored));
      isDone = false;
    },
    forget: (table) => {
      leave(table);
      isDone = false;
    },
    raise,
    giveUp,
    end: () => ended.abort(),
    isCompleteAt: (position) => isDone && !isGivenUp && end !== undefined && position >= end,
  };
}

/** Of rows that are equal, nobody could tell whether one of them was there before. */
function canBeCopied({ identityKind, shape }: TableInfo): boolean {
  return identityKind !== 'nothing' && shape?.isKeyless !== true;
}
