/** Random bucket definitions, and streams of edition 2, over the tables of a small world. */
import type { Random } from '../differential/random.ts';
import { quote } from './term.ts';
import { columns, type Table, tables, texts } from './world.ts';

export interface RandomConfig {
  readonly text: string;
  /** The number of streams, which are named s0, s1, …; 0 for bucket definitions, which need no subscription. */
  readonly streams: number;
}

export function olderConfig(random: Random): RandomConfig {
  const count = 1 + random.int(2);
  const parts = Array.from({ length: count }, (_, i) => i);
  if (random.chance(0.5)) {
    const streams = parts.map((i) => {
      const query = JSON.stringify(streamQuery(random));
      return `  s${i}:\n    accept_potentially_dangerous_queries: true\n    query: ${query}\n`;
    });
    return { text: `config:\n  edition: 2\nstreams:\n${streams.join('')}`, streams: count };
  }
  return { text: `bucket_definitions:\n${parts.map((i) => definition(random, i)).join('')}`, streams: 0 };
}

function streamQuery(random: Random): string {
  const table = random.pick(tables);
  const terms = random.times(1, 2, () => streamCondition(random, table));
  const rows = random.chance(0.4) ? ` AND ${rowCondition(random, table)}` : '';
  return `SELECT id, n FROM ${table} WHERE (${terms.join(' OR ')})${rows}`;
}

function streamCondition(random: Random, table: Table): string {
  const x = column(random, table, 'text');
  return random.choose<string>([
    [3, () => `${x} = ${authValue(random)}`],
    [2, () => `${x} IN auth.parameter('orgs')`],
    [2, () => `auth.user_id() IN ${column(random, table, 'array')}`],
    [3, () => `${x} IN (${streamSubquery(random)})`],
    [1, () => `auth.user_id() IN (${streamSubquery(random)})`],
    [1, () => `${authValue(random)} = ${quote(random.pick(texts))}`],
    [1, () => rowCondition(random, table)],
  ]);
}

function streamSubquery(random: Random): string {
  const table = random.pick(tables);
  const rows = random.chance(0.4) ? ` AND ${rowCondition(random, table)}` : '';
  const match = `${column(random, table, 'text')} = ${authValue(random)}`;
  return `SELECT ${column(random, table, 'text')} FROM ${table} WHERE ${match}${rows}`;
}

function authValue(random: Random): string {
  return random.pick([
    'auth.user_id()',
    "auth.parameter('org')",
    "auth.parameters() ->> 'role'",
    "connection.parameter('org')",
    "subscription.parameter('org')",
  ]);
}

function definition(random: Random, index: number): string {
  const names = random.chance(0.3) ? ['p', 'q'] : ['p'];
  const parameters = random.times(1, 2, () => parameterQuery(random, names));
  const data = random.times(1, 2, () => dataQuery(random, names));
  const listed = (queries: readonly string[]) =>
    queries.map((query) => `      - ${JSON.stringify(query)}\n`).join('');
  return `  d${index}:\n    accept_potentially_dangerous_queries: true\n    parameters:\n${listed(parameters)}    data:\n${listed(data)}`;
}

function parameterQuery(random: Random, names: readonly string[]): string {
  const list = (value: () => string) => names.map((name) => `${value()} AS ${name}`).join(', ');
  return random.choose<string>([
    [2, () => `SELECT ${list(() => requestValue(random))}${requestWhere(random)}`],
    [5, () => tableParameters(random, list)],
    [names.length === 1 ? 2 : 0, () => elementParameters(random)],
  ]);
}

function requestWhere(random: Random): string {
  return random.chance(0.5) ? ` WHERE ${requestValue(random)} = ${quote(random.pick(texts))}` : '';
}

function tableParameters(random: Random, list: (value: () => string) => string): string {
  const table = random.pick(tables);
  const x = column(random, table, 'text');
  const condition = random.choose<string>([
    [4, () => `${x} = ${requestValue(random)}`],
    [2, () => `${x} IN request.jwt() -> 'orgs'`],
    [2, () => `request.user_id() IN ${column(random, table, 'array')}`],
    [1, () => `${x} = ${requestValue(random)} OR ${rowCondition(random, table)}`],
    [1, () => `(${x} = ${requestValue(random)} OR ${x} IN request.jwt() -> 'boats')`],
  ]);
  const rows = random.chance(0.4) ? ` AND ${rowCondition(random, table)}` : '';
  const columns = list(() => (random.chance(0.85) ? column(random, table, 'text') : requestValue(random)));
  return `SELECT ${columns} FROM ${table} WHERE (${condition})${rows}`;
}

function elementParameters(random: Random): string {
  const filter = random.chance(0.4) ? ` WHERE value != ${quote(random.pick(texts))}` : '';
  return `SELECT value AS p FROM json_each(request.jwt() -> 'orgs')${filter}`;
}

function dataQuery(random: Random, names: readonly string[]): string {
  const table = random.pick(tables);
  const keys = names.map((name) =>
    random.chance(0.8)
      ? `${column(random, table, 'text')} = bucket.${name}`
      : `bucket.${name} IN ${column(random, table, 'array')}`,
  );
  const rows = random.chance(0.4) ? ` AND ${rowCondition(random, table)}` : '';
  return `SELECT id, n FROM ${table} WHERE ${keys.join(' AND ')}${rows}`;
}

function requestValue(random: Random): string {
  return random.pick([
    'request.user_id()',
    "request.jwt() ->> 'org'",
    "request.jwt() ->> 'role'",
    "request.parameters() ->> 'org'",
    'token_parameters.user_id',
    'user_parameters.org',
  ]);
}

function rowCondition(random: Random, table: Table): string {
  const x = column(random, table, 'text');
  const n = column(random, table, 'integer');
  return random.pick([
    `${x} = ${quote(random.pick(texts))}`,
    `${x} != ${quote(random.pick(texts))}`,
    `${x} IS NOT NULL`,
    `${n} >= ${random.int(3)}`,
    `NOT (${n} = ${random.int(3)})`,
    `upper(${x}) = 'U1'`,
  ]);
}

function column(random: Random, table: Table, type: 'text' | 'integer' | 'array'): string {
  const names = Object.entries(columns[table]).flatMap(([name, of]) => (of === type ? [name] : []));
  return random.pick([...names, ...(type === 'text' ? ['id'] : [])]);
}
