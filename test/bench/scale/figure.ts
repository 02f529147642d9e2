/** A row of the table: the measured figure, the limit of the machine, and the wanted figure. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  /** The same work by nothing but the system, SQLite or the driver, in the same run. */
  readonly limit?: string;
  readonly ratio?: string;
  readonly wanted?: string;
}

const ends = ['limit of the machine', 'ratio', 'wanted'] as const;

export interface FigureTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function tableOf(figures: readonly Figure[]): FigureTable {
  const rows = figures.map(({ what, measured, limit = '', ratio = '', wanted = '' }) => [
    ...[what, measured, limit, ratio, wanted],
  ]);
  return { head: ['what', 'measured', ...ends], rows };
}

/** @param former of another commit, by the same bench; may lack some */
export function comparison(former: readonly Figure[], figures: readonly Figure[]): FigureTable {
  const { rows } = tableOf(figures);
  // Several figures may have one name, in one order.
  const unused = [...former];
  const before = figures.map(({ what }) => {
    const at = unused.findIndex((each) => each.what === what);
    return at < 0 ? '–' : (unused.splice(at, 1)[0]?.measured ?? '–');
  });
  const both = rows.map(([what = '', ...rest], index) => [what, before[index] ?? '–', ...rest]);
  const gone = unused.map(({ what, measured }) => [what, measured, '–']);
  return { head: ['what', 'before', 'now', ...ends], rows: [...both, ...gone] };
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

export function perSecond(things: number, milliseconds: number): string {
  return `${count((things / milliseconds) * 1_000)}/s`;
}

/** `3.75 ms, 1,300 of 5` → 3.75, 1300, 5 */
export function numbersIn(text: string): readonly number[] {
  return [...text.matchAll(/\d[\d,]*(\.\d+)?/g)].map(([number]) => Number(number.replaceAll(',', '')));
}
