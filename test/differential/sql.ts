/**
 * Queries from a grammar of the three dialects. `slips` is the probability of a mistake at each place where one
 * is likely: 0 gives mostly valid queries.
 */
import type { Random } from './random.ts';
import {
  columns,
  functions,
  literals,
  oddTables,
  reserved,
  tables,
  types,
  unknownFunctions,
  wrongTypes,
} from './words.ts';

export interface Dialect {
  readonly kind: 'stream' | 'alpha' | 'data' | 'parameters' | 'event';
  readonly slips: number;
  /** Names of CTEs that may be used. */
  readonly ctes: readonly string[];
  /** Names of bucket parameters (kind `data`), or of the columns to produce (kind `parameters`). */
  readonly parameters: readonly string[];
}

/** The names that an expression may use. */
interface Scope {
  readonly random: Random;
  readonly dialect: Dialect;
  /** Names in FROM, innermost query only. */
  readonly sources: readonly string[];
  readonly depth: number;
}

export function query(random: Random, dialect: Dialect): string {
  const sql = random.choose([
    [60, () => select(random, dialect)],
    [dialect.slips * 6, () => wrongStatement(random, dialect)],
  ]);
  return random.chance(0.04) ? `${sql};` : sql;
}

function select(random: Random, dialect: Dialect): string {
  if (dialect.kind === 'parameters') return parameterQuery(random, dialect);
  const from = fromClause(random, dialect);
  const scope: Scope = { random, dialect, sources: from.names, depth: 0 };
  const where = random.chance(0.85) || dialect.parameters.length > 0 ? ` WHERE ${whereOf(scope)}` : '';
  const distinct = random.chance(dialect.slips * 0.3) ? 'DISTINCT ' : '';
  return `SELECT ${distinct}${outputs(scope)} FROM ${from.text}${where}${tail(random, dialect)}`;
}

function wrongStatement(random: Random, dialect: Dialect): string {
  const one = select(random, dialect);
  return random.pick([
    () => `${one} UNION ${select(random, dialect)}`,
    () => `INSERT INTO boats (id) VALUES (1)`,
    () => `DELETE FROM boats`,
    () => `UPDATE boats SET name = 'a'`,
    () => `WITH x AS (SELECT id FROM boats) ${one}`,
    () => `${one}; ${select(random, dialect)}`,
    () => `(${one})`,
    () => `VALUES (1)`,
    () => `SELECT FROM boats`,
    () => `SELECT`,
    () => ``,
  ])();
}

function tail(random: Random, dialect: Dialect): string {
  if (!random.chance(dialect.slips * 0.5)) return '';
  return random.pick([
    ' LIMIT 10',
    ' ORDER BY id',
    ' GROUP BY id',
    ' GROUP BY id HAVING id = 1',
    ' OFFSET 5',
    ' LIMIT 1 OFFSET 2',
    ' FOR UPDATE',
    ' FOR UPDATE SKIP LOCKED',
    ' FETCH FIRST 3 ROWS ONLY',
    ' HAVING id = 1',
    ' LIMIT ALL',
  ]);
}

// FROM

function fromClause(random: Random, dialect: Dialect): { text: string; names: string[] } {
  const first = tableItem(random, dialect);
  const names = [first.name];
  let text = first.text;
  const more =
    dialect.kind === 'stream'
      ? random.choose([
          [70, () => 0],
          [24, () => 1],
          [6, () => 2],
        ])
      : 0;
  const extra = dialect.kind !== 'stream' && random.chance(dialect.slips * 0.3) ? 1 : 0;
  for (let count = more + extra; count > 0; count--) {
    const item = joined(random, dialect, names);
    text += item.text;
    names.push(item.name);
  }
  return { text, names };
}

