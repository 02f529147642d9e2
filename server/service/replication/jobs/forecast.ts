/**
 * Measures the progress of a copy, and forecasts the time for the remaining rows. Rows of different tables take different times,
 * so they are weighted by their size, as the source knows it. The speed is the average of slices of the last two thirds of the
 * time, without the fastest and the slowest ones. Therefore a short disturbance has little effect, and a lasting one is visible
 * soon. The time in which the copy was paused does not count.
 */
import type { Clock } from '../../ground/world.ts';

export interface CopyForecast {
  /** Whether the copy is paused, so that nothing is read. */
  readonly isPaused?: true;
  readonly rows: number;
  /** The estimated total, which is at least the number of copied rows. Absent if the source does not know it for every table. */
  readonly ofRows?: number;
  /** Absent at the beginning and while the copy is paused. */
  readonly rowsPerSecond?: number;
  /** The remaining time in milliseconds; absent while it is unknown. */
  readonly remaining?: number;
}

interface ForecastTable {
  readonly copied: boolean;
  readonly copiedRows: number;
  readonly estimatedRows?: number;
}

interface Forecast {
  table(id: number, table: ForecastTable): void;
  /** Reports the approximate size of a table's rows in the source. */
  size(id: number, bytesPerRow: number): void;
  dropTable(id: number): void;
  pause(): void;
  /** Continues the copy, or changes its limit in rows per second. The earlier speed no longer counts. */
  goOn(limit: number | undefined): void;
  read(): CopyForecast;
}

/**
 * The work for any row corresponds to this number of bytes of row data. It is an estimate that only weights rows of different
 * sizes.
 */
const bytesLikeRow = 500;
/** The minimum time for an estimate, in milliseconds. */
const leastTime = 1000;
/** The duration without progress that counts as a long pause, in milliseconds. */
const longPause = 10_000;
const mostMarks = 256;
const slices = 12;

/** The work that was done at a time. */
interface Mark {
  readonly time: number;
  readonly work: number;
  readonly rows: number;
}

interface KnownTable extends ForecastTable {
  /** The number of rows that had been copied before this job began. */
  readonly before: number;
}

