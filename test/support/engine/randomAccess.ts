/** Random conditions, claims and worlds, with which tests compare verdicts about access with results of the evaluator. */
import type { Config } from '../../../server/engine/index.ts';
import { deviceOf } from '../../../server/engine/tests/device.ts';
import { toRowIndex } from '../../../server/engine/tests/rowIndex.ts';
import type { SearchCandidate } from '../../../server/engine/tests/search/candidates.ts';
import { toTestSubject } from '../../../server/engine/tests/subject.ts';
import { type Random, randomFrom } from '../../differential/random.ts';

/** Two ways to write one condition. */
export interface Twice {
  readonly one: string;
  readonly other: string;
}

const both = (text: string): Twice => ({ one: text, other: text });
const request = (random: Random) => random.pick(['auth.user_id()', "auth.parameter('org')"]);
const text = (random: Random) => `'${random.pick(['a', 'b', 'open', ''])}'`;
const number = (random: Random) => String(random.pick([0, 2, 3, 5, 10]));
const day = (random: Random) => `'2024-0${random.pick([1, 3, 6])}-01'`;

/** Returns a condition that the search can decide. */
export function decidable(random: Random, depth: number): Twice {
  const join = (op: string): Twice => {
    const [left, right] = [decidable(random, depth - 1), decidable(random, depth - 1)];
    return { one: `(${left.one} ${op} ${right.one})`, other: `(${right.other} ${op} ${left.other})` };
  };
  return random.choose<Twice>([
    [4, () => swapped(random.pick(['owner', 'org']), request(random))],
    [2, () => swapped(random.pick(['owner', 'org', 'kind']), text(random))],
    [
      1,
      () => {
        const value = text(random);
        return { one: `NOT (kind = ${value})`, other: `kind <> ${value}` };
      },
    ],
    [1, () => ({ one: "kind IN ('a', 'open')", other: "(kind = 'open' OR kind = 'a')" })],
    [1, () => both(`n ${random.pick(['<', '<=', '>', '>='])} ${number(random)}`)],
    [1, () => ({ one: 'n BETWEEN 2 AND 5', other: '(n <= 5 AND n >= 2)' })],
    [1, () => both(`day ${random.pick(['<', '>='])} ${day(random)}`)],
    [1, () => both(`${random.pick(['owner', 'org', 'n'])} IS ${random.pick(['', 'NOT '])}NULL`)],
    [
      2,
      () =>
        both(
          `${random.pick(['id', 'owner'])} IN (SELECT ${random.pick(['doc', 'who'])} FROM members WHERE ${random.pick(['who', 'team'])} = ${request(random)})`,
        ),
    ],
    [depth, () => join('AND')],
    [depth, () => join('OR')],
  ]);
}

function swapped(left: string, right: string): Twice {
  return { one: `${left} = ${right}`, other: `${right} = ${left}` };
}

/** Returns a condition that may contain expressions that the search cannot decide. */
export function anyCondition(random: Random): string {
  const computed = random.pick([
    `upper(owner) = ${request(random)}`,
    `length(kind) = ${random.pick([0, 1, 4])}`,
    `'x' || owner = ${request(random)}`,
    `CAST(n AS TEXT) = ${request(random)}`,
    `substring(kind, 1, 1) = 'o'`,
    `lower(org) = 'a'`,
  ]);
  return random.choose([
    [6, () => decidable(random, 2).one],
    [1, () => computed],
    [1, () => `(${decidable(random, 1).one} AND ${computed})`],
  ]);
}

/** Returns a claim, which the condition often implies. */
export function claimFor(random: Random, condition: string): string {
  return random.choose([
    [1, () => claim(random, 2)],
    [2, () => `(${claim(random, 1)} OR ${asClaim(condition)})`],
    [1, () => asClaim(condition)],
    [
      1,
      () => asClaim(condition.includes('BETWEEN') ? condition : (condition.split(' AND ')[0] ?? condition)),
    ],
  ]);
}

/** Returns the condition as a claim in SQLite, where NOT of NULL is NULL. In a config, NOT of NULL is true. */
function asClaim(condition: string): string {
  const opened = condition.split('(').length - condition.split(')').length;
  const closed = opened >= 0 ? condition + ')'.repeat(opened) : '('.repeat(-opened) + condition;
  return closed.replaceAll(/NOT \((kind = '\w*')\)/g, 'NOT ifnull($1, 0)');
}

function claim(random: Random, depth: number): string {
  return random.choose<string>([
    [3, () => decidable(random, 0).one],
    [
      2,
      () =>
        `${random.pick(['', 'NOT '])}EXISTS (SELECT 1 FROM members m WHERE m.${random.pick(['doc', 'who', 'team'])} = docs.${random.pick(['id', 'owner', 'org'])} AND m.${random.pick(['who', 'team'])} = ${request(random)})`,
    ],
    [1, () => `docs.owner ${random.pick(['', 'NOT '])}IN (SELECT who FROM members)`],
    [0.5, () => random.pick(['n % 2 = 0', "kind LIKE 'o%'", 'length(owner) > 0'])],
    [depth, () => `(${claim(random, depth - 1)} ${random.pick(['AND', 'OR'])} ${claim(random, depth - 1)})`],
  ]);
}

const names = ['a', 'b', 'A', 'xa', '', 'open', '3', null];
const numbers = [null, -1n, 0n, 1n, 2n, 3n, 4n, 5n, 6n, 10n, 11n];
const days = [null, '', '2023-12-31', '2024-01-01', '2024-02-10', '2024-03-01', '2024-06-01', '2024-09-09'];

/** Creates a world with a few rows of each table and one user. Returns one candidate for each row of `docs`. */
export function randomWorld(random: Random): readonly SearchCandidate[] {
  const name = () => random.pick(names);
  const docs = random.times(1, 2, () => ({
    owner: name(),
    org: name(),
    kind: random.pick(['a', 'b', 'open', '', null]),
    n: random.pick(numbers),
    day: random.pick(days),
  }));
  const members = random.times(0, 2, () => ({
    doc: random.pick(['d0', 'd1', 'a']),
    who: name(),
    team: name(),
  }));
  const rows = [
    ...docs.map((values, index) => ({
      table: 'docs',
      id: `d${index}`,
      values: { id: `d${index}`, ...values },
    })),
    ...members.map((values, index) => ({
      table: 'members',
      id: `m${index}`,
      values: { id: `m${index}`, ...values },
    })),
  ];
  const [sub, org] = [name(), name()];
  const asking = {
    claims: { ...(sub !== null && { sub }), ...(org !== null && { org }) },
    parameters: {},
    subscriptions: [],
  };
  return rows.flatMap((main) => (main.table === 'docs' ? [{ rows, main, asking }] : []));
}

/** Returns the rows that the user of each random world gets, as text. */
export function devicesIn(config: Config, seed: number, worlds: number): readonly string[] {
  const subject = toTestSubject(config);
  const random = randomFrom(seed);
  return Array.from({ length: worlds }, () => {
    const [first] = randomWorld(random);
    if (first === undefined) return '';
    const { tables } = deviceOf(subject, toRowIndex(first.rows, subject), first.asking);
    const rows = [...tables].flatMap(([table, byId]) =>
      [...byId].map(([id, { data }]) => [table, id, new Set(data).size, data[0]]),
    );
    return JSON.stringify(rows.sort());
  });
}