function tableItem(random: Random, dialect: Dialect): { text: string; name: string } {
  const bare = random.choose<string>([
    [80, () => random.pick(tables)],
    [8, () => random.pick(oddTables)],
    [dialect.kind === 'stream' && dialect.ctes.length > 0 ? 6 : 0, () => random.pick(dialect.ctes)],
    [dialect.slips * 6, () => random.pick(reserved)],
  ]);
  const name = bare.split('.').at(-1) as string;
  const alias = random.choose<string | undefined>([
    [75, () => undefined],
    [15, () => random.pick(['b', 't', 'x'])],
    [3, () => random.pick(['"b"', 'B'])],
    [dialect.slips * 2, () => random.pick(reserved)],
  ]);
  if (alias === undefined) return { text: bare, name };
  return { text: `${bare} ${random.chance(0.5) ? 'AS ' : ''}${alias}`, name: alias };
}

function joined(random: Random, dialect: Dialect, names: readonly string[]): { text: string; name: string } {
  const item = random.choose<{ text: string; name: string }>([
    [70, () => tableItem(random, dialect)],
    [12, () => functionItem(random, dialect, names)],
    [10, () => subqueryItem(random, dialect)],
  ]);
  const on = `ON ${matchOf({ random, dialect, sources: [...names, item.name], depth: 1 })}`;
  const text = random.choose<string>([
    [60, () => ` JOIN ${item.text} ${on}`],
    [10, () => ` INNER JOIN ${item.text} ${on}`],
    [20, () => `, ${item.text}`],
    [
      dialect.slips * 10,
      () => ` ${random.pick(['LEFT', 'RIGHT', 'FULL', 'LEFT OUTER'])} JOIN ${item.text} ${on}`,
    ],
    [dialect.slips * 5, () => ` CROSS JOIN ${item.text}`],
    [dialect.slips * 5, () => ` JOIN ${item.text} USING (id)`],
    [dialect.slips * 3, () => ` NATURAL JOIN ${item.text}`],
  ]);
  return { text, name: item.name };
}

function functionItem(
  random: Random,
  dialect: Dialect,
  names: readonly string[],
): { text: string; name: string } {
  const scope: Scope = { random, dialect, sources: names, depth: 2 };
  const argument = random.chance(0.5) ? request(scope) : columnOf(scope);
  const alias = random.chance(0.6) ? ' AS j' : '';
  return { text: `json_each(${argument})${alias}`, name: alias === '' ? 'json_each' : 'j' };
}

function subqueryItem(random: Random, dialect: Dialect): { text: string; name: string } {
  const alias = random.choose([
    [20, () => 's'],
    [4, () => 's(id, name)'],
    [dialect.slips * 4, () => ''],
  ]);
  return { text: `(${subquery({ random, dialect, sources: [], depth: 1 }, 2)}) ${alias}`.trim(), name: 's' };
}

// Output columns

function outputs(scope: Scope): string {
  const { random, dialect } = scope;
  const source = random.pick(scope.sources);
  return random.choose<string>([
    [45, () => (scope.sources.length === 1 ? '*' : `${source}.*`)],
    [8, () => '*'],
    [
      30,
      () =>
        ['id', ...random.times(0, 3, () => outputColumn(scope))].map((c) => qualified(scope, c)).join(', '),
    ],
    [8, () => random.times(1, 3, () => outputColumn(scope)).join(', ')],
    [5, () => `${rowValue(scope)} AS id, *`],
    [dialect.slips * 4, () => `${request(scope)} AS id`],
    [dialect.slips * 3, () => `id, (SELECT id FROM boats) AS x`],
    [dialect.slips * 3, () => ''],
  ]);
}

function qualified(scope: Scope, column: string): string {
  return scope.sources.length > 1 && (columns as readonly string[]).includes(column)
    ? `${scope.sources[0]}.${column}`
    : column;
}

function outputColumn(scope: Scope): string {
  const { random, dialect } = scope;
  return random.choose<string>([
    [50, () => columnOf(scope)],
    [20, () => `${rowValue(scope)} AS ${random.pick(columns)}`],
    [5, () => `${columnOf(scope)} ${random.pick(['n', '"N"', 'value'])}`],
    [5, () => `${random.pick(literals)} AS c`],
    [dialect.slips * 5, () => rowValue(scope)],
    [dialect.slips * 3, () => `${columnOf(scope)} AS ${random.pick(reserved)}`],
  ]);
}

