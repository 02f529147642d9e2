/** Random values of the row and of the request. */
import type { Random } from '../differential/random.ts';
import { literal, plain, quote, type Term, template } from './term.ts';
import { columns, type Request_, type Table, texts } from './world.ts';

/** A FROM item that a condition may use. */
export interface Item {
  readonly alias: string;
  readonly table: Table;
}

type ColumnType = 'text' | 'integer' | 'array';

export function column(random: Random, items: readonly Item[], type: ColumnType): Term {
  const { alias, table } = random.pick(items);
  const names = Object.entries(columns[table]).flatMap(([name, of]) => (of === type ? [name] : []));
  return plain(
    `${alias}.${random.pick([...names, ...(type === 'text' && random.chance(0.3) ? ['id'] : [])])}`,
  );
}

/** A text that is computed from one row: mostly a column as it is. */
export function rowText(random: Random, items: readonly Item[]): Term {
  const x = column(random, [random.pick(items)], 'text');
  const text = () => literal(random.pick(texts));
  return random.choose<Term>([
    [12, () => x],
    [1, () => template`upper(${x})`],
    [1, () => template`ifnull(${x}, ${text()})`],
    [1, () => template`substring(${x}, 1, 2)`],
    [1, () => template`CASE WHEN ${x} = ${text()} THEN ${text()} ELSE ${x} END`],
    [1, () => template`CASE ${x} WHEN ${text()} THEN ${text()} WHEN ${text()} THEN NULL END`],
  ]);
}

export function requestText(random: Random): Term {
  const x = requestParameter(random);
  return random.choose<Term>([
    [10, () => x],
    [1, () => template`upper(${x})`],
    [1, () => template`substring(${x}, 1, 2)`],
  ]);
}

function requestParameter(random: Random): Term {
  const [stream, read] = random.pick<readonly [string, (request: Request_) => unknown]>([
    ['auth.user_id()', ({ claims }) => claims.sub],
    ["auth.parameter('org')", ({ claims }) => claims.org],
    ["auth.parameter('role')", ({ claims }) => claims.role],
    ["connection.parameter('org')", ({ connection }) => connection.org],
    ["subscription.parameter('org')", ({ parameters }) => parameters.org],
  ]);
  return { stream, sqlite: (request) => quote(read(request)) };
}

/** A claim that is an integer, or NULL. */
export function requestNumber(): Term {
  return { stream: "auth.parameter('level')", sqlite: ({ claims }) => quote(claims.level) };
}

/** JSON text of an array in SQLite, also if the claim is missing. */
export function requestArray(random: Random): Term {
  const name = random.pick(['orgs', 'boats']);
  return {
    stream: `auth.parameter('${name}')`,
    sqlite: ({ claims }) => quote(JSON.stringify(claims[name] ?? [])),
  };
}

/** JSON text of an array in SQLite, also if the column is NULL. */
export function rowArray(random: Random, items: readonly Item[]): Term {
  const { stream } = column(random, items, 'array');
  return { stream, sqlite: () => `ifnull(${stream}, '[]')` };
}
