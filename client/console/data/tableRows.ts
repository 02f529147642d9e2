/**
 * The rows of one table, of which there may be millions: visible pages are read, those far away are dropped, and visible ones
 * are read again when something has changed.
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
  /** Undefined: not read yet. */
  readonly slice: (first: number, end: number) => readonly (DataRow | undefined)[];
  readonly problem?: string;
}

export interface TableRows {
  readonly known: Signal<KnownRows>;
  /** Shows other rows, or another order: the pages are dropped. */
  readonly want: (choice: Choice) => void;
  /** The rows that are seen. */
  readonly look: (first: number, end: number) => void;
  /** Reads the pages again, because they may be outdated. They stay until then, and the promise resolves after it. */
  readonly refresh: () => Promise<void>;
  readonly end: () => void;
}

interface TableRowsParts {
  readonly table: OwnTable;
  /** Rejects with a sentence. */
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
 * The rest from one reading of the same rows to the next: at least this many milliseconds, and this many times the last
 * reading. Counting a large table costs much more than reading a page of it.
 */
const rests = { least: 20, page: 1, count: 9 };

interface Page {
  readonly rows: readonly DataRow[];
  /** The number of changes that were known when it was asked for. */
  readonly state: number;
}

/** Visible parts that are missing or outdated. */
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
    // The first one says whether there are any.
    return numbers.filter((page) => page === 0 || count === undefined || page * most.rows < count.rows);
  }

  function forgetFarPages(): void {
    const middle = (seen.first + seen.end) / 2 / most.rows;
    const far = [...pages.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
    for (const page of far.slice(0, Math.max(0, far.length - mostPages))) pages.delete(page);
  }

  interface ReaderParts<Piece> {
    /** The length of the rest, as a multiple of the last round. */
    readonly times: number;
    readonly missing: () => Missing<Piece>;
    readonly ask: (piece: Piece, of: NonNullable<typeof wanted>, asked: number) => Promise<void>;
    readonly onRound?: (asked: number) => void;
  }

  /** Asks in rounds, one at a time, each for the parts that are missing then. Outdated parts can wait a little. */
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
        // Questions of the same moment are asked once.
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
