/**
 * Random configs of every kind over tables with types, keys and references, random claims about them, and random worlds that a source
 * with these tables can have.
 */
import type { SourceRow, SourceValue } from '../../../server/engine/plan/values/source.ts';
import type { TestedRow } from '../../../server/engine/tests/rowIndex.ts';
import type { SearchCandidate } from '../../../server/engine/tests/search/candidates.ts';
import type { Random } from '../../differential/random.ts';

export const typedTables = `CREATE TYPE role AS ENUM ('admin', 'user');
CREATE TABLE users (id uuid PRIMARY KEY, org_id int NOT NULL, role role NOT NULL, active boolean NOT NULL);
CREATE TABLE lists (id int PRIMARY KEY, org_id int NOT NULL, owner_id uuid REFERENCES users, meta jsonb, tags text[]);
CREATE TABLE items (id text PRIMARY KEY, list_id int NOT NULL REFERENCES lists, kind text CHECK (kind IN ('a', 'b')),
  score numeric(8,2), due date, done boolean, assignee uuid);
CREATE TABLE members (id text PRIMARY KEY, list_id int NOT NULL REFERENCES lists, user_id uuid NOT NULL REFERENCES users, role role NOT NULL);`;

/** A condition in a config, and the same condition in a claim, where it is true for no other rows. */
interface Condition {
  readonly query: string;
  readonly claim: string;
}

export interface TypedCase {
  readonly yaml: string;
  readonly table: 'items' | 'lists';
  readonly claim: string;
}

export function typedCase(random: Random): TypedCase {
  const table = random.pick(['items', 'items', 'lists'] as const);
  const { yaml, implied } = config(random, table);
  const other = (depth: number): string => claimOn(random, table, depth);
  const claim = random.choose<string>([
    [2, () => implied],
    [1, () => `(${implied} OR ${other(1)})`],
    [1, () => `(${implied} AND ${other(0)})`],
    [2, () => other(2)],
  ]);
  return { yaml, table, claim };
}

