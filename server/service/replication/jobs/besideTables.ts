/**
 * The tables of a copy beside the served rows: copied completely, or only for the added parts. Chores between events of the
 * stream look up the tables and prepare them, so that the served rows do not wait.
 *
 * 1. A table is either copied here, or copied completely by the stream, or not ready yet.
 * 2. The copy is finished only while all tables are copied and ready. A table that is added or removed ends that state.
 * 3. The stream's report of a table is later than the lookup, so a lookup changes no table that is known.
 * 4. Outdated rows of a table are deleted before it is copied, a few at a time.
 * 5. A table whose rows cannot be distinguished is not copied here, because it would be unknown whether an equal row existed
 *    before.
 */
import { replicates } from '../../../engine/plan/evaluate/evaluate.ts';
import { firstPosition, laterOf } from '../../ground/logPosition.ts';
import type { BesideProgress, StoredTable } from '../../storage/storage.ts';
import { isOther, isRemade } from '../rows/tableShape.ts';
import { fullName, newTable, type ReplicatedTable, resolveTable, toReplicatedTable } from '../rows/tables.ts';
import type { TableInfo } from '../source.ts';
import { dropTable, emptySome, measure } from './copy.ts';
import { strayFrom } from './history.ts';
import type { BesideWork, Chore, Replication } from './replication.ts';

export interface CopiedTable {
  info: TableInfo;
  stored: StoredTable;
  state: BesideProgress;
  isGone: boolean;
  isMeasured: boolean;
}

interface TablesOwner {
  /** Called when the changes of this table must be stored from now on. */
  readonly onTable: (table: ReplicatedTable) => void;
  /** @param reason the end of a sentence */
  readonly giveUp: (reason: string) => Promise<void>;
}

/** The pause between two steps of a deletion, in milliseconds. */
const restMs = 20;

export class BesideTables {
  readonly #replication: Replication;
  readonly #work: BesideWork;
  readonly #owner: TablesOwner;
  readonly #tables = new Map<number, CopiedTable>();
  /** The tables that the stream copies completely, by their full names. */
  readonly #awaited = new Map<string, TableInfo>();
  /** The tables that the stream has copied completely, by their full names. */
  readonly #whole = new Set<string>();
  /** The tables that may have outdated stored rows, by their full names. Their changes are not needed yet. */
  readonly #unready = new Map<string, TableInfo>();
  #isLookedUp = false;
  #isFinished = false;

  constructor(replication: Replication, work: BesideWork, owner: TablesOwner) {
    this.#replication = replication;
    this.#work = work;
    this.#owner = owner;
  }

