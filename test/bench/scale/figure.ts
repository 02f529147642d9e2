/** A row of the table: what was measured, beside what the machine can do at most and beside what is wanted. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  /** The same work by nothing but the system, SQLite or the driver, in the same run. */
  readonly limit?: string;
  readonly ratio?: string;
  readonly wanted?: string;
}

export const head = ['what', 'measured', 'limit of the machine', 'ratio', 'wanted'] as const;

export function cellsOf({ what, measured, limit = '', ratio = '', wanted = '' }: Figure): readonly string[] {
  return [what, measured, limit, ratio, wanted];
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

export function perSecond(things: number, milliseconds: number): string {
  return `${count((things / milliseconds) * 1_000)}/s`;
}
