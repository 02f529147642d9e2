/** The editions and engines in which an expression may mean different things. */
export interface Mode {
  readonly edition: 1 | 2 | 3;
  readonly sqlite: boolean;
  /** Bucket definitions, which editions 1 and 2 have, or streams. */
  readonly kind: 'definitions' | 'streams';
}

export const modes: readonly Mode[] = [
  { edition: 1, sqlite: false, kind: 'definitions' },
  { edition: 2, sqlite: false, kind: 'definitions' },
  { edition: 2, sqlite: false, kind: 'streams' },
  { edition: 3, sqlite: false, kind: 'streams' },
  { edition: 3, sqlite: true, kind: 'streams' },
];

export function nameOfMode({ edition, sqlite, kind }: Mode): string {
  return `edition ${edition}, ${kind}${sqlite ? ', SQLite engine' : ''}`;
}

export function headOf({ edition, sqlite }: Mode): string {
  const engine = sqlite ? ', unstable_sqlite_expression_engine: true' : '';
  return `config: { edition: ${edition}${engine} }\n`;
}
