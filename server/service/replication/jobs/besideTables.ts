/**
 * The tables of which something is copied beside what is served. They are looked up and made ready in pieces, between events
 * of the stream: what is served waits for none of it.
 */
import { replicates } from '../../../engine/plan/evaluate/evaluate.ts';
import { laterOf, zeroLsn } from '../../ground/lsn.ts';
import type { BesideProgress, StoredTable } from '../../storage/storage.ts';
import {
  fullName,
  isRemade,
  newTable,
  type ReplicatedTable,
  resolveTable,
  toReplicatedTable,
} from '../rows/tables.ts';
import type { TableInfo } from '../source.ts';
import { dropTable, emptySome, measure } from './copy.ts';
import { strayFrom } from './history.ts';
import type { BesideWork, Chore, Replication } from './replication.ts';

interface BesideTables {
  /** Whether only what is added needs a table. */
  isAlone(table: Pick<TableInfo, 'schema' | 'name'>): boolean;
  /** The stream reports a table that only what is added needs. */
  take(info: TableInfo, stored: StoredTable | undefined): Promise<void>;
  isPrepared(): boolean;
  prepare(signal: AbortSignal): AsyncGenerator<Chore, void>;
  /** The next one to copy. */
  next(): CopiedTable | undefined;
  /** Some are copied by the stream. */
  isWaiting(): boolean;
  /** Returns whether all are copied. */
  finish(): Promise<boolean>;
  /** All are copied, and none has come since. */
  isFinished(): boolean;
  show(table: CopiedTable): void;
  /** All parts of its rows are stored. */
  hasWhole(table: StoredTable): void;
  /** The table is another one now. */
  forget(table: number): void;
}

export interface CopiedTable {
  info: TableInfo;
  stored: StoredTable;
  state: BesideProgress;
  isGone: boolean;
  isMeasured: boolean;
}

/** In milliseconds, between pieces of what is deleted. */
const rest = 20;

/**
 * @param onTable from now on its changes are stored
 * @param giveUp with a reason, as the end of a sentence
 */