// Conditions

function whereOf(scope: Scope): string {
  const { dialect, random } = scope;
  if (dialect.kind !== 'data') return condition(scope);
  const matches = dialect.parameters
    .filter(() => !random.chance(dialect.slips * 0.3))
    .map((parameter) => bucketMatch(scope, parameter));
  const rows = random.times(matches.length > 0 ? 0 : 1, 1, () => rowCondition(deeper(scope)));
  const glue = random.chance(dialect.slips * 0.2) ? ' OR ' : ' AND ';
  return [...matches, ...rows].join(glue);
}

function bucketMatch(scope: Scope, parameter: string): string {
  const { random, dialect } = scope;
  return random.choose<string>([
    [60, () => `${columnOf(scope)} = bucket.${parameter}`],
    [15, () => `bucket.${parameter} = ${rowValue(scope)}`],
    [12, () => `bucket.${parameter} IN ${columnOf(scope)}`],
    [3, () => `bucket.${parameter}`],
    [dialect.slips * 6, () => `${columnOf(scope)} IN bucket.${parameter}`],
    [dialect.slips * 6, () => `${columnOf(scope)} ${random.pick(['<', '!=', '>='])} bucket.${parameter}`],
    [dialect.slips * 4, () => `NOT ${columnOf(scope)} = bucket.${parameter}`],
    [dialect.slips * 4, () => `${columnOf(scope)} = bucket.nope`],
    [dialect.slips * 4, () => `upper(bucket.${parameter}) = ${columnOf(scope)}`],
    [dialect.slips * 4, () => `${columnOf(scope)} = auth.user_id()`],
    [dialect.slips * 4, () => `${columnOf(scope)} = request.user_id()`],
  ]);
}

function condition(scope: Scope): string {
  const { random, dialect } = scope;
  const leaf = scope.depth >= 3;
  const inner = deeper(scope);
  const withRequest = dialect.kind !== 'event' && dialect.kind !== 'data';
  return random.choose<string>([
    [leaf ? 0 : 18, () => `${condition(inner)} AND ${condition(inner)}`],
    [leaf ? 0 : 8, () => `(${condition(inner)} OR ${condition(inner)})`],
    [leaf ? 0 : 3, () => `${condition(inner)} OR ${condition(inner)}`],
    [leaf ? 0 : 3, () => `NOT (${rowCondition(inner)} OR ${rowCondition(inner)})`],
    [25, () => rowCondition(scope)],
    [withRequest ? 28 : 0, () => matchOf(scope)],
    [
      withRequest ? 8 : 0,
      () => `${request(scope)} ${random.pick(['=', '!=', '<'])} ${random.pick(literals)}`,
    ],
    [dialect.slips * 12, () => wrongCondition(scope)],
    [dialect.slips * 4, () => `NOT (${condition(inner)})`],
  ]);
}

