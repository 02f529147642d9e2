/**
 * The rows of one table, of which there may be millions. Visible pages are read, distant pages are dropped, and visible pages
 * are read again after a change.
 *
 * 1. Another search or order drops all rows. Answers to earlier queries are not drawn.
 * 2. A refresh resolves when a round of page queries that began after it has ended, or when the table is closed.
 */
import { signal } from '@preact/signals';
import { ChosenRows, type KnownRows, type ReadRows, type SeenRows } from './chosenRows.ts';
import type { RowsWanted } from './pages.ts';
import { type DueQueries, type Query, Rounds, type RoundsClock } from './rounds.ts';

interface TableRowsParts extends Pick<RowsWanted, 'table'>, RoundsClock {
  readonly read: ReadRows;
}

/** The pauses, as multiples of the last round. Counting a large table costs much more than reading a page of it. */
const rests = { page: 1, count: 9 };

const nothing: DueQueries = { absent: [], outdated: [] };

export class TableRows {
  readonly known = signal<KnownRows>([]);
  readonly #parts: TableRowsParts;
  readonly #pages: Rounds;
  readonly #count: Rounds;
  /** Undefined before the first choice, and after the end. */
  #chosen: ChosenRows | undefined;
  #seen: SeenRows = { first: 0, end: 60 };
  /** The number of known changes. */
  #state = 0;
  #waiting: readonly { readonly state: number; readonly resolve: () => void }[] = [];

  constructor(parts: TableRowsParts) {
    this.#parts = parts;
    this.#pages = new Rounds(parts, {
      times: rests.page,
      due: () => this.#chosen?.duePages(this.#seen, this.#state) ?? nothing,
      run: (queries) => {
        const state = this.#state;
        return this.#run(queries, () => this.#resolve(state));
      },
    });
    this.#count = new Rounds(parts, {
      times: rests.count,
      due: () => this.#chosen?.dueCount(this.#state) ?? nothing,
      run: (queries) => this.#run(queries),
    });
  }

  /** Changes the search or the order (invariant 1). */
  want(choice: Omit<RowsWanted, 'table'>): void {
    const { table, read } = this.#parts;
    this.#chosen?.end();
    this.#chosen = new ChosenRows({ table, ...choice }, read);
    this.known.value = this.#chosen.draw();
    this.#request();
  }

  /** Sets the range of visible rows. */
  readonly look = (first: number, end: number): void => {
    if (first === this.#seen.first && end === this.#seen.end) return;
    this.#seen = { first, end };
    void this.#pages.request();
  };

  /**
   * Reads the pages again, because they may be outdated. The old pages stay until the new ones have arrived, and then the
   * promise resolves.
   */
  refresh(): Promise<void> {
    if (this.#chosen === undefined) return Promise.resolve();
    this.#state += 1;
    const state = this.#state;
    this.#request();
    return new Promise((resolve) => {
      this.#waiting = [...this.#waiting, { state, resolve }];
    });
  }

  readonly end = (): void => {
    this.#chosen?.end();
    this.#chosen = undefined;
    this.#resolve(this.#state);
  };

  #request(): void {
    void this.#pages.request();
    void this.#count.request();
  }

  async #run(queries: readonly Query[], onEnd?: () => void): Promise<boolean> {
    const chosen = this.#chosen;
    const draw = (): void => {
      if (chosen !== undefined && chosen === this.#chosen) this.known.value = chosen.draw();
    };
    const outcomes = await Promise.allSettled(
      queries.map(async (query) => {
        await query();
        chosen?.forgetFarPages(this.#seen);
        draw();
      }),
    );
    onEnd?.();
    if (chosen === undefined || chosen !== this.#chosen) return true;
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    const problem = failure && (failure.reason as Error).message;
    if (problem !== chosen.problem) {
      chosen.problem = problem;
      draw();
    }
    return failure === undefined;
  }

  /** Resolves the refreshes up to a number of changes. */
  #resolve(state: number): void {
    const done = this.#waiting.filter((each) => each.state <= state);
    this.#waiting = this.#waiting.filter((each) => each.state > state);
    for (const { resolve } of done) resolve();
  }
}
