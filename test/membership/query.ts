/**
 * Random queries over the tables of a small world, each in two forms: the dialect of streams, and ordinary SQL of SQLite that
 * means the same for one request. They are made side by side, and share nothing with the engine.
 */
import type { Random } from '../differential/random.ts';
import { both, condition, equal, literal, not, plain, quote, type Term, template } from './term.ts';
import { column, type Item, requestArray, requestNumber, requestText, rowArray, rowText } from './values.ts';
import { type Request_, tables, texts } from './world.ts';

export interface Query {
  readonly stream: string;
  /** CTEs of the stream that the query reads, by name. */
  readonly ctes: Readonly<Record<string, string>>;
  /** Selects the ids for a request. */
  readonly sqlite: (request: Request_) => string;
}

interface Scope {
  readonly random: Random;
  readonly items: readonly Item[];
  readonly depth: number;
  /** Filled with the CTEs that conditions come to need; absent inside a CTE, which can read no other. */
  readonly ctes?: { readonly prefix: string; readonly texts: Record<string, string> };
}

/** `prefix` keeps apart the CTEs of queries that become one stream. */
export function query(random: Random, prefix: string): Query {
  const table = random.pick(tables);
  const ctes: Record<string, string> = {};
  const first: Item = { alias: 'a', table };
  const more = random.choose<(() => JoinedQuery) | undefined>([
    [10, () => undefined],
    [3, () => () => joinedTable(random, first)],
    [1, () => () => elementsOfRow(random, first)],
    [1, () => () => elementsOfClaim(random, first)],
  ])?.();
  const scope: Scope = {
    random,
    items: [first, ...(more?.items ?? [])],
    depth: 0,
    ctes: { prefix, texts: ctes },
  };
  const where = anyCondition(scope, random.int(3));
  const from = template`FROM ${plain(table)} AS "a"${more?.from ?? plain('')} WHERE ${more ? both('AND', more.link, where) : where}`;
  return {
    stream: `SELECT a.id, a.n ${from.stream}`,
    ctes,
    sqlite: (request) => `SELECT DISTINCT a.id AS id ${from.sqlite(request)}`,
  };
}

interface JoinedQuery {
  readonly from: Term;
  readonly items: readonly Item[];
  readonly link: Term;
}

function joinedTable(random: Random, first: Item): JoinedQuery {
  const other: Item = { alias: 'j', table: random.pick(tables) };
  const key = random.chance(0.5) ? plain('j.id') : column(random, [other], 'text');
  return {
    from: plain(` JOIN ${other.table} AS "j"`),
    items: [other],
    link: equal(column(random, [first], 'text'), key),
  };
}

/** `FROM boats a, json_each(a.list) e WHERE e.value = auth.user_id()` */
function elementsOfRow(random: Random, first: Item): JoinedQuery {
  return {
    from: template`, json_each(${rowArray(random, [first])}) AS "e"`,
    items: [],
    link: equal(plain('e.value'), requestText(random)),
  };
}

/** `FROM boats a, json_each(auth.parameter('orgs')) e WHERE a.org = e.value` */
function elementsOfClaim(random: Random, first: Item): JoinedQuery {
  return {
    from: template`, json_each(${requestArray(random)}) AS "e"`,
    items: [],
    link: equal(rowText(random, [first]), plain('e.value')),
  };
}

function anyCondition(scope: Scope, depth: number): Term {
  const { random } = scope;
  if (depth === 0) return leaf(scope);
  return random.choose<Term>([
    [4, () => both('AND', anyCondition(scope, depth - 1), anyCondition(scope, depth - 1))],
    [3, () => both('OR', anyCondition(scope, depth - 1), anyCondition(scope, depth - 1))],
    [1, () => not(rowCondition(scope))],
    [3, () => leaf(scope)],
  ]);
}

function leaf(scope: Scope): Term {
  const { random, items } = scope;
  const inner = scope.depth < 2;
  return random.choose<Term>([
    [6, () => equal(rowText(random, items), requestText(random))],
    [1, () => equal(column(random, items, 'integer'), requestNumber())],
    [4, () => rowCondition(scope)],
    [2, () => requestCondition(scope)],
    [3, () => inElements(rowText(random, items), requestArray(random))],
    [2, () => inElements(requestText(random), rowArray(random, items))],
    [inner ? 4 : 0, () => inSubquery(scope)],
    [inner ? 1 : 0, () => overlap(scope)],
  ]);
}