/** A connection between a row and the request, or between two rows. */
function matchOf(scope: Scope): string {
  const { random, dialect } = scope;
  const canNest = dialect.kind === 'stream' || dialect.kind === 'alpha';
  const other = scope.sources.length > 1;
  return random.choose<string>([
    [40, () => `${columnOf(scope)} = ${request(scope)}`],
    [6, () => `${request(scope)} = ${rowValue(scope)}`],
    [10, () => `${columnOf(scope)} IN ${request(scope)}`],
    [5, () => `${request(scope)} IN ${columnOf(scope)}`],
    [other ? 40 : 0, () => `${columnIn(scope, scope.sources[0])} = ${columnIn(scope, scope.sources.at(-1))}`],
    [canNest ? 22 : 0, () => `${columnOf(scope)} IN (${subquery(scope, 1)})`],
    [canNest ? 4 : 0, () => `${request(scope)} IN (${subquery(scope, 1)})`],
    [canNest ? 3 : 0, () => `${columnOf(scope)} && (${subquery(scope, 1)})`],
    [canNest ? 3 : 0, () => `${columnOf(scope)} && ${request(scope)}`],
    [dialect.ctes.length > 0 ? 18 : 0, () => `${columnOf(scope)} IN ${random.pick(dialect.ctes)}`],
    [
      dialect.ctes.length > 0 ? 3 : 0,
      () => `${columnOf(scope)} IN (SELECT id FROM ${random.pick(dialect.ctes)})`,
    ],
    [dialect.slips * 6, () => `${columnOf(scope)} ${random.pick(['<', '!=', '>', '||'])} ${request(scope)}`],
    [dialect.slips * 4, () => `${columnOf(scope)} NOT IN (${subquery(scope, 1)})`],
    [dialect.slips * 3, () => `${columnOf(scope)} = (${subquery(scope, 1)})`],
    [dialect.slips * 3, () => `${request(scope)} IN ${request(scope)}`],
    [dialect.slips * 2, () => `EXISTS (${subquery(scope, 1)})`],
  ]);
}

function rowCondition(scope: Scope): string {
  const { random, dialect } = scope;
  const value = () => rowValue(deeper(scope));
  const full = dialect.kind === 'stream';
  return random.choose<string>([
    [
      30,
      () =>
        `${columnOf(scope)} ${random.pick(['=', '!=', '<>', '<', '<=', '>', '>='])} ${random.pick(literals)}`,
    ],
    [10, () => `${value()} = ${value()}`],
    [8, () => `${columnOf(scope)} IS ${random.chance(0.5) ? 'NOT ' : ''}NULL`],
    [5, () => columnOf(scope)],
    [4, () => `${columnOf(scope)} IN '["a", "b"]'`],
    [3, () => `NOT ${columnOf(scope)}`],
    [3, () => `${columnOf(scope)} ISNULL`],
    [2, () => random.pick(literals)],
    [
      full ? 5 : dialect.slips,
      () => `${value()} ${random.chance(0.3) ? 'NOT ' : ''}BETWEEN ${value()} AND ${value()}`,
    ],
    [full ? 5 : dialect.slips, () => `${columnOf(scope)} IN ARRAY[${random.times(0, 3, value).join(', ')}]`],
    [full ? 4 : dialect.slips, () => `${columnOf(scope)} NOT IN ${columnOf(scope)}`],
    [full ? 3 : dialect.slips, () => `${columnOf(scope)} IS ${random.chance(0.5) ? 'NOT ' : ''}TRUE`],
    [full ? 2 : dialect.slips, () => `(${columnOf(scope)} IN ROW(1, 2)) = false`],
  ]);
}

function wrongCondition(scope: Scope): string {
  const { random } = scope;
  const a = columnOf(scope);
  return random.pick([
    () => `${a} LIKE 'a%'`,
    () => `${a} NOT LIKE 'a%'`,
    () => `${a} ILIKE 'a%'`,
    () => `${a} IN (1, 2)`,
    () => `${a} IN ('a')`,
    () => `${a} == 1`,
    () => `${a} -1 = 0`,
    () => `-${a} = 0`,
    () => `${a} ~ 'x'`,
    () => `${a} @> '{}'`,
    () => `${a} = $1`,
    () => `nope.${random.pick(columns)} = 1`,
    () => `${random.pick(unknownFunctions)}(${a}) = 1`,
    () => `${a}[1] = 1`,
    () => `${a} = ${random.pick(reserved)}`,
    () => `${a} IS DISTINCT FROM 1`,
    () => `${a} % 2 = 0`,
    () => `${a} = ?`,
    () => `${a} = "a`,
    () => `public.boats.${random.pick(columns)} = 1`,
    () => `${a} = 1 AND`,
    () => `${a} = 1e5`,
    () => `${a} = \`x\``,
    () => `${a} AT TIME ZONE 'utc' = 1`,
    () => `connection.user_id() = ${a}`,
    () => `auth.nope() = ${a}`,
    () => `auth.parameter() = ${a}`,
    () => `auth.user_id(1) = ${a}`,
    () => `nope.user_id() = ${a}`,
    () => `request.user_id() = ${a}`,
    () => `token_parameters.user_id = ${a}`,
    () => `${a} = bucket.x`,
    () => `count(DISTINCT ${a}) = 1`,
    () => `upper(*) = 1`,
    () => `* = 1`,
  ])();
}

