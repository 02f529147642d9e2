/**
 * Copies the added parts of a deployment while its stream continues. It reads only the tables that the added parts need, and
 * stores only the results of these parts. It works in chores, between events of the stream.
 *
 * 1. The added parts are served only when all their tables are copied and the stream has passed the latest position that was
 *    read. A page may be newer than the stream, which then delivers later changes of its rows. That position only increases.
 * 2. A page is never older than the stream: see `besidePages.ts`.
 * 3. Pages of a table that was emptied or replaced after the statement began are not written.
 * 4. After the copy is given up, it writes nothing more and is never complete. That is reported once.
 * 5. A statement begins again when the stream has changed `mostTouched` rows since it began, so that memory is bounded.
 * 6. A failure ends a statement, not the copy: it is reported, and the copy continues from the last page after a delay.
 */
import { type LogPosition, laterOf } from '../../ground/logPosition.ts';
import type { StoredTable } from '../../storage/storage.ts';
import type { RowChange } from '../rows/flush.ts';
import { type ReplicatedTable, toReplicatedTable } from '../rows/tables.ts';
import { type CopyPage, SourceFailure, type TableInfo } from '../source.ts';
import { BesidePages, TableReading } from './besidePages.ts';
import { BesideTables, type CopiedTable } from './besideTables.ts';
import { mayEnd, readAhead } from './copy.ts';
import { restBefore } from './pace.ts';
import type { BesideWork, Chore, Replication } from './replication.ts';
import { delayAfter } from './retry.ts';

/** The maximum number of remembered rows. Each takes about a hundred bytes. */
const mostTouched = 50_000;
const lookedAtEveryMs = 500;

export class BesideCopy {
  readonly #replication: Replication;
  readonly #work: BesideWork;
  readonly #tables: BesideTables;
  readonly #pages: BesidePages;
  readonly #ended = new AbortController();
  #reading: TableReading | undefined;
  /** The latest position that was read. */
  #end: LogPosition | undefined;
  #isGivenUp = false;

