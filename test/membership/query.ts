/**
 * Random queries over {@link columns}, each in two forms: the dialect of streams, and ordinary SQL of SQLite that
 * means the same for one request. They are made side by side, and share nothing with the engine.
 *
 * In a stream, NULL counts as false wherever a condition is negated; in SQLite that is `ifnull(x, 0)`.
 */
import type { Random } from '../differential/random.ts';
import { columns, type Request_, type Table, tables, texts } from './world.ts';

export interface Query {
  /** Name of the table whose rows it syncs. */
  readonly table: Table;
  readonly stream: string;
  /** Selects the ids for a request. */
  readonly sqlite: (request: Request_) => string;
}

interface Term {
  readonly stream: string;
  readonly sqlite: (request: Request_) => string;
}

interface Scope {
  readonly random: Random;
  /** FROM items that a condition may use: alias and table; the first is the innermost output. */
  readonly items: readonly { readonly alias: string; readonly table: Table }[];
  readonly depth: number;
}

export function query(random: Random): Query {
  const table = random.pick(tables);
  const joined = random.chance(0.25) ? random.pick(tables) : undefined;
  const items = [{ alias: 'a', table }, ...(joined ? [{ alias: 'j', table: joined }] : [])];
  const scope: Scope = { random, items, depth: 0 };
  const link = joined && columnMatch(random, { alias: 'a', table }, { alias: 'j', table: joined });
  const where = condition(scope, random.int(3));
  const all = link ? both('AND', link, where) : where;
  const from = `FROM ${table} AS "a"${joined ? ` JOIN ${joined} AS "j"` : ''}`;
  return {
    table,
    stream: `SELECT a.id, a.n ${from} WHERE ${all.stream}`,
    sqlite: (request) => `SELECT DISTINCT a.id AS id ${from} WHERE ${all.sqlite(request)}`,
  };
}

function condition(scope: Scope, depth: number): Term {
  const { random } = scope;
  if (depth === 0) return leaf(scope);
  return random.choose<Term>([
    [4, () => both('AND', condition(scope, depth - 1), condition(scope, depth - 1))],
    [3, () => both('OR', condition(scope, depth - 1), condition(scope, depth - 1))],
    [1, () => not(rowCondition(scope))],
    [3, () => leaf(scope)],
  ]);
}

function leaf(scope: Scope): Term {
  return scope.random.choose<Term>([
    [6, () => requestMatch(scope)],
    [4, () => rowCondition(scope)],
    [2, () => requestCondition(scope)],
    [3, () => claimArray(scope)],
    [2, () => rowArray(scope)],
    [scope.depth < 2 ? 4 : 0, () => subquery(scope)],
    [scope.depth < 2 ? 1 : 0, () => overlap(scope)],
  ]);
}

function requestMatch(scope: Scope): Term {
  return equal(column(scope, 'text'), requestValue(scope.random));
}

function rowCondition(scope: Scope): Term {
  const { random } = scope;
  const item = random.pick(scope.items);
  const only: Scope = { ...scope, items: [item] };
  return random.choose<Term>([
    [3, () => equal(column(only, 'text'), literal(random.pick(texts)))],
    [2, () => compare(column(only, 'integer'), random.pick(['<', '>=', '=']), plain(String(random.int(3))))],
    [1, () => nullTest(column(only, 'text'), random.chance(0.5))],
    [1, () => not(equal(column(only, 'text'), literal(random.pick(texts))))],
    [1, () => notInList(column(only, 'text'), random)],
    [1, () => both('OR', rowCondition(only), rowCondition(only))],
  ]);
}

function requestCondition({ random }: Scope): Term {
  const test = equal(requestValue(random), literal(random.pick(texts)));
  return random.chance(0.3) ? not(test) : test;
}

/** `column IN auth.parameter('orgs')` */
function claimArray(scope: Scope): Term {
  const value = column(scope, 'text');
  const name = scope.random.pick(['orgs', 'boats']);
  return {
    stream: `${value.stream} IN auth.parameter('${name}')`,
    sqlite: (request) =>
      `ifnull(${value.sqlite(request)} IN (SELECT value FROM json_each(${quote(arrayOf(request, name))})), 0)`,
  };
}

function arrayOf(request: Request_, name: string): string {
  return JSON.stringify(request.claims[name] ?? []);
}

/** `auth.user_id() IN column` */
function rowArray(scope: Scope): Term {
  const value = requestValue(scope.random);
  const list = column(scope, 'array');
  return {
    stream: `${value.stream} IN ${list.stream}`,
    sqlite: (request) =>
      `ifnull(${value.sqlite(request)} IN (SELECT value FROM json_each(ifnull(${list.sqlite(request)}, '[]'))), 0)`,
  };
}