function subquery(scope: Scope, width: number): string {
  const { random, dialect } = scope;
  const item = tableItem(random, dialect);
  const inner: Scope = { random, dialect, sources: [item.name], depth: scope.depth + 2 };
  const wanted = random.chance(dialect.slips * 0.2) ? width + 1 : width;
  const names = ['id', 'name', 'owner_id'].slice(0, wanted);
  const list = random.chance(dialect.slips * 0.15) ? '*' : names.join(', ');
  const correlated = scope.sources.length > 0 && random.chance(0.08) && dialect.kind === 'stream';
  const where = random.choose<string>([
    [70, () => ` WHERE ${columnOf(inner)} = ${request(inner)}`],
    [dialect.kind === 'stream' ? 25 : 6, () => ` WHERE ${condition(inner)}`],
    [dialect.kind === 'stream' ? 10 : 2, () => ''],
  ]);
  const link = correlated ? ` AND ${columnIn(scope, scope.sources[0])} = ${item.name}.id` : '';
  return `SELECT ${list} FROM ${item.text}${where}${where === '' ? '' : link}`;
}

// Values

function columnOf(scope: Scope): string {
  const { random, dialect } = scope;
  return random.choose<string>([
    [scope.sources.length <= 1 ? 70 : 4 + dialect.slips * 6, () => random.pick(columns)],
    [20, () => columnIn(scope, random.pick(scope.sources))],
    [2, () => random.pick(['"Name"', 'Name', '"id"'])],
    [dialect.slips * 2, () => `nope.${random.pick(columns)}`],
  ]);
}

function columnIn(scope: Scope, source: string | undefined): string {
  if (source === undefined) return scope.random.pick(columns);
  if (source === 'j' || source === 'json_each')
    return `${source}.${scope.random.pick(['value', 'value', 'key'])}`;
  if (source === 's') return `s.${scope.random.pick(['id', 'name'])}`;
  return `${source}.${scope.random.pick(columns)}`;
}

function rowValue(scope: Scope): string {
  const { random, dialect } = scope;
  const leaf = scope.depth >= 3;
  const inner = deeper(scope);
  const value = () => rowValue(inner);
  const full = dialect.kind === 'stream';
  return random.choose<string>([
    [40, () => columnOf(scope)],
    [15, () => random.pick(literals)],
    [leaf ? 0 : 15, () => call(inner, value)],
    [leaf ? 0 : 6, () => `${value()} ${random.pick(['+', '-', '*', '/', '||'])} ${value()}`],
    [leaf ? 0 : 5, () => `CAST(${value()} AS ${random.pick(types)})`],
    [leaf ? 0 : 3, () => `${columnOf(scope)}::${random.pick(types)}`],
    [5, () => `${columnOf(scope)} ${random.pick(['->', '->>'])} ${random.pick(["'a'", "'$.a.b'"])}`],
    [full ? 2 : dialect.slips, () => `${columnOf(scope)} ->> 0`],
    [leaf ? 0 : full ? 4 : dialect.slips, () => caseOf(inner, value)],
    [leaf ? 0 : 2, () => `(${value()})`],
    [dialect.slips, () => `CAST(${value()} AS ${random.pick(wrongTypes)})`],
    [dialect.slips, () => `${random.pick(unknownFunctions)}(${value()})`],
    [full ? 2 : dialect.slips * 0.5, () => `${tableName(scope)}.${random.pick(['schema', 'table_name'])}()`],
  ]);
}

