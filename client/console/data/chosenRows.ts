/**
 * The rows of a table in one order and with one search, as far as they have been read.
 *
 * 1. An answer replaces an entire page, or the count. It is outdated after the next change, and stays until the next answer.
 * 2. At most `mostPages` pages are kept after {@link ChosenRows.forgetFarPages}: those nearest to the visible rows.
 * 3. Until the rows have been counted, the length is that of the known rows.
 */
import type { ReadingResult } from './ownTables.ts';
import {
  countStatement,
  type DataRow,
  most,
  pageStatement,
  type RowsWanted,
  readDataRow,
  searchArguments,
} from './pages.ts';
import type { DueQueries } from './rounds.ts';

/** The rows that a grid draws. */
export interface KnownRows {
  readonly length: number;
  /** The number of rows in the table that match the search. Absent until they have been counted. */
  readonly count?: number;
  /** Returns a range of rows; undefined for a row that has not been read yet. */
  readonly slice: (first: number, end: number) => readonly (DataRow | undefined)[];
  readonly problem?: string;
}

/** Runs a query. Rejects with an error whose message is a sentence. */
export type ReadRows = (
  query: string,
  args: readonly string[],
  signal: AbortSignal,
) => Promise<Pick<ReadingResult, 'rows'>>;

/** The visible rows: `first` inclusive, `end` exclusive. */
export interface SeenRows {
  readonly first: number;
  readonly end: number;
}

/** The maximum number of pages that are kept. */
const mostPages = 40;

export class ChosenRows {
  /** The reason why the last queries failed. */
  problem: string | undefined;
  readonly #wanted: RowsWanted;
  readonly #read: ReadRows;
  readonly #end = new AbortController();
  /** The pages by number. `state`: the number of known changes at the time of the query. */
  readonly #pages = new Map<number, { readonly rows: readonly DataRow[]; readonly state: number }>();
  #count: { readonly rows: number; readonly state: number } | undefined;

  constructor(wanted: RowsWanted, read: ReadRows) {
    this.#wanted = wanted;
    this.#read = read;
  }

  /** @param state the number of known changes */
  duePages(seen: SeenRows, state: number): DueQueries {
    const numbers = this.#pagesIn(seen);
    const absent = numbers.filter((page) => !this.#pages.has(page));
    const outdated = numbers.filter((page) => this.#pages.get(page)?.state !== state);
    const query = (page: number) => () => this.#readPage(page, state);
    return { absent: absent.map(query), outdated: outdated.map(query) };
  }

  /** @param state the number of known changes */
  dueCount(state: number): DueQueries {
    const query = () => this.#readCount(state);
    return {
      absent: this.#count === undefined ? [query] : [],
      outdated: this.#count?.state === state ? [] : [query],
    };
  }

  forgetFarPages({ first, end }: SeenRows): void {
    const middle = (first + end) / 2 / most.rows;
    const far = [...this.#pages.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
    for (const page of far.slice(0, Math.max(0, far.length - mostPages))) this.#pages.delete(page);
  }

  draw(): KnownRows {
    const last = Math.max(-1, ...this.#pages.keys());
    const sure = last < 0 ? 0 : last * most.rows + (this.#pages.get(last)?.rows.length ?? 0);
    return {
      length: this.#count?.rows ?? sure,
      ...(this.#count !== undefined && { count: this.#count.rows }),
      slice: (first, end) =>
        Array.from({ length: Math.max(0, end - first) }, (_, index) => {
          const at = first + index;
          return this.#pages.get(Math.floor(at / most.rows))?.rows[at % most.rows];
        }),
      ...(this.problem !== undefined && { problem: this.problem }),
    };
  }

  /** Aborts all queries. */
  end(): void {
    this.#end.abort();
  }

  #pagesIn(seen: SeenRows): readonly number[] {
    const first = Math.floor(seen.first / most.rows);
    const end = Math.max(first + 1, Math.ceil(seen.end / most.rows));
    const numbers = Array.from({ length: end - first }, (_, index) => first + index);
    const count = this.#count?.rows ?? Number.POSITIVE_INFINITY;
    // The first page is always read, because it shows whether there are any rows.
    return numbers.filter((page) => page === 0 || page * most.rows < count);
  }

  async #readPage(page: number, state: number): Promise<void> {
    const rows = await this.#ask(pageStatement(this.#wanted, page));
    this.#pages.set(page, { rows: rows.map((cells) => readDataRow(this.#wanted.table, cells)), state });
  }

  async #readCount(state: number): Promise<void> {
    const rows = await this.#ask(countStatement(this.#wanted));
    this.#count = { rows: Number(rows[0]?.[0] ?? 0), state };
  }

  async #ask(statement: string): Promise<ReadingResult['rows']> {
    const { rows } = await this.#read(statement, searchArguments(this.#wanted), this.#end.signal);
    return rows;
  }
}