function rowCondition(scope: Scope): Term {
  const { random } = scope;
  const items = [random.pick(scope.items)];
  const only: Scope = { ...scope, items };
  const text = () => literal(random.pick(texts));
  const number = () => literal(random.int(3));
  const n = () => column(random, items, 'integer');
  return random.choose<Term>([
    [3, () => equal(rowText(random, items), text())],
    [2, () => condition(template`${n()} ${plain(random.pick(['<', '>=', '=']))} ${number()}`)],
    [1, () => template`${column(random, items, 'text')} IS ${plain(random.pick(['', 'NOT ']))}NULL`],
    [1, () => not(equal(column(random, items, 'text'), text()))],
    [1, () => notInList(column(random, items, 'text'), random)],
    [1, () => condition(template`${n()} BETWEEN ${number()} AND ${number()}`)],
    [1, () => condition(template`CASE WHEN ${n()} = ${number()} THEN ${number()} ELSE ${n()} END`)],
    [1, () => both('OR', rowCondition(only), rowCondition(only))],
  ]);
}

function requestCondition({ random }: Scope): Term {
  const test = random.chance(0.8)
    ? equal(requestText(random), literal(random.pick(texts)))
    : condition(template`${requestNumber()} >= ${literal(random.int(3))}`);
  return random.chance(0.3) ? not(test) : test;
}

/** `column IN auth.parameter('orgs')`, `auth.user_id() IN column` */
function inElements(value: Term, list: Term): Term {
  return {
    stream: `${value.stream} IN ${list.stream}`,
    sqlite: (request) =>
      `ifnull(${value.sqlite(request)} IN (SELECT value FROM json_each(${list.sqlite(request)})), 0)`,
  };
}

/** `column IN (SELECT c FROM t WHERE …)`, or a CTE for it, or a request value on the left. */
function inSubquery(scope: Scope): Term {
  const { random, ctes } = scope;
  const value = random.chance(0.8) ? rowText(random, scope.items) : requestText(random);
  const asCte = ctes !== undefined && random.chance(0.25);
  const { ctes: _, ...alone } = scope;
  const inner = innerSelect(asCte ? alone : scope);
  const name = `${ctes?.prefix}${Object.keys(ctes?.texts ?? {}).length}`;
  if (asCte) ctes.texts[name] = inner.stream;
  return {
    stream: `${value.stream} IN ${asCte ? name : `(${inner.stream})`}`,
    sqlite: (request) => `ifnull(${value.sqlite(request)} IN (${inner.sqlite(request)}), 0)`,
  };
}

function innerSelect(scope: Scope): Term {
  const { random, depth } = scope;
  const item: Item = { alias: `s${depth}`, table: random.pick(tables) };
  const inner: Scope = { ...scope, items: [item], depth: depth + 1 };
  const select = template`SELECT ${column(random, [item], 'text')} AS v FROM ${plain(item.table)} AS "${plain(item.alias)}" WHERE ${anyCondition(inner, random.int(2))}`;
  return {
    stream: select.stream,
    // NULL in a list makes IN unknown, which is false for a condition that is not negated.
    sqlite: (request) => `SELECT v FROM (${select.sqlite(request)}) WHERE v IS NOT NULL`,
  };
}

/** `column && auth.parameter('orgs')` */
function overlap({ random, items }: Scope): Term {
  const [left, right] = [rowArray(random, items), requestArray(random)];
  const elements = (list: Term, request: Request_) => `json_each(${list.sqlite(request)})`;
  return {
    stream: `${left.stream} && ${right.stream}`,
    sqlite: (request) =>
      `EXISTS (SELECT 1 FROM ${elements(left, request)} x JOIN ${elements(right, request)} y ON x.value = y.value)`,
  };
}

function notInList(value: Term, random: Random): Term {
  const items = random.times(1, 2, () => random.pick(texts));
  return {
    stream: `${value.stream} NOT IN ${quote(JSON.stringify(items))}`,
    sqlite: (request) => `NOT ifnull(${value.sqlite(request)} IN (${items.map(quote).join(', ')}), 0)`,
  };
}