const mutations: readonly (readonly [from: RegExp, to: string])[] = [
  [/= 'a'/, "= 'b'"],
  [/IS NULL/, 'IS NOT NULL'],
  [/IS NOT NULL/, 'IS NULL'],
  [/'admin'/, "'user'"],
  [/ AND \w+\.active/, ''],
  [/ AND \w+\.role = 'admin'/, ''],
  [/>= (\d)/, '> $1'],
  [/< /, '<= '],
  [/'2024-0[136]-01'/, "'2024-02-01'"],
  [/'a' IN/, "'b' IN"],
  [/\w+\.done/, 'NOT items.done'],
  [/WHERE (.*)"/, 'WHERE ($1) AND ($1)"'],
];

/** Returns the config with another condition, which may mean the same. */
export function mutatedConfig(random: Random, yaml: string): string {
  const changed = mutations.flatMap(([from, to]) => {
    const text = yaml.replace(from, to);
    return text === yaml ? [] : [text];
  });
  return random.pick([...changed, yaml.replace('WHERE ', 'WHERE 1 = 1 AND ')]);
}

const day = (random: Random): string => `'2024-0${random.pick([1, 3, 6])}-01'`;

/** Returns a condition on the columns of one row. */
function rowCondition(random: Random, table: string, of: string): Condition {
  const same = (text: string): Condition => ({ query: text, claim: text });
  const items: (() => Condition)[] = [
    () => same(`${of}.kind = '${random.pick(['a', 'b'])}'`),
    () => same(`${of}.done`),
    () => ({ query: `NOT (${of}.kind = 'a')`, claim: `ifnull(${of}.kind, '') <> 'a'` }),
    () => same(`${of}.due ${random.pick(['<', '>='])} ${day(random)}`),
    () =>
      same(`${of}.${random.pick(['due', 'kind', 'assignee', 'score'])} IS ${random.pick(['', 'NOT '])}NULL`),
    () => same(`${of}.assignee = auth.user_id()`),
    () => same(`${of}.kind = connection.parameter('kind')`),
    () => same(`${of}.list_id = connection.parameter('list')`),
    () => same(`${of}.score = '1.50'`),
  ];
  const lists: (() => Condition)[] = [
    () => same(`${of}.owner_id = auth.user_id()`),
    () => same(`${of}.org_id = auth.parameter('org_id')`),
    () => ({
      query: `${of}.org_id IN auth.parameter('orgs')`,
      claim: `${of}.org_id IN (SELECT value FROM json_each(auth.parameter('orgs')))`,
    }),
    () => same(`${of}.meta ->> 'team' = auth.parameter('team')`),
    () => same(`${of}.meta ->> '$.a.open' = 'x'`),
    () => ({
      query: `'a' IN ${of}.tags`,
      claim: `'a' IN (SELECT value FROM json_each(${of}.tags))`,
    }),
    () => same(`${of}.org_id ${random.pick(['=', '<', '>='])} ${random.pick([1, 2])}`),
  ];
  const members: (() => Condition)[] = [
    () => same(`${of}.user_id = auth.user_id()`),
    () => same(`${of}.user_id = auth.user_id() AND ${of}.role = 'admin'`),
  ];
  const users: (() => Condition)[] = [
    () => same(`${of}.id = auth.user_id()`),
    () => same(`${of}.id = auth.user_id() AND ${of}.active`),
    () => same(`${of}.id = auth.user_id() AND ${of}.role = 'admin'`),
  ];
  return random.pick({ items, lists, members, users }[table] ?? items)();
}

/** A column that refers to another table, in both directions. */
const links = {
  items: [
    ['list_id', 'lists', 'id'],
    ['list_id', 'members', 'list_id'],
    ['assignee', 'users', 'id'],
  ],
  lists: [
    ['id', 'members', 'list_id'],
    ['owner_id', 'users', 'id'],
    ['org_id', 'users', 'org_id'],
    ['id', 'items', 'list_id'],
  ],
  members: [['user_id', 'users', 'id']],
  users: [['id', 'members', 'user_id']],
} as const;

/** Returns a condition that a lookup decides. */
function lookup(random: Random, table: keyof typeof links, of: string, depth: number): Condition {
  const [column, other, key] = random.pick<readonly [string, keyof typeof links, string]>(links[table]);
  const inner = condition(random, other, other, depth - 1, 'lookup');
  const query = `${of}.${column} IN (SELECT ${key} FROM ${other} WHERE ${inner.query})`;
  const name = `x${depth}`;
  const own = inner.claim.replaceAll(new RegExp(`\\b${other}\\.`, 'g'), `${name}.`);
  const claim = random.chance(0.5)
    ? `${of}.${column} IN (SELECT ${name}.${key} FROM ${other} AS ${name} WHERE ${own})`
    : `EXISTS (SELECT 1 FROM ${other} AS ${name} WHERE ${name}.${key} = ${of}.${column} AND ${own})`;
  return { query, claim };
}

function condition(
  random: Random,
  table: keyof typeof links,
  of: string,
  depth: number,
  where: 'stream' | 'lookup',
): Condition {
  const join = (op: string): Condition => {
    const [left, right] = [0, 1].map(() => condition(random, table, of, depth - 1, where)) as [
      Condition,
      Condition,
    ];
    return { query: `(${left.query} ${op} ${right.query})`, claim: `(${left.claim} ${op} ${right.claim})` };
  };
  return random.choose<Condition>([
    [3, () => rowCondition(random, table, of)],
    [depth > 0 ? 3 : 0, () => lookup(random, table, of, depth)],
    [depth, () => join('AND')],
    [where === 'stream' ? depth / 2 : 0, () => join('OR')],
  ]);
}

function config(
  random: Random,
  table: 'items' | 'lists',
): { readonly yaml: string; readonly implied: string } {
  const stream = (lines: readonly string[]): string =>
    `config: { edition: 3 }\nstreams:\n  s0:\n    accept_potentially_dangerous_queries: true\n${lines.map((line) => `    ${line}\n`).join('')}`;
  const quote = (text: string): string => JSON.stringify(text);
  return random.choose([
    [
      5,
      () => {
        const { query, claim } = condition(random, table, table, 2, 'stream');
        const asked = random.chance(0.2)
          ? ` AND ${table}.${table === 'items' ? 'list_id' : 'id'} ${random.pick(["= subscription.parameter('list')", "IN subscription.parameter('lists')"])}`
          : '';
        return {
          yaml: stream([`query: ${quote(`SELECT * FROM ${table} WHERE ${query}${asked}`)}`]),
          implied: claim,
        };
      },
    ],
    [
      2,
      () => {
        const [column, other, key] = random.pick<readonly [string, keyof typeof links, string]>(links[table]);
        const inner = condition(random, other, other, 1, 'lookup');
        const row = rowCondition(random, table, table);
        const own = inner.claim.replaceAll(new RegExp(`\\b${other}\\.`, 'g'), 'j.');
        return {
          yaml: stream([
            `query: ${quote(`SELECT ${table}.* FROM ${table} JOIN ${other} ON ${other}.${key} = ${table}.${column} WHERE ${inner.query} AND ${row.query}`)}`,
          ]),
          implied: `EXISTS (SELECT 1 FROM ${other} AS j WHERE j.${key} = ${table}.${column} AND ${own}) AND ${row.claim}`,
        };
      },
    ],
    [
      1,
      () => {
        const [column, other, key] = random.pick<readonly [string, keyof typeof links, string]>(links[table]);
        const inner = condition(random, other, other, 1, 'lookup');
        const own = inner.claim.replaceAll(new RegExp(`\\b${other}\\.`, 'g'), 'c.');
        return {
          yaml: stream([
            'with:',
            `  mine: ${quote(`SELECT ${other}.${key} FROM ${other} WHERE ${inner.query}`)}`,
            `query: ${quote(`SELECT * FROM ${table} WHERE ${table}.${column} IN mine`)}`,
          ]),
          implied: `${table}.${column} IN (SELECT c.${key} FROM ${other} AS c WHERE ${own})`,
        };
      },
    ],
    [
      2,
      () => {
        const [column, other, key] = random.pick<readonly [string, keyof typeof links, string]>(links[table]);
        const who = random.pick([
          ['request.user_id()', 'auth.user_id()', 'uuid'],
          ["request.jwt() ->> 'team'", "auth.parameter('team')", 'text'],
        ] as const);
        const compared = { members: 'user_id', users: 'id', lists: 'owner_id', items: 'assignee' }[other];
        const row = rowCondition(random, table, table);
        const isPlain = !/auth\.|connection\./.test(row.query);
        return {
          yaml: `config: { edition: ${random.pick([1, 2])} }\nbucket_definitions:\n  s0:\n    accept_potentially_dangerous_queries: true\n    parameters: ${quote(`SELECT ${key} AS k FROM ${other} WHERE ${compared} = ${who[0]}`)}\n    data: [${quote(`SELECT * FROM ${table} WHERE ${table}.${column} = bucket.k${isPlain ? ` AND ${row.query}` : ''}`)}]\n`,
          implied: `EXISTS (SELECT 1 FROM ${other} AS b WHERE b.${key} = ${table}.${column} AND b.${compared} = ${who[1]})${isPlain ? ` AND ${row.claim}` : ''}`,
        };
      },
    ],
  ]);
}

function claimOn(random: Random, table: 'items' | 'lists', depth: number): string {
  return random.choose<string>([
    [3, () => condition(random, table, table, 1, 'stream').claim],
    [1, () => `NOT ifnull(${condition(random, table, table, 1, 'lookup').claim}, 0)`],
    [1, () => `NOT ${lookup(random, table, table, 1).claim}`],
    [0.5, () => "auth.parameter('role') = 'admin'"],
    [
      depth,
      () =>
        `(${claimOn(random, table, depth - 1)} ${random.pick(['AND', 'OR'])} ${claimOn(random, table, depth - 1)})`,
    ],
  ]);
}

const people = [1, 2].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
const days = ['2023-12-31', '2024-01-01', '2024-02-10', '2024-03-01', '2024-06-01', '2024-09-09', null];

/** Returns the constraints that the values of a database violate. Its rows may have other columns, which no condition reads. */
export function brokenConstraints(rows: readonly TestedRow[]): readonly string[] {
  const has = (table: string, id: SourceValue | undefined): boolean =>
    rows.some((row) => row.table === table && row.values.id === id);
  const rules: Readonly<
    Record<string, readonly (readonly [name: string, keeps: (row: SourceRow) => boolean])[]>
  > = {
    users: [
      ['org_id', ({ org_id: org }) => typeof org === 'bigint'],
      ['role', ({ role }) => role === 'admin' || role === 'user'],
      ['active', ({ active }) => active === 0n || active === 1n],
    ],
    lists: [
      ['org_id', ({ org_id: org }) => typeof org === 'bigint'],
      ['owner_id', ({ owner_id: owner = null }) => owner === null || has('users', owner)],
      ['tags', ({ tags = null }) => tags === null || Array.isArray(tags)],
    ],
    items: [
      ['list_id', ({ list_id: list }) => has('lists', list)],
      ['kind', ({ kind = null }) => [null, 'a', 'b'].includes(kind as string | null)],
      ['due', ({ due = null }) => due === null || /^\d{4}-\d\d-\d\d$/.test(String(due).trim())],
      ['done', ({ done = null }) => done === null || done === 0n || done === 1n],
    ],
    members: [
      ['list_id', ({ list_id: list }) => has('lists', list)],
      ['user_id', ({ user_id: user }) => has('users', user)],
      ['role', ({ role }) => role === 'admin' || role === 'user'],
    ],
  };
  return rows.flatMap(({ table, values }) =>
    (rules[table] ?? []).flatMap(([name, keeps]) =>
      !(name in values) || keeps(values) ? [] : `${table}.${name}`,
    ),
  );
}

/** Creates a database that keeps all constraints of the tables, and a user. Returns one candidate for each row of the table. */
export function typedWorld(random: Random, table: string): readonly SearchCandidate[] {
  const rows: TestedRow[] = [];
  const add = (of: string, values: SourceRow): void => {
    rows.push({ table: of, id: String(values.id), values });
  };
  for (const id of people)
    add('users', {
      id,
      org_id: BigInt(random.pick([1, 2])),
      role: random.pick(['admin', 'user']),
      active: BigInt(random.int(2)),
    });
  const lists = random.times(1, 2, () => 0n).map((_, index) => BigInt(index + 1));
  for (const id of lists)
    add('lists', {
      id,
      org_id: BigInt(random.pick([0, 1, 2])),
      owner_id: random.pick([...people, null]),
      meta: random.pick<SourceValue>([
        null,
        { team: 't' },
        { team: 'u', a: { open: 'x' } },
        { a: { open: 'y' } },
      ]),
      tags: random.pick([null, [], ['a'], ['b', 'a'], ['b']]),
    });
  random
    .times(0, 3, () => 0)
    .forEach((_, index) => {
      add('items', {
        id: `i${index}`,
        list_id: random.pick(lists),
        kind: random.pick(['a', 'b', null]),
        score: random.pick(['1.50', '2.00', null]),
        due: random.pick(days),
        done: random.pick([0n, 1n, null]),
        assignee: random.pick([...people, null]),
      });
    });
  random
    .times(0, 2, () => 0)
    .forEach((_, index) => {
      add('members', {
        id: `m${index}`,
        list_id: random.pick(lists),
        user_id: random.pick(people),
        role: random.pick(['admin', 'user']),
      });
    });
  const some = <T>(name: string, values: readonly T[]) =>
    random.chance(0.3) ? {} : { [name]: random.pick(values) };
  const asking = {
    claims: {
      ...some('sub', people),
      ...some('org_id', [0n, 1n, 2n]),
      ...some('orgs', [[1n], [1n, 2n], []]),
      ...some('team', ['t', 'u', people[0] ?? '']),
      ...some('role', ['admin', 'user']),
    },
    parameters: { ...some('kind', ['a', 'b']), ...some('list', [1n, 2n]) },
    subscriptions: [
      { stream: 's0', parameters: { ...some('list', [1n, 2n]), ...some('lists', [[1n], [1n, 2n]]) } },
    ],
  };
  return rows.flatMap((main) => (main.table === table ? [{ rows, main, asking }] : []));
}
