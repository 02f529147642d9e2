/** Random rows and requests over three small tables, with values that often match. */
import type { Random } from '../differential/random.ts';

export type Cell = string | number | null;
export type Record_ = Readonly<{ id: string } & { [column: string]: Cell }>;

export interface World {
  readonly rows: readonly { readonly table: Table; readonly record: Record_ }[];
  readonly requests: readonly Request_[];
}

export interface Request_ {
  readonly claims: Readonly<Record<string, Cell | readonly Cell[]>>;
  readonly connection: Readonly<Record<string, Cell>>;
  /** The parameters of the only subscription to each stream. */
  readonly parameters: Readonly<Record<string, Cell>>;
}

/** Each column holds values of one type, or NULL; `list` holds JSON arrays of texts. */
export const columns = {
  boats: { owner: 'text', org: 'text', kind: 'text', n: 'integer', list: 'array' },
  crew: { boat: 'text', owner: 'text', org: 'text', n: 'integer', list: 'array' },
  ports: { org: 'text', boat: 'text', kind: 'text', n: 'integer', list: 'array' },
} as const;

export type Table = keyof typeof columns;
export const tables = Object.keys(columns) as Table[];

export const texts = ['u1', 'u2', 'o1', 'o2', 'boats-1', 'boats-2', 'k'] as const;

export function world(random: Random): World {
  const rows = tables.flatMap((table) =>
    random.times(2, 4, () => table).map((_, i) => ({ table, record: record(random, table, i) })),
  );
  return { rows, requests: random.times(2, 3, () => request(random)) };
}

export function record(random: Random, table: Table, index: number): Record_ {
  const cells = Object.entries(columns[table]).map(([name, type]) => [name, cell(random, type)]);
  return { id: `${table}-${index}`, ...Object.fromEntries(cells) };
}

function cell(random: Random, type: 'text' | 'integer' | 'array'): Cell {
  if (random.chance(0.12)) return null;
  switch (type) {
    case 'text':
      return random.pick(texts);
    case 'integer':
      return random.int(3);
    case 'array':
      return JSON.stringify(list(random));
  }
}

function list(random: Random): string[] {
  return random.times(0, 3, () => random.pick(texts));
}

function request(random: Random): Request_ {
  const optional = (name: string, value: () => Cell | readonly Cell[]) =>
    random.chance(0.9) ? { [name]: random.chance(0.05) ? null : value() } : {};
  const text = () => random.pick(texts);
  return {
    claims: {
      sub: text(),
      ...optional('org', text),
      ...optional('role', text),
      ...optional('level', () => random.int(3)),
      ...optional('orgs', () => list(random)),
      ...optional('boats', () => list(random)),
    },
    connection: { ...optional('org', text) } as Request_['connection'],
    parameters: { ...optional('org', text) } as Request_['parameters'],
  };
}