function tableName(scope: Scope): string {
  return scope.sources.length === 0 ? 'boats' : scope.random.pick(scope.sources);
}

function call(scope: Scope, value: () => string): string {
  const { random, dialect } = scope;
  const [name, least, most] = random.pick(functions);
  const slip = random.chance(dialect.slips * 0.2) ? random.pick([-1, 1]) : 0;
  const count = Math.max(0, least + random.int(most - least + 1) + slip);
  return `${random.chance(0.1) ? name.toUpperCase() : name}(${random.times(count, count, value).join(', ')})`;
}

function caseOf(scope: Scope, value: () => string): string {
  const { random } = scope;
  const operand = random.chance(0.4) ? ` ${value()}` : '';
  const branches = random.times(1, 2, () => ` WHEN ${value()} THEN ${value()}`).join('');
  return `CASE${operand}${branches}${random.chance(0.5) ? ` ELSE ${value()}` : ''} END`;
}

function request(scope: Scope): string {
  const { random, dialect } = scope;
  if (dialect.kind === 'parameters')
    return random.pick([
      'request.user_id()',
      'request.user_id()',
      "request.jwt() ->> 'org'",
      "request.parameters() ->> 'p'",
      "request.parameter('p')",
      'token_parameters.user_id',
      'user_parameters.p',
    ]);
  return random.choose<string>([
    [40, () => 'auth.user_id()'],
    [20, () => `${random.pick(['auth', 'connection', 'subscription'])}.parameter('p')`],
    [8, () => `${random.pick(['auth', 'connection', 'subscription'])}.parameters() ->> 'p'`],
    [3, () => `upper(auth.parameter('p'))`],
    [2, () => `AUTH.user_id()`],
    [dialect.kind === 'stream' ? 2 : 0, () => `auth.parameter(connection.parameter('p'))`],
  ]);
}

function deeper(scope: Scope): Scope {
  return { ...scope, depth: scope.depth + 1 };
}

// Parameter queries of bucket definitions

function parameterQuery(random: Random, dialect: Dialect): string {
  const named = (value: string, index: number) => `${value} AS ${dialect.parameters[index] ?? 'more'}`;
  const names = random.chance(dialect.slips * 0.2) ? [...dialect.parameters, 'more'] : dialect.parameters;
  const scope: Scope = { random, dialect, sources: [], depth: 1 };
  const each = (make: () => string) => names.map((_, index) => named(make(), index)).join(', ');
  return random.choose<string>([
    [
      30,
      () =>
        `SELECT ${each(() => request(scope))}${random.chance(0.3) ? ` WHERE ${requestCondition(scope)}` : ''}`,
    ],
    [50, () => tableParameters(random, dialect, each)],
    [
      15,
      () =>
        `SELECT ${each(() => 'value')} FROM json_each(${request(scope)})${random.chance(0.3) ? " WHERE value != 'x'" : ''}`,
    ],
  ]);
}

function requestCondition(scope: Scope): string {
  const { random } = scope;
  return `${request(scope)} ${random.pick(['=', '!=', '<', 'IN'])} ${random.pick(["'a'", "'[1]'", '1'])}`;
}

function tableParameters(random: Random, dialect: Dialect, each: (make: () => string) => string): string {
  const item = random.chance(dialect.slips * 0.3)
    ? tableItem(random, dialect)
    : { text: random.pick(tables), name: '' };
  const scope: Scope = { random, dialect, sources: [], depth: 1 };
  const list = each(() =>
    random.choose<string>([
      [60, () => random.pick(columns)],
      [20, () => request(scope)],
      [5, () => random.pick(literals)],
      [dialect.slips * 5, () => rowValue(scope)],
    ]),
  );
  const priority = random.chance(0.06) ? `, ${random.pick(['0', '3', '5', "'1'"])} AS _priority` : '';
  const where = random.chance(0.9) ? ` WHERE ${condition(scope)}` : '';
  return `SELECT ${list}${priority} FROM ${item.text}${where}${tail(random, dialect)}`;
}
