/**
 * The rows of one table, of which there may be millions. Visible pages are read, distant pages are dropped, and visible pages
 * are read again after a change.
 */
import { type Signal, signal } from '@preact/signals';
import type { OwnTable, ReadingResult } from './ownTables.ts';
import {
  countStatement,
  type DataRow,
  most,
  pageStatement,
  type RowOrder,
  type RowsWanted,
  readDataRow,
  searchArguments,
} from './pages.ts';

interface Choice {
  readonly search: string;
  readonly order: RowOrder | undefined;
}

/** The rows that a grid draws. */
interface KnownRows {
  readonly length: number;
  /** Returns a range of rows; undefined for a row that has not been read yet. */
  readonly slice: (first: number, end: number) => readonly (DataRow | undefined)[];
  readonly problem?: string;
}

export interface TableRows {
  readonly known: Signal<KnownRows>;
  /** Changes the search or the order, and drops all pages. */
  readonly want: (choice: Choice) => void;
  /** Sets the range of visible rows. */
  readonly look: (first: number, end: number) => void;
  /**
   * Reads the pages again, because they may be outdated. The old pages stay until the new ones have arrived, and then the
   * promise resolves.
   */
  readonly refresh: () => Promise<void>;
  readonly end: () => void;
}

interface TableRowsParts {
  readonly table: OwnTable;
  /** Runs a query. Rejects with an error whose message is a sentence. */
  readonly read: (
    query: string,
    args: readonly string[],
    signal: AbortSignal,
  ) => Promise<Pick<ReadingResult, 'rows'>>;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** The maximum number of pages that are kept. */
const mostPages = 40;
/**
 * The pause between two reads of the same rows: at least `least` milliseconds, and `page` or `count` times the duration of the
 * last read. Counting a large table costs much more than reading a page of it.
 */
const rests = { least: 20, page: 1, count: 9 };

interface Page {
  readonly rows: readonly DataRow[];
  /** The number of known changes at the time of the request. */
  readonly state: number;
}

/** The visible parts that are missing or outdated. */
interface Missing<Piece> {
  readonly absent: readonly Piece[];
  readonly outdated: readonly Piece[];
}

export function openTableRows({ table, read, now, sleep }: TableRowsParts): TableRows {
  const pages = new Map<number, Page>();
  let wanted: (RowsWanted & { readonly end: AbortController }) | undefined;
  let count: { readonly rows: number; readonly state: number } | undefined;
  let problem: string | undefined;
  let seen = { first: 0, end: 60 };
  let state = 0;
  let isOver = false;
  let waiting: { readonly state: number; readonly resolve: () => void }[] = [];
  const known = signal<KnownRows>(draw());

  const readPages = openReader({
    times: rests.page,
    missing() {
      const numbers = seenPages();
      const absent = numbers.filter((page) => !pages.has(page));
      return { absent, outdated: numbers.filter((page) => pages.get(page)?.state !== state) };
    },
    async ask(page: number, of, asked) {
      const { rows } = await read(pageStatement(of, page), searchArguments(of), of.end.signal);
      if (of !== wanted) return;
      pages.set(page, { rows: rows.map((cells) => readDataRow(table, cells)), state: asked });
      forgetFarPages();
    },
    onRound(asked) {
      const done = waiting.filter((each) => each.state <= asked);
      waiting = waiting.filter((each) => each.state > asked);
      for (const { resolve } of done) resolve();
    },
  });
  const readCount = openReader({
    times: rests.count,
    missing: () => ({
      absent: count === undefined ? ['count'] : [],
      outdated: count?.state === state ? [] : ['count'],
    }),
    async ask(_, of, asked) {
      const { rows } = await read(countStatement(of), searchArguments(of), of.end.signal);
      if (of === wanted) count = { rows: Number(rows[0]?.[0] ?? 0), state: asked };
    },
  });

  function draw(): KnownRows {
    const last = Math.max(-1, ...pages.keys());
    const sure = last < 0 ? 0 : last * most.rows + (pages.get(last)?.rows.length ?? 0);
    return {
      length: count?.rows ?? sure,
      slice: (first, end) =>
        Array.from({ length: Math.max(0, end - first) }, (_, index) => {
          const at = first + index;
          return pages.get(Math.floor(at / most.rows))?.rows[at % most.rows];
        }),
      ...(problem !== undefined && { problem }),
    };
  }

  function seenPages(): readonly number[] {
    const first = Math.floor(seen.first / most.rows);
    const end = Math.max(first + 1, Math.ceil(seen.end / most.rows));
    const numbers = Array.from({ length: end - first }, (_, index) => first + index);
    // The first page is always read, because it shows whether there are any rows.
    return numbers.filter((page) => page === 0 || count === undefined || page * most.rows < count.rows);
  }

  function forgetFarPages(): void {
    const middle = (seen.first + seen.end) / 2 / most.rows;
    const far = [...pages.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
    for (const page of far.slice(0, Math.max(0, far.length - mostPages))) pages.delete(page);
  }

  interface ReaderParts<Piece> {
    /** The duration of the pause, as a multiple of the last round. */
    readonly times: number;
    readonly missing: () => Missing<Piece>;
    readonly ask: (piece: Piece, of: NonNullable<typeof wanted>, asked: number) => Promise<void>;
    readonly onRound?: (asked: number) => void;
  }

  /**
   * Reads missing parts in rounds, one at a time. Each round reads the parts that are missing at that time. Outdated
   * parts can wait a little.
   */
  function openReader<Piece>({ times, missing, ask, onRound }: ReaderParts<Piece>): () => void {
    let isRunning = false;
    let isResting = false;
    let restsUntil = 0;
    const rest = async (): Promise<void> => {
      if (isResting) return;
      isResting = true;
      await sleep(restsUntil - now());
      isResting = false;
      void run();
    };
    const round = async (
      pieces: readonly Piece[],
      of: NonNullable<typeof wanted>,
      asked: number,
    ): Promise<boolean> => {
      const begun = now();
      const outcomes = await Promise.allSettled(
        pieces.map(async (piece) => {
          await ask(piece, of, asked);
          if (of === wanted && !isOver) known.value = draw();
        }),
      );
      restsUntil = now() + Math.max(rests.least, times * (now() - begun));
      onRound?.(asked);
      if (of !== wanted || isOver) return true;
      const failure = outcomes.find((outcome) => outcome.status === 'rejected');
      tellProblem(failure && (failure.reason as Error).message);
      return failure === undefined;
    };
    const run = async (): Promise<void> => {
      if (isRunning) return;
      isRunning = true;
      for (let isWell = true; isWell; ) {
        // Requests of the same moment are combined.
        await Promise.resolve();
        const { absent, outdated } = missing();
        if (wanted === undefined || isOver || absent.length + outdated.length === 0) break;
        const mayWait = absent.length === 0 && now() < restsUntil;
        if (mayWait) void rest();
        if (mayWait) break;
        isWell = await round(absent.length > 0 ? absent : outdated, wanted, state);
      }
      isRunning = false;
    };
    return () => void run();
  }

  function tellProblem(sentence: string | undefined): void {
    if (sentence === problem) return;
    problem = sentence;
    known.value = draw();
  }

  return {
    known,
    want(choice) {
      wanted?.end.abort();
      wanted = { table, ...choice, end: new AbortController() };
      pages.clear();
      count = undefined;
      problem = undefined;
      known.value = draw();
      readPages();
      readCount();
    },
    look(first, end) {
      if (first === seen.first && end === seen.end) return;
      seen = { first, end };
      readPages();
    },
    refresh() {
      if (wanted === undefined || isOver) return Promise.resolve();
      state += 1;
      const asked = state;
      readPages();
      readCount();
      return new Promise((resolve) => {
        waiting.push({ state: asked, resolve });
      });
    },
    end() {
      isOver = true;
      wanted?.end.abort();
      for (const { resolve } of waiting.splice(0)) resolve();
    },
  };
}