  /** @param onTable called when the changes of this table must be stored for the added parts */
  constructor(replication: Replication, work: BesideWork, onTable: (table: ReplicatedTable) => void) {
    this.#replication = replication;
    this.#work = work;
    this.#tables = new BesideTables(replication, work, {
      onTable,
      giveUp: (reason) => this.giveUp(reason),
    });
    this.#pages = new BesidePages(replication, work, this.#tables);
  }

  async *chores(stop: AbortSignal): AsyncGenerator<Chore, void> {
    const { clock } = this.#replication;
    const { pace, progress, onFailure } = this.#work;
    const signal = AbortSignal.any([stop, this.#ended.signal]);
    progress.enter('copying');
    let failures = 0;
    while (!signal.aborted && !this.#isGivenUp) {
      try {
        if (!this.#tables.isPrepared) yield* this.#tables.prepare(signal);
        else {
          await restBefore(pace, progress, signal);
          yield* this.#copyNext(signal);
        }
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        const kind = error instanceof SourceFailure ? error.kind : 'other';
        await onFailure(error);
        await clock.sleep(delayAfter(kind, failures), signal);
      }
    }
  }

  /** Whether only the added parts need a table. */
  isAlone(table: Pick<TableInfo, 'schema' | 'name'>): boolean {
    return this.#tables.isAlone(table);
  }

  /** Called when the stream reports a table that only the added parts need. */
  take(info: TableInfo, stored: StoredTable | undefined): Promise<void> {
    return this.#tables.take(info, stored);
  }

  /** Called when the stream changes a row. */
  touch(change: RowChange): void {
    if (this.#reading?.table.stored.id === change.table.stored.id) this.#reading.touch(change);
  }

  /** Discards pages that were read before, because the table was emptied. */
  interrupt(table: number): void {
    if (this.#reading?.table.stored.id === table) this.#reading.interrupt();
  }

  /** Called when all parts of the table's rows are stored. */
  hasWhole(table: StoredTable): void {
    this.#tables.hasWhole(table);
  }

  /** Stops copying a table that was replaced by another one. */
  forget(table: number): void {
    this.#tables.leave(table);
  }

  /** Raises the latest position whose changes the stored rows of the added parts may include. */
  raise(position: LogPosition): void {
    this.#end = laterOf(position, this.#end);
  }

  /** @param reason the end of a sentence */
  async giveUp(reason: string): Promise<void> {
    if (this.#isGivenUp) return;
    this.#isGivenUp = true;
    const { log, deploymentName } = this.#replication;
    log.write('info', `Copying all tables again: ${reason}`, { slot: deploymentName });
    await this.#work.onGivenUp();
  }

  /** Called when the added parts are being served. */
  end(): void {
    this.#ended.abort();
  }

  /** Whether all added parts are stored in their state at this position. */
  isCompleteAt(position: LogPosition): boolean {
    const end = this.#end;
    return this.#tables.isFinished && !this.#isGivenUp && end !== undefined && position >= end;
  }

  async *#copyNext(signal: AbortSignal): AsyncGenerator<Chore, void> {
    const { clock } = this.#replication;
    const next = this.#tables.next();
    if (next !== undefined) yield* this.#read(next, signal);
    else if (this.#tables.isFinished) await clock.sleep(lookedAtEveryMs, signal);
    else {
      yield () => this.#finish();
      if (this.#tables.isWaiting) await clock.sleep(lookedAtEveryMs, signal);
    }
  }

  /** Finishes the copy when the stream has delivered the changes made while tables were read. */
  async #finish(): Promise<void> {
    const { source } = this.#replication;
    if (!(await this.#tables.finish())) return;
    this.raise(await source.position());
    this.#work.progress.enter('streaming');
    await source.mark();
  }

  /** Reads a table with one statement, or with several consecutive ones. */
  async *#read(table: CopiedTable, signal: AbortSignal): AsyncGenerator<Chore, void> {
    const { source, stream } = this.#replication;
    const { pace, progress, added } = this.#work;
    const stop = new AbortController();
    const own = new TableReading(
      table,
      toReplicatedTable(table.info, table.stored, { evaluator: added, source }),
    );
    const abort = () => stop.abort();
    signal.addEventListener('abort', abort);
    this.#reading = own;
    try {
      // The stream's changes are recorded from here on, and everything that it reported before is visible to the copy.
      await stream.settle(signal);
      const pages = readAhead(stream.copy(table.info, table.state.progress, stop.signal), abort);
      let known: LogPosition | undefined;
      for await (const page of pages) {
        if (signal.aborted || own.isStale || this.#isGivenUp) return;
        if (page.isOfSameState !== true) known = undefined;
        const readUpTo = page.position ?? known ?? (await source.position());
        known = readUpTo;
        yield () => this.#write(page, readUpTo, own);
        if (own.isStale || table.state.copied) return;
        if (own.touchedRows >= mostTouched && page.progress.lastKey !== undefined) return;
        if (!mayEnd(pace, page)) await pace.restUnlessPaused(signal);
        if (mayEnd(pace, page)) {
          yield () => this.#pages.settle();
          return;
        }
        progress.goOn(pace.limit());
      }
      if (signal.aborted || own.isStale) return;
      const readUpTo = await source.position();
      yield async () => {
        if (own.isStale) return;
        this.raise(readUpTo);
        await this.#pages.setState(table, { ...table.state, copied: true, readUpTo });
      };
    } finally {
      if (this.#reading === own) this.#reading = undefined;
      signal.removeEventListener('abort', abort);
      stop.abort();
    }
  }

  async #write(page: CopyPage, readUpTo: LogPosition, reading: TableReading): Promise<void> {
    if (reading.isStale || this.#isGivenUp) return;
    this.raise(readUpTo);
    await this.#pages.write(page, readUpTo, reading);
  }
}