/** `column IN (SELECT c FROM t WHERE …)`, or with a request value on the left. */
function subquery(scope: Scope): Term {
  const { random } = scope;
  const value = random.chance(0.8) ? column(scope, 'text') : requestValue(random);
  const inner = innerSelect(scope);
  return {
    stream: `${value.stream} IN (${inner.stream})`,
    sqlite: (request) => `ifnull(${value.sqlite(request)} IN (${inner.sqlite(request)}), 0)`,
  };
}

function innerSelect(scope: Scope): Term {
  const table = scope.random.pick(tables);
  const inner: Scope = { ...scope, items: [{ alias: `s${scope.depth}`, table }], depth: scope.depth + 1 };
  const output = column(inner, 'text');
  const where = condition(inner, scope.random.int(2));
  const alias = inner.items[0]?.alias;
  const select = (of: (term: Term) => string) =>
    `SELECT ${of(output)} AS v FROM ${table} AS "${alias}" WHERE ${of(where)}`;
  return {
    stream: select(({ stream }) => stream),
    // NULL in a list makes IN unknown, which is false for a condition that is not negated.
    sqlite: (request) => `SELECT v FROM (${select(({ sqlite }) => sqlite(request))}) WHERE v IS NOT NULL`,
  };
}

/** `column && auth.parameter('orgs')` */
function overlap(scope: Scope): Term {
  const list = column(scope, 'array');
  const name = scope.random.pick(['orgs', 'boats']);
  return {
    stream: `${list.stream} && auth.parameter('${name}')`,
    sqlite: (request) =>
      `EXISTS (SELECT 1 FROM json_each(ifnull(${list.sqlite(request)}, '[]')) x JOIN json_each(${quote(
        arrayOf(request, name),
      )}) y ON x.value = y.value)`,
  };
}

function columnMatch(random: Random, left: Scope['items'][number], right: Scope['items'][number]): Term {
  const scope = (item: Scope['items'][number]): Scope => ({ random, items: [item], depth: 0 });
  const other = random.chance(0.5) ? plain(`${right.alias}.id`) : column(scope(right), 'text');
  return equal(column(scope(left), 'text'), other);
}

function column({ random, items }: Scope, type: 'text' | 'integer' | 'array'): Term {
  const { alias, table } = random.pick(items);
  const names = Object.entries(columns[table]).flatMap(([name, of]) => (of === type ? [name] : []));
  return plain(
    `${alias}.${random.pick([...names, ...(type === 'text' && random.chance(0.3) ? ['id'] : [])])}`,
  );
}

function requestValue(random: Random): Term {
  const [stream, read] = random.pick<readonly [string, (request: Request_) => unknown]>([
    ['auth.user_id()', ({ claims }) => claims.sub],
    ["auth.parameter('org')", ({ claims }) => claims.org],
    ["auth.parameter('role')", ({ claims }) => claims.role],
    ["connection.parameter('org')", ({ connection }) => connection.org],
    ["subscription.parameter('org')", ({ parameters }) => parameters.org],
  ]);
  return { stream, sqlite: (request) => quote(read(request) ?? null) };
}

function equal(left: Term, right: Term): Term {
  return compare(left, '=', right);
}

function compare(left: Term, operator: string, right: Term): Term {
  return {
    stream: `${left.stream} ${operator} ${right.stream}`,
    sqlite: (request) => `ifnull(${left.sqlite(request)} ${operator} ${right.sqlite(request)}, 0)`,
  };
}

function nullTest(value: Term, negated: boolean): Term {
  const test = negated ? 'IS NOT NULL' : 'IS NULL';
  return { stream: `${value.stream} ${test}`, sqlite: (request) => `${value.sqlite(request)} ${test}` };
}

function notInList(value: Term, random: Random): Term {
  const items = random.times(1, 2, () => random.pick(texts));
  return {
    stream: `${value.stream} NOT IN ${quote(JSON.stringify(items))}`,
    sqlite: (request) => `NOT ifnull(${value.sqlite(request)} IN (${items.map(quote).join(', ')}), 0)`,
  };
}

function not(term: Term): Term {
  return { stream: `NOT (${term.stream})`, sqlite: (request) => `NOT (${term.sqlite(request)})` };
}

function both(operator: 'AND' | 'OR', left: Term, right: Term): Term {
  return {
    stream: `(${left.stream} ${operator} ${right.stream})`,
    sqlite: (request) => `(${left.sqlite(request)} ${operator} ${right.sqlite(request)})`,
  };
}

function literal(text: string): Term {
  return plain(quote(text));
}

function plain(text: string): Term {
  return { stream: text, sqlite: () => text };
}

function quote(value: unknown): string {
  return value === null ? 'NULL' : `'${String(value).replaceAll("'", "''")}'`;
}
