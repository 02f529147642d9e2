/**
 * The model of docs/SCALING.md: each cost is a fixed part and a part for each client, row or process. The constants are
 * of one quiet run; every run of the benches sets what they predict beside what it has measured, and says which constants
 * it would have given.
 */
import { type Figure, type FigureTable, numbersIn } from './figure.ts';

interface Law {
  readonly what: string;
  /** What it grows with. */
  readonly sizes: string;
  readonly unit: string;
  readonly fixed: number;
  readonly each: number;
  /** Of the name of a figure, with that of the figures that it belongs to before it; the size in it. */
  readonly figure: RegExp;
  readonly read: (numbers: readonly number[], size: number) => number | undefined;
}

/** Milliseconds of a processor: for a change at a process, and for each of its clients that get it. */
const change = { fixed: 2.3, each: 0.0107 };
/** Clients of the section `processes` that get a change. */
const readers = 1_000;

const laws: readonly Law[] = [
  {
    what: 'processor of a process, a change',
    sizes: 'clients that get it',
    unit: 'ms',
    ...change,
    figure: /^one row to ([\d,]+) clients.* processor a client$/,
    read: ([microseconds = Number.NaN], size) => (microseconds * size) / 1_000,
  },
  {
    what: 'copying rows',
    sizes: 'rows',
    unit: 's',
    fixed: 0.26,
    each: 7.8e-6,
    figure: /^initial replication of ([\d,]+) rows$/,
    read: ([perSecond = Number.NaN], size) => size / perSecond,
  },
  {
    what: 'disk of rows of 208 bytes',
    sizes: 'rows',
    unit: 'MB',
    fixed: 8.8,
    each: 539e-6,
    figure: /^initial replication of ([\d,]+) rows .*storage of a row/,
    read: ([bytes = Number.NaN], size) => (bytes * size) / 1e6,
  },
  {
    what: 'processor of a process, first sync',
    sizes: 'rows',
    unit: 's',
    fixed: 0.05,
    each: 1.3e-6,
    figure: /^first sync, 1 client × ([\d,]+) rows$/,
    read: ([, microseconds = Number.NaN], size) => (microseconds * size) / 1e6,
  },
  {
    what: `processor of all that serve, a change to ${readers.toLocaleString('en')} clients`,
    sizes: 'processes',
    unit: 'ms',
    fixed: change.each * readers,
    each: change.fixed,
    figure: /^([\d,]+) process.* processor of those that serve, a client$/,
    read: ([microseconds = Number.NaN]) => (microseconds * readers) / 1_000,
  },
  {
    what: 'processor of the database, a change',
    sizes: 'processes',
    unit: 'ms',
    fixed: 2.1,
    each: 0.75,
    figure: /^([\d,]+) process.* the one that replicates, and of the database$/,
    read: ([, database]) => database,
  },
  {
    what: 'statements at the database, a change',
    sizes: 'processes',
    unit: '',
    fixed: 9.5,
    each: 2.1,
    figure: /^([\d,]+) process.* the one that replicates, and of the database$/,
    read: ([, , statements]) => statements,
  },
  {
    what: 'processor of the database, a second in which nothing happens',
    sizes: 'processes',
    unit: 'ms',
    fixed: 1.3,
    each: 0.9,
    figure: /^([\d,]+) process.* nothing happens: the database, in a second$/,
    read: ([database]) => database,
  },
];

interface Point {
  readonly size: number;
  readonly measured: number;
}

/** Only laws of which something was measured. */
export function modelTable(figures: readonly Figure[]): FigureTable {
  const named = withHeadings(figures);
  const rows = laws.flatMap((law) => {
    const points = pointsOf(law, named);
    const checked = points.map(({ size, measured }) => {
      const predicted = law.fixed + law.each * size;
      const off = ((predicted - measured) / measured) * 100;
      const what = `${law.what}: ${size.toLocaleString('en')} ${law.sizes}`;
      return [what, shown(predicted, law.unit), shown(measured, law.unit), `${off.toFixed(0)} %`];
    });
    return [...checked, ...constantsOf(law, points)];
  });
  return { head: ['what', 'predicted', 'measured', 'off'], rows };
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
    const [, digits] = figure.exec(name) ?? [];
    if (digits === undefined) return [];
    const size = Number(digits.replaceAll(',', ''));
    const measured = read(numbersIn(text), size);
    return measured === undefined || !Number.isFinite(measured) ? [] : [{ size, measured }];
  });
}

/** A line through what this run has measured. */
function constantsOf({ what, fixed, each }: Law, points: readonly Point[]): string[][] {
  if (points.length < 2) return [];
  const line = lineThrough(points);
  const text = (constants: typeof line) =>
    `${constants.fixed.toPrecision(3)} + ${constants.each.toPrecision(3)} × size`;
  return [[`… ${what}`, text({ fixed, each }), text(line), '']];
}

/** That with the least squares of the relative errors: a small size counts as much as a large one. */
export function lineThrough(points: readonly Point[]): { readonly fixed: number; readonly each: number } {
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

function shown(value: number, unit: string): string {
  return `${Number(value.toPrecision(3)).toLocaleString('en')}${unit && ` ${unit}`}`;
}