export function openBesideTables(
  replication: Replication,
  work: BesideWork,
  onTable: (table: ReplicatedTable) => void,
  giveUp: (reason: string) => Promise<void>,
): BesideTables {
  const { source, writer, evaluator, clock, log, slot, served } = replication;
  const { tag } = source;
  const tables = new Map<number, CopiedTable>();
  /** Those that the stream copies as a whole, by their full names. */
  const awaited = new Map<string, TableInfo>();
  /** Those that it has copied as a whole. */
  const whole = new Set<string>();
  /** Those of which something out of date may be stored, by their full names: their changes are not needed yet. */
  const unready = new Map<string, TableInfo>();
  let isLookedUp = false;
  let isFinished = false;

  const isAlone: BesideTables['isAlone'] = ({ schema, name }) =>
    replicates(work.added.tables, { tag, schema, name }) && !replicates(served, { tag, schema, name });
  const isOurs = ({ beside }: StoredTable) => beside?.deployment === work.id;
  const isKnown = (name: string) => [...tables.values()].some(({ info }) => fullName(info) === name);
  const nextToMeasure = () =>
    [...tables.values()].find(({ isMeasured, state }) => !isMeasured && !state.copied);

  const show = ({ info, stored, state }: CopiedTable) => work.progress.table(ofCopy(info, stored, state));
  const follow = (info: TableInfo, stored: StoredTable) => {
    const state = (isOurs(stored) && stored.beside) || { deployment: work.id, copied: false };
    const table = { info, stored, state, isGone: false, isMeasured: false };
    tables.set(stored.id, table);
    if (!state.copied) isFinished = false;
    show(table);
  };
  const followAlone = (info: TableInfo, stored: StoredTable) => {
    follow(info, stored);
    onTable({ ...toReplicatedTable(info, stored, evaluator, tag), isBeside: true });
  };
  const add = async (info: TableInfo): Promise<void> => {
    if (!canBeCopied(info)) {
      await giveUp(`rows of ${fullName(info)} cannot be distinguished.`);
      return;
    }
    const { estimatedRows } = info;
    const progress = estimatedRows === undefined ? {} : { progress: { copiedRows: 0, estimatedRows } };
    const beside = { deployment: work.id, copied: false, ...progress };
    followAlone(info, await writer.putTable({ ...newTable(info), beside }));
  };
  const leave = (id: number) => {
    const known = tables.get(id);
    if (known !== undefined) known.isGone = true;
    tables.delete(id);
    isFinished = false;
  };

  const take: BesideTables['take'] = async (info, stored) => {
    if (stored === undefined) await add(info);
    else if (isOurs(stored) && !isRemade(stored.shape, info.shape)) {
      if (tables.has(stored.id))
        onTable({ ...toReplicatedTable(info, stored, evaluator, tag), isBeside: true });
      else followAlone(info, stored);
    } else {
      leave(stored.id);
      unready.set(fullName(info), info);
    }
  };

  async function* prepare(signal: AbortSignal): AsyncGenerator<Chore, void> {
    if (!isLookedUp) {
      yield* lookUp();
      return;
    }
    for (const [name, info] of unready) {
      yield* makeReady(name, info, signal);
      if (signal.aborted) return;
    }
    for (let table = nextToMeasure(); table !== undefined && !signal.aborted; table = nextToMeasure()) {
      const { info, stored, state } = table;
      table.info = await measure(replication, info, ofCopy(info, stored, state), work.progress);
      table.isMeasured = true;
    }
  }

  async function* lookUp(): AsyncGenerator<Chore, void> {
    let stored: readonly StoredTable[] = [];
    yield async () => {
      stored = await writer.tables();
    };
    if (!(await goesOn(stored))) {
      await giveUp('the source has lost what was read of it.');
      return;
    }
    const matched = await source.tables(work.added.tables);
    yield async () => {
      // As it is now: the stream has gone on meanwhile, and what it has told is later than what was looked up.
      stored = await writer.tables();
      for (const { table: info, replicated, problems, pattern } of matched) {
        const name = info === undefined ? `${pattern.schema.text}.${pattern.name.text}` : fullName(info);
        for (const { message } of problems) log.write('warn', message, { table: name });
        if (info === undefined || !replicated || isKnown(name) || whole.has(name)) continue;
        if (isAlone(info)) {
          if (!unready.has(name)) unready.set(name, info);
          continue;
        }
        const { reused } = resolveTable(info, stored);
        if (reused?.copied !== true) awaited.set(name, info);
        else if (canBeCopied(info)) follow(info, reused);
        else await giveUp(`rows of ${name} cannot be distinguished.`);
      }
      isLookedUp = true;
    };
  }

  /** Returns whether the copy can be relied on. */
  const goesOn = async (all: readonly StoredTable[]): Promise<boolean> => {
    const positions = all.flatMap((table) => (isOurs(table) ? (table.beside?.readUpTo ?? []) : []));
    const read = positions.reduce((last, each) => laterOf(each, last), zeroLsn);
    if (read === zeroLsn) return true;
    const { origin } = replication;
    const passed = { acknowledged: read, last: read };
    const { end: logEnd } = await source.slotState(slot);
    if (logEnd !== undefined && logEnd < read) return false;
    return strayFrom({ ...(origin && { origin }), passed }, await source.history()) === undefined;
  };

  /** What nobody has followed is out of date: it is deleted first. */
  async function* makeReady(name: string, info: TableInfo, signal: AbortSignal): AsyncGenerator<Chore, void> {
    const step = async () => {
      // The stream may have told of another one meanwhile.
      if (unready.get(name) !== info) return;
      const { reused, dropped } = resolveTable(info, await writer.tables());
      const isUsable = reused !== undefined && isOurs(reused) && !isRemade(reused.shape, info.shape);
      const [stale] = [...dropped, ...(reused !== undefined && !isUsable ? [reused] : [])];
      if (stale !== undefined) {
        if (!(await emptySome(replication, stale))) await dropTable(replication, stale);
        return;
      }
      unready.delete(name);
      if (isUsable) followAlone(info, reused);
      else await add(info);
    };
    while (!signal.aborted && unready.get(name) === info) {
      yield step;
      if (unready.get(name) === info) await clock.sleep(rest, signal);
    }
  }

  return {
    isAlone,
    take,
    isPrepared: () => isLookedUp && unready.size === 0 && nextToMeasure() === undefined,
    prepare,
    next: () => [...tables.values()].find(({ state }) => !state.copied),
    isWaiting: () => awaited.size > 0,
    finish: async () => {
      const stored = await writer.tables();
      for (const [name, info] of awaited) {
        const { reused } = resolveTable(info, stored);
        if (reused?.copied === true) awaited.delete(name);
      }
      const isAll = awaited.size === 0 && unready.size === 0;
      isFinished = isAll && [...tables.values()].every(({ state }) => state.copied);
      return isFinished;
    },
    isFinished: () => isFinished,
    show,
    hasWhole: (stored) => {
      leave(stored.id);
      awaited.delete(fullName(stored));
      whole.add(fullName(stored));
    },
    forget: leave,
  };
}

/** The table as the copy sees it: without what was copied for the serving deployment. */
function ofCopy(
  { estimatedRows }: TableInfo,
  stored: StoredTable,
  { copied, progress }: BesideProgress,
): StoredTable {
  const begun = { copiedRows: 0, ...(estimatedRows !== undefined && { estimatedRows }) };
  return { ...stored, copied, progress: progress ?? begun };
}

/** Of rows that are equal, nobody could tell whether one of them was there before. */
function canBeCopied({ identityKind, shape }: TableInfo): boolean {
  return identityKind !== 'nothing' && shape?.isKeyless !== true;
}
