/**
 * The model of docs/SCALING.md: each cost is a fixed part plus a part for each client, row or process. The constants were
 * measured in one quiet run. Every run of the benches compares their predictions with its own measurements, and prints the
 * constants that fit these measurements. After changing the constants, run `npm run bench -- model` to write the page
 * again.
 */
import { type Figure, type FigureTable, numbersIn } from '../figure.ts';

/** `fixed + each × size` */
export interface Cost {
  readonly fixed: number;
  readonly each: number;
}

/** The number of clients in the section `processes` that get a change. */
const readers = 1_000;

export const costs = {
  /** Processor milliseconds of a process for a change, by the number of clients that get it. */
  change: { fixed: 2.4, each: 0.0101 },
  /**
   * Processor milliseconds for a change to {@link readers} clients with PostgreSQL storage, by the number of processes. A
   * process that only serves needs less than one that also replicates.
   */
  changeServed: { fixed: 6.6, each: 2.1 },
  /** Megabytes of memory of a process, by the number of waiting clients. */
  memory: { fixed: 183, each: 0.0099 },
  /**
   * Processor seconds for a first sync, by the number of rows. A process that has just started needs longer for the first
   * rows, which is the fixed part.
   */
  firstSync: { fixed: 0.04, each: 0.9e-6 },
  /** Copying into the embedded storage: processor seconds (`copy`) and megabytes (`disk`), by the number of rows. */
  copy: { fixed: 0.36, each: 8.6e-6 },
  disk: { fixed: 0, each: 167e-6 },
  /**
   * Copying into PostgreSQL, by the number of rows: processor seconds of the replicating process (`postgresCopy`) and of
   * the database (`postgresRows`), and megabytes (`postgresDisk`).
   */
  postgresCopy: { fixed: 0, each: 28.5e-6 },
  postgresRows: { fixed: 0, each: 10.8e-6 },
  postgresDisk: { fixed: 0, each: 694e-6 },
  /**
   * Processor milliseconds and statements of the database for a change, by the number of processes whose clients get it.
   */
  databaseChange: { fixed: 1.5, each: 0.85 },
  statements: { fixed: 9.5, each: 2.1 },
  /** Processor milliseconds of the database in a second without changes, by the number of processes. */
  databaseIdle: { fixed: 2.2, each: 0.18 },
  /**
   * Processor milliseconds of the database when a process asks for write checkpoints, by the uploads since it last asked.
   */
  writeCheckpoints: { fixed: 0.11, each: 0.00043 },
  /**
   * Processor milliseconds of the database for a notification, by the number of processes that receive it, whether or not
   * it concerns them.
   */
  notification: { fixed: 0.12, each: 0.023 },
} as const satisfies Readonly<Record<string, Cost>>;

interface Law {
  readonly what: string;
  /** The quantity with which the cost grows. */
  readonly sizes: string;
  readonly unit: string;
  readonly cost: Cost;
  /**
   * Matches the name of a figure, which follows the heading of its group. A captured part is the size; without one, the
   * size is 1.
   */
  readonly figure: RegExp;
  readonly read: (numbers: readonly number[], size: number) => number | undefined;
}

export const laws: readonly Law[] = [
  {
    what: 'a change, at a process',
    sizes: 'clients that get it',
    unit: 'ms of a processor',
    cost: costs.change,
    figure: /^one row to ([\d,]+) clients.* processor a client$/,
    read: ([microseconds = Number.NaN], size) => (microseconds * size) / 1_000,
  },
  {
    what: 'a client that waits',
    sizes: 'clients',
    unit: 'MB of memory',
    cost: { fixed: 0, each: costs.memory.each },
    figure: /^memory of an idle client$/,
    read: ([kilobytes = Number.NaN]) => kilobytes / 1_000,
  },
  {
    what: 'a process without clients',
    sizes: 'processes',
    unit: 'MB of memory',
    cost: { fixed: 0, each: costs.memory.fixed },
    figure: /^memory of an idle client .* have left$/,
    read: ([, before]) => before,
  },
  {
    what: 'a first sync, at a process',
    sizes: 'rows',
    unit: 's of a processor',
    cost: costs.firstSync,
    figure: /^first sync, 1 client × ([\d,]+) rows$/,
    read: ([, microseconds = Number.NaN], size) => (microseconds * size) / 1e6,
  },
  {
    what: 'copying into the embedded storage',
    sizes: 'rows',
    unit: 's of a processor',
    cost: costs.copy,
    figure: /^initial replication of ([\d,]+) rows$/,
    read: ([, microseconds = Number.NaN], size) => (microseconds * size) / 1e6,
  },
  {
    what: 'rows in the embedded storage',
    sizes: 'rows',
    unit: 'MB of disk',
    cost: costs.disk,
    figure: /^initial replication of ([\d,]+) rows .*storage of a row/,
    read: ([bytes = Number.NaN], size) => (bytes * size) / 1e6,
  },
  {
    what: 'copying into PostgreSQL, at the process',
    sizes: 'rows',
    unit: 's of a processor',
    cost: costs.postgresCopy,
    figure: /^([\d,]+) rows into PostgreSQL: [^…]*$/,
    read: ([microseconds = Number.NaN], size) => (microseconds * size) / 1e6,
  },
  {
    what: 'copying into PostgreSQL, at the database',
    sizes: 'rows',
    unit: 's of a processor',
    cost: costs.postgresRows,
    figure: /^([\d,]+) rows into PostgreSQL: [^…]*$/,
    read: ([, microseconds = Number.NaN], size) => (microseconds * size) / 1e6,
  },
  {
    what: 'rows in PostgreSQL',
    sizes: 'rows',
    unit: 'MB of disk',
    cost: costs.postgresDisk,
    figure: /^([\d,]+) rows into PostgreSQL: .*storage of a row/,
    read: ([bytes = Number.NaN], size) => (bytes * size) / 1e6,
  },
  {
    what: `a change to ${readers.toLocaleString('en')} clients, at all processes that serve`,
    sizes: 'processes',
    unit: 'ms of a processor',
    cost: costs.changeServed,
    figure: /^([\d,]+) process.* processor of those that serve, a client$/,
    read: ([microseconds = Number.NaN]) => (microseconds * readers) / 1_000,
  },
  {
    what: 'a change, at the database',
    sizes: 'processes with clients that get it',
    unit: 'ms of a processor',
    cost: costs.databaseChange,
    figure: /^([\d,]+) process.* the one that replicates, and of the database$/,
    read: ([, database]) => database,
  },
  {
    what: 'a change, at the database',
    sizes: 'processes with clients that get it',
    unit: 'statements',
    cost: costs.statements,
    figure: /^([\d,]+) process.* the one that replicates, and of the database$/,
    read: ([, , statements]) => statements,
  },
  {
    what: 'a second without any change, at the database',
    sizes: 'processes',
    unit: 'ms of a processor',
    cost: costs.databaseIdle,
    figure: /^([\d,]+) process.* nothing happens: the database, in a second$/,
    read: ([database]) => database,
  },
  {
    what: 'a process that asks for write checkpoints, at the database',
    sizes: 'uploads since it asked before',
    unit: 'ms of a processor',
    cost: costs.writeCheckpoints,
    figure: /^a process asks for the write checkpoints of ([\d,]+) uploads/,
    read: ([database]) => database,
  },
  {
    what: 'a notification, at the database',
    sizes: 'processes that listen',
    unit: 'ms of a processor',
    cost: costs.notification,
    figure: /^a notification to ([\d,]+) processes/,
    read: ([database]) => database,
  },
];

