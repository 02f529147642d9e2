/**
 * The model of docs/SCALING.md: each cost is a fixed part and a part for each client, row or process. The constants are
 * of one quiet run; every run of the benches sets what they predict beside what it has measured, and says which constants
 * it would have given. After a change of them, `npm run bench -- model` writes the page.
 */
import { type Figure, type FigureTable, numbersIn } from '../figure.ts';

/** `fixed + each × size` */
export interface Cost {
  readonly fixed: number;
  readonly each: number;
}

/** Clients of the section `processes` that get a change. */
const readers = 1_000;

export const costs = {
  /** Milliseconds of a processor at a process, by the clients that get a change. */
  change: { fixed: 2.4, each: 0.0101 },
  /**
   * The time for a change to {@link readers} clients with PostgreSQL storage, by processes. A process that only serves needs
   * less.
   */
  changeServed: { fixed: 6.6, each: 2.1 },
  /** Megabytes of a process, by the clients that wait. */
  memory: { fixed: 183, each: 0.0099 },
  /** Seconds of a processor, by rows. A process that has just started takes more for the first ones: the fixed part. */
  firstSync: { fixed: 0.04, each: 0.9e-6 },
  /** Into the embedded storage: seconds of a processor, and megabytes. */
  copy: { fixed: 0.36, each: 8.6e-6 },
  disk: { fixed: 0, each: 167e-6 },
  /** Into PostgreSQL: seconds of a processor for the process that replicates and for the database, and megabytes. */
  postgresCopy: { fixed: 0, each: 28.5e-6 },
  postgresRows: { fixed: 0, each: 10.8e-6 },
  postgresDisk: { fixed: 0, each: 694e-6 },
  /** Milliseconds of the database's processor, and statements, by the processes whose clients get a change. */
  databaseChange: { fixed: 1.5, each: 0.85 },
  statements: { fixed: 9.5, each: 2.1 },
  /** Milliseconds of it in a second in which nothing happens, by processes. */
  databaseIdle: { fixed: 2.2, each: 0.18 },
  /** The database's time when a process asks for write checkpoints, by the uploads since its last question. */
  writeCheckpoints: { fixed: 0.11, each: 0.00043 },
  /** The database's time for a notification, by the processes that hear it, whichever of them it concerns. */
  notification: { fixed: 0.12, each: 0.023 },
} as const satisfies Readonly<Record<string, Cost>>;

interface Law {
  readonly what: string;
  /** The sizes with which it grows. */
  readonly sizes: string;
  readonly unit: string;
  readonly cost: Cost;
  /** Matches the name of a figure, after the name of its group. A part of the match is the size, or else the size is 1. */
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

/** The part of a measured value by which a prediction may be more or less. */
const tolerance = 0.25;

/** Returns a table of the laws with a measured figure. The last row counts the predictions that are near enough. */
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

/** A figure that begins with three dots belongs to the last one before it that does not. */
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
 * Returns the line with the least squares of the relative errors, so that a small size counts as much as a large one. With one
 * point, the fixed part stays as it was.
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
