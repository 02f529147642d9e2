/**
 * Writes pages of a copy beside a deployment into the storage.
 *
 * 1. Rows that the stream has changed since the statement may have begun are skipped, because they already have all parts, and
 *    the page may be older than they are.
 * 2. The progress of a table becomes durable together with the rows that it counts.
 * 3. Pages become durable together, at least every `durableRows` rows or `durableBytes` bytes, and before every pause.
 */
import { belongsTo } from '../../../engine/plan/evaluate/names.ts';
import type { Row } from '../../../engine/plan/evaluate/scope.ts';
import type { LogPosition } from '../../ground/logPosition.ts';
import type { BesideProgress, RowWrite, StoredTable } from '../../storage/storage.ts';
import { addToRow } from '../rows/besideRow.ts';
import type { RowChange } from '../rows/flush.ts';
import { identityText } from '../rows/identity.ts';
import type { Place } from '../rows/rowChange.ts';
import { sizeOfRow } from '../rows/rowCodec.ts';
import { storeProblems } from '../rows/rowReports.ts';
import type { ReplicatedTable } from '../rows/tables.ts';
import type { CopyPage } from '../source.ts';
import type { BesideTables, CopiedTable } from './besideTables.ts';
import type { BesideWork, Replication } from './replication.ts';

const durableRows = 40_000;
const durableBytes = 16_000_000;

/** A statement that reads a table, and the rows that the stream has changed since then. */
export class TableReading {
  readonly table: CopiedTable;
  readonly replicated: ReplicatedTable;
  readonly #touched = new Set<string>();
  #isOutdated = false;

  constructor(table: CopiedTable, replicated: ReplicatedTable) {
    this.table = table;
    this.replicated = replicated;
  }

  /** Whether the pages of this statement must no longer be written. */
  get isStale(): boolean {
    return this.#isOutdated || this.table.isGone;
  }

  get touchedRows(): number {
    return this.#touched.size;
  }

  touch(change: RowChange): void {
    this.#touched.add(change.key);
    if (change.kind === 'put' && change.oldKey !== undefined) this.#touched.add(change.oldKey);
  }

  isTouched(key: string): boolean {
    return this.#touched.has(key);
  }

  /** Called when the table was emptied. */
  interrupt(): void {
    this.#isOutdated = true;
  }
}

export class BesidePages {
  readonly #replication: Replication;
  readonly #work: BesideWork;
  readonly #tables: BesideTables;
  readonly #isAdded: (name: string) => boolean;
  /** The rows and bytes of pages that are not durable yet. */
  #open = { rows: 0, bytes: 0 };

  constructor(replication: Replication, work: BesideWork, tables: BesideTables) {
    this.#replication = replication;
    this.#work = work;
    this.#tables = tables;
    this.#isAdded = belongsTo(work.addedParts);
  }

  /** @param readUpTo a position of the source; the page contains no later changes */
  async write(page: CopyPage, readUpTo: LogPosition, reading: TableReading): Promise<void> {
    const { writer, reports } = this.#replication;
    const { pace, progress, id } = this.#work;
    const { table: copied, replicated } = reading;
    for (const { identity, message } of page.failed) {
      const row = identityText(replicated.info, identity);
      reports.tell(replicated, replicated.keyOf(identity), { row, kind: 'failure', message });
    }
    const rows = await this.#writesOf(page, reading);
    const isLast = page.position !== undefined;
    copied.state = { deployment: id, copied: isLast, progress: page.progress, readUpTo };
    const bytes = page.rows.reduce((sum, row) => sum + sizeOfRow(row), 0);
    this.#open = { rows: this.#open.rows + page.rows.length, bytes: this.#open.bytes + bytes };
    pace.spend(page.rows.length);
    const isMuch = this.#open.rows >= durableRows || this.#open.bytes >= durableBytes;
    const goesOn = !isLast && !isMuch && !pace.isLongRest();
    if (!goesOn) this.#open = { rows: 0, bytes: 0 };
    copied.stored = this.#recordOf(copied);
    await storeProblems(this.#replication);
    await writer.write({ rows, progress: copied.stored, goesOn });
    this.#tables.show(copied);
    progress.stored({ rows: page.rows.length, bytes, pages: 1 });
  }

  /** Makes everything durable, because the pause may be long. */
  async settle(): Promise<void> {
    this.#open = { rows: 0, bytes: 0 };
    await this.#replication.writer.write({ rows: [] });
  }

  async setState(table: CopiedTable, state: BesideProgress): Promise<void> {
    table.state = state;
    table.stored = await this.#replication.writer.putTable(this.#recordOf(table));
    this.#tables.show(table);
  }

  /** Returns the record of a table. If only the added parts need the table, it counts as copied when they have it. */
  #recordOf({ info, stored, state }: CopiedTable): StoredTable {
    return {
      ...stored,
      ...(this.#tables.isAlone(info) && {
        copied: state.copied,
        ...(state.progress && { progress: state.progress }),
      }),
      beside: state,
    };
  }

  async #writesOf(page: CopyPage, reading: TableReading): Promise<readonly RowWrite[]> {
    const { writer } = this.#replication;
    const { replicated: table } = reading;
    const byKey = new Map(page.rows.map((row) => [table.keyOf(row), row]));
    const keys = [...byKey.keys()].filter((key) => !reading.isTouched(key));
    const there = await writer.currentRows(table.stored.id, keys);
    const writes: RowWrite[] = [];
    keys.forEach((key, index) => {
      const row = byKey.get(key);
      if (row === undefined) return;
      const write = this.#writeOf({ table: table.stored.id, key, before: there[index] }, row, table);
      if (write !== undefined) writes.push(write);
    });
    return writes;
  }

  #writeOf(place: Place, row: Row, table: ReplicatedTable): RowWrite | undefined {
    const { reports } = this.#replication;
    const { key } = place;
    const text = () => identityText(table.info, row);
    try {
      const { rows, entries, failures } = table.evaluate(row);
      for (const { stream: name, side, code } of failures) {
        const message = `A query of ${name} failed for a row, so the row is left out: ${code}`;
        reports.tell(table, key, { row: text(), kind: `${name} ${side} ${code}`, message });
      }
      return addToRow(place, { rows, entries, isAdded: this.#isAdded }, table.codec.encode(row));
    } catch {
      const message = 'A row could not be evaluated, because of a bug in this service';
      reports.tell(table, key, { row: text(), kind: 'fault', message });
      return undefined;
    }
  }
}