export function openForecast(clock: Clock): Forecast {
  const tables = new Map<number, KnownTable>();
  const sizes = new Map<number, number>();
  let marks: Mark[] = [];
  /** The time that counts, without the current stretch. */
  let passed = 0;
  let since: number | undefined;
  let isPaused = false;
  let limit: number | undefined;
  /** The work and rows of dropped tables. */
  let gone = { work: 0, rows: 0 };

  const weightOf = (id: number) => 1 + (sizes.get(id) ?? usualSize()) / bytesLikeRow;
  /** Returns the size that is assumed for a table of unknown size. */
  const usualSize = () => {
    const known = [...sizes.values()];
    return known.length === 0 ? 0 : known.reduce((sum, size) => sum + size, 0) / known.length;
  };
  const time = () => passed + (since === undefined ? 0 : clock.steady() - since);
  const amount = () => {
    let { work, rows } = gone;
    for (const [id, { copiedRows, before }] of tables) {
      const own = Math.max(0, copiedRows - before);
      rows += own;
      work += own * weightOf(id);
    }
    return { work, rows };
  };
  const mark = () => {
    marks.push({ time: time(), ...amount() });
    if (marks.length > mostMarks) marks = marks.filter((_, index) => index % 2 === 0);
  };
  const begin = () => {
    marks = [];
    mark();
  };
  /** Returns the speed per millisecond. */
  const velocity = (): { readonly work: number; readonly rows: number } | undefined => {
    const [first] = marks;
    const last = marks.at(-1);
    if (first === undefined || last === undefined || last.time - first.time < leastTime) return undefined;
    // If the silence is longer than usual, the copy is slower than before.
    const usual = Math.max(longPause, (2 * (last.time - first.time)) / (marks.length - 1));
    const end = Math.max(last.time, time() - usual);
    const begin = first.time + (end - first.time) / 3;
    const span = (end - begin) / slices;
    const edges = Array.from({ length: slices + 1 }, (_, index) => doneAt(begin + index * span, marks));
    const speeds = edges.slice(1).map((edge, index) => {
      const { work, rows } = edges[index] ?? edge;
      return { work: (edge.work - work) / span, rows: (edge.rows - rows) / span };
    });
    const usable = speeds.toSorted((a, b) => a.work - b.work).slice(slices / 4, -slices / 4);
    const mean = (of: 'work' | 'rows') => usable.reduce((sum, each) => sum + each[of], 0) / usable.length;
    return { work: mean('work'), rows: mean('rows') };
  };

  return {
    table: (id, table) => {
      const known = tables.get(id);
      const { copiedRows } = table;
      // A table whose copy starts again has fewer rows than before.
      const before = known === undefined ? copiedRows : Math.min(known.before, copiedRows);
      tables.set(id, { ...table, before });
      if (since !== undefined && copiedRows !== known?.copiedRows) mark();
    },
    size: (id, bytesPerRow) => {
      sizes.set(id, bytesPerRow);
    },
    dropTable: (id) => {
      const known = tables.get(id);
      if (known === undefined) return;
      const rows = Math.max(0, known.copiedRows - known.before);
      gone = { work: gone.work + rows * weightOf(id), rows: gone.rows + rows };
      tables.delete(id);
    },
    pause: () => {
      passed = time();
      since = undefined;
      isPaused = true;
    },
    goOn: (next) => {
      const isOther = next !== limit;
      limit = next;
      isPaused = false;
      if (since !== undefined && !isOther) return;
      passed = time();
      since = clock.steady();
      if (isOther || marks.length === 0) begin();
    },
    read: () => {
      const all = [...tables];
      const rows = all.reduce((sum, [, { copiedRows }]) => sum + copiedRows, 0);
      const begun = { ...(isPaused && { isPaused: true as const }), rows };
      if (all.some(([, { copied, estimatedRows }]) => !copied && estimatedRows === undefined)) return begun;
      const rest = all.map(([id, table]) => ({ id, rows: restOf(table) }));
      const restRows = rest.reduce((sum, each) => sum + each.rows, 0);
      const restWork = rest.reduce((sum, each) => sum + each.rows * weightOf(each.id), 0);
      const known = { ...begun, ofRows: rows + restRows };
      if (restRows === 0) return { ...known, remaining: 0 };
      const now = since === undefined ? undefined : velocity();
      const byLimit = since === undefined || limit === undefined ? undefined : (1000 * restRows) / limit;
      const isMoving = now !== undefined && now.work > 0;
      const bySpeed = isMoving ? restWork / now.work : undefined;
      if (bySpeed === undefined && byLimit === undefined) return known;
      return {
        ...known,
        ...(isMoving && { rowsPerSecond: 1000 * now.rows }),
        remaining: Math.max(bySpeed ?? 0, byLimit ?? 0),
      };
    },
  };
}

/** Returns the number of remaining rows. If a table has more rows than estimated, their number is unknown. */
function restOf({ copied, copiedRows, estimatedRows = 0 }: ForecastTable): number {
  return copied ? 0 : Math.max(0, Math.round(estimatedRows) - copiedRows);
}

/** Returns the work at a time, interpolated between two marks. */
function doneAt(time: number, marks: readonly Mark[]): Omit<Mark, 'time'> {
  const after = marks.find((each) => each.time >= time) ?? marks.at(-1);
  const before = marks.findLast((each) => each.time <= time) ?? marks[0];
  if (after === undefined || before === undefined) return { work: 0, rows: 0 };
  const span = after.time - before.time;
  const share = span <= 0 ? 0 : (time - before.time) / span;
  return {
    work: before.work + share * (after.work - before.work),
    rows: before.rows + share * (after.rows - before.rows),
  };
}