interface Point {
  readonly size: number;
  readonly measured: number;
}

/** The largest relative error of a prediction that still counts as near enough. */
const tolerance = 0.25;

/** Returns a table of the laws that have a measured figure. The last row counts the predictions that are near enough. */
export function modelTable(figures: readonly Figure[]): FigureTable {
  const named = withHeadings(figures);
  let [all, near] = [0, 0];
  const rows = laws.flatMap((law) => {
    const points = pointsOf(law, named);
    const checked = points.map(({ size, measured }) => {
      const predicted = law.cost.fixed + law.cost.each * size;
      const part = (predicted - measured) / measured;
      all += 1;
      if (Math.abs(part) <= tolerance) near += 1;
      const off = `${(part * 100).toFixed(0)} %`;
      const what = `${law.what}; ${law.sizes}: ${size.toLocaleString('en')}`;
      return [what, law.unit, shortNumber(predicted), shortNumber(measured), off];
    });
    if (points.length === 0) return [];
    return [
      ...checked,
      ['… fixed + each × size', '', ...[law.cost, lineThrough(points, law.cost)].map(costText)],
    ];
  });
  const count = [`off by ${tolerance * 100} % at most`, '', '', `${near} of ${all}`, ''];
  return {
    head: ['what', 'unit', 'predicted', 'measured', 'off'],
    rows: all === 0 ? [] : [...rows, count],
  };
}

function costText({ fixed, each }: Cost): string {
  return `${Number(fixed.toPrecision(3))} + ${Number(each.toPrecision(3))} × size`;
}

/** Adds headings to the names: a figure that begins with three dots belongs to the last one before it that does not. */
function withHeadings(figures: readonly Figure[]): readonly (readonly [name: string, measured: string])[] {
  let heading = '';
  return figures.map(({ what, measured }) => {
    if (what.startsWith('…')) return [`${heading} ${what}`, measured];
    heading = what;
    return [what, measured];
  });
}

function pointsOf({ figure, read }: Law, named: ReturnType<typeof withHeadings>): Point[] {
  return named.flatMap(([name, text]) => {
    const found = figure.exec(name);
    if (found === null) return [];
    const [, digits = '1'] = found;
    const size = Number(digits.replaceAll(',', ''));
    const measured = read(numbersIn(text), size);
    return measured === undefined || !Number.isFinite(measured) ? [] : [{ size, measured }];
  });
}

/**
 * Returns the line that minimizes the squares of the relative errors, so that a small size counts as much as a large one.
 * If all points have the same size, the fixed part keeps its former value.
 */
export function lineThrough(points: readonly Point[], { fixed: known }: Cost): Cost {
  const [first] = points;
  if (first !== undefined && points.every(({ size }) => size === first.size))
    return { fixed: known, each: (first.measured - known) / first.size };
  let [weights, sizes, squares, values, products] = [0, 0, 0, 0, 0];
  for (const { size, measured } of points) {
    const weight = 1 / measured ** 2;
    weights += weight;
    sizes += weight * size;
    squares += weight * size * size;
    values += weight * measured;
    products += weight * size * measured;
  }
  const each = (weights * products - sizes * values) / (weights * squares - sizes * sizes);
  return { each, fixed: (values - each * sizes) / weights };
}

export function shortNumber(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString('en', { maximumSignificantDigits: 3 });
}