  /** Whether only the added parts need a table. */
  isAlone({ schema, name }: Pick<TableInfo, 'schema' | 'name'>): boolean {
    const { source, served } = this.#replication;
    const table = { tag: source.tag, schema, name };
    return replicates(this.#work.added.tables, table) && !replicates(served, table);
  }

  get isPrepared(): boolean {
    return this.#isLookedUp && this.#unready.size === 0 && this.#nextToMeasure() === undefined;
  }

  /** Whether the stream still has to copy tables. */
  get isWaiting(): boolean {
    return this.#awaited.size > 0;
  }

  /** Whether all tables are copied, and no table has been added since (invariant 2). */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Returns the next table to copy. */
  next(): CopiedTable | undefined {
    return [...this.#tables.values()].find(({ state }) => !state.copied);
  }

  /** Called when the stream reports a table that only the added parts need. */
  async take(info: TableInfo, stored: StoredTable | undefined): Promise<void> {
    if (stored === undefined) await this.#add(info);
    else if (this.#isOurs(stored) && !isOther(info, stored.shape, { isAhead: true })) {
      if (this.#tables.has(stored.id)) this.#onTable(info, stored);
      else this.#followAlone(info, stored);
    } else {
      this.leave(stored.id);
      this.#unready.set(fullName(info), info);
    }
  }

  async *prepare(signal: AbortSignal): AsyncGenerator<Chore, void> {
    if (!this.#isLookedUp) {
      yield* this.#lookUp();
      return;
    }
    for (const [name, info] of this.#unready) {
      yield* this.#makeReady(name, info, signal);
      if (signal.aborted) return;
    }
    for (let table = this.#nextToMeasure(); table !== undefined && !signal.aborted; ) {
      const { info, stored, state } = table;
      const { progress } = this.#work;
      table.info = await measure(this.#replication, { info, stored: ofCopy(info, stored, state), progress });
      table.isMeasured = true;
      table = this.#nextToMeasure();
    }
  }

  /** Returns whether all tables are copied. */
  async finish(): Promise<boolean> {
    const stored = await this.#replication.writer.tables();
    for (const [name, info] of this.#awaited) {
      const { reused } = resolveTable(info, stored);
      if (reused?.copied === true) this.#awaited.delete(name);
    }
    const isAll = this.#awaited.size === 0 && this.#unready.size === 0;
    this.#isFinished = isAll && this.next() === undefined;
    return this.#isFinished;
  }

  show({ info, stored, state }: CopiedTable): void {
    this.#work.progress.table(ofCopy(info, stored, state));
  }

  /** Called when all parts of the table's rows are stored. */
  hasWhole(stored: StoredTable): void {
    const name = fullName(stored);
    this.leave(stored.id);
    this.#awaited.delete(name);
    this.#whole.add(name);
  }

  /** Stops copying the table here. */
  leave(id: number): void {
    const known = this.#tables.get(id);
    if (known !== undefined) known.isGone = true;
    this.#tables.delete(id);
    this.#isFinished = false;
  }

  #isOurs({ beside }: StoredTable): boolean {
    return beside?.deployment === this.#work.id;
  }

  #isKnown(name: string): boolean {
    return [...this.#tables.values()].some(({ info }) => fullName(info) === name);
  }

  #nextToMeasure(): CopiedTable | undefined {
    return [...this.#tables.values()].find(({ isMeasured, state }) => !isMeasured && !state.copied);
  }

  #follow(info: TableInfo, stored: StoredTable): void {
    const state = (this.#isOurs(stored) && stored.beside) || { deployment: this.#work.id, copied: false };
    const table = { info, stored, state, isGone: false, isMeasured: false };
    this.#tables.set(stored.id, table);
    if (!state.copied) this.#isFinished = false;
    this.show(table);
  }

  #followAlone(info: TableInfo, stored: StoredTable): void {
    this.#follow(info, stored);
    this.#onTable(info, stored);
  }

  #onTable(info: TableInfo, stored: StoredTable): void {
    this.#owner.onTable({ ...toReplicatedTable(info, stored, this.#replication), isBeside: true });
  }

  /** Adds a table without stored rows. */
  async #add(info: TableInfo): Promise<void> {
    if (!canBeCopied(info)) {
      await this.#owner.giveUp(`rows of ${fullName(info)} cannot be distinguished.`);
      return;
    }
    const { estimatedRows } = info;
    const progress = estimatedRows === undefined ? {} : { progress: { copiedRows: 0, estimatedRows } };
    const beside = { deployment: this.#work.id, copied: false, ...progress };
    this.#followAlone(info, await this.#replication.writer.putTable({ ...newTable(info), beside }));
  }

  async *#lookUp(): AsyncGenerator<Chore, void> {
    const { source, writer, log } = this.#replication;
    let stored: readonly StoredTable[] = [];
    yield async () => {
      stored = await writer.tables();
    };
    if (!(await this.#goesOn(stored))) {
      await this.#owner.giveUp('the source has lost the data that was read from it.');
      return;
    }
    const matched = await source.tables(this.#work.added.tables);
    yield async () => {
      // The stream has continued meanwhile (invariant 3).
      stored = await writer.tables();
      for (const { table: info, replicated, problems, pattern } of matched) {
        const name = info === undefined ? `${pattern.schema.text}.${pattern.name.text}` : fullName(info);
        for (const { message } of problems) log.write('warn', message, { table: name });
        if (info !== undefined && replicated) await this.#begin(info, stored);
      }
      this.#isLookedUp = true;
    };
  }

  /** Decides how a table that was looked up is copied (invariants 1 and 3). */
  async #begin(info: TableInfo, stored: readonly StoredTable[]): Promise<void> {
    const name = fullName(info);
    if (this.#isKnown(name) || this.#whole.has(name)) return;
    if (this.isAlone(info)) {
      if (!this.#unready.has(name)) this.#unready.set(name, info);
      return;
    }
    const { reused } = resolveTable(info, stored);
    if (reused?.copied !== true) this.#awaited.set(name, info);
    else if (canBeCopied(info)) this.#follow(info, reused);
    else await this.#owner.giveUp(`rows of ${name} cannot be distinguished.`);
  }

  /** Returns whether the source still contains everything that was read from it. */
  async #goesOn(all: readonly StoredTable[]): Promise<boolean> {
    const { source, deploymentName } = this.#replication;
    const { origin } = this.#replication.continuity;
    const positions = all.flatMap((table) => (this.#isOurs(table) ? (table.beside?.readUpTo ?? []) : []));
    const read = positions.reduce((last, each) => laterOf(each, last), firstPosition);
    if (read === firstPosition) return true;
    const passed = { acknowledged: read, last: read };
    const { end: logEnd } = await source.backlog(deploymentName);
    if (logEnd !== undefined && logEnd < read) return false;
    return strayFrom({ ...(origin && { origin }), passed }, await source.history()) === undefined;
  }

  /** Deletes outdated rows before the table is copied (invariant 4). */
  async *#makeReady(name: string, info: TableInfo, signal: AbortSignal): AsyncGenerator<Chore, void> {
    while (!signal.aborted && this.#unready.get(name) === info) {
      yield () => this.#makeReadier(name, info);
      if (this.#unready.get(name) === info) await this.#replication.clock.sleep(restMs, signal);
    }
  }

  async #makeReadier(name: string, info: TableInfo): Promise<void> {
    // The stream may have reported a different table of this name meanwhile.
    if (this.#unready.get(name) !== info) return;
    const { reused, dropped } = resolveTable(info, await this.#replication.writer.tables());
    const isUsable = reused !== undefined && this.#isOurs(reused) && !isRemade(reused.shape, info.shape);
    const [stale] = [...dropped, ...(reused !== undefined && !isUsable ? [reused] : [])];
    if (stale !== undefined) {
      if ((await emptySome(this.#replication, stale)) === 0) await dropTable(this.#replication, stale);
      return;
    }
    this.#unready.delete(name);
    if (isUsable) this.#followAlone(info, reused);
    else await this.#add(info);
  }
}

/** Returns the table from the point of view of the copy: without the progress of the serving deployment. */
function ofCopy(
  { estimatedRows }: TableInfo,
  stored: StoredTable,
  { copied, progress }: BesideProgress,
): StoredTable {
  const begun = { copiedRows: 0, ...(estimatedRows !== undefined && { estimatedRows }) };
  return { ...stored, copied, progress: progress ?? begun };
}

/** Whether rows can be distinguished (invariant 5). */
function canBeCopied({ identityKind, shape }: TableInfo): boolean {
  return identityKind !== 'nothing' && shape?.isKeyless !== true;
}
