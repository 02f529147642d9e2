/** Small databases, each with a user, that plain loops enumerate completely. Also random queries and claims about them. */
import type { SearchCandidate } from '../../../server/engine/tests/search/candidates.ts';
import type { Random } from '../../differential/random.ts';

const words = ['a', 'b'];
const request = (random: Random) => random.pick(['auth.user_id()', "auth.parameter('org')"]);

export function randomQuery(random: Random): string {
  const subquery = (table: string, columns: readonly string[]) =>
    `${random.pick(['id', 'owner', 'org'])} IN (SELECT ${random.pick(columns)} FROM ${table} WHERE ${table}.${random.pick(['owner', 'org'])} = ${request(random)})`;
  const condition = (depth: number): string =>
    random.choose<string>([
      [3, () => `${random.pick(['owner', 'org'])} = ${request(random)}`],
      [2, () => `${random.pick(['owner', 'org'])} = '${random.pick(words)}'`],
      [1, () => `NOT (${random.pick(['owner', 'org'])} = '${random.pick(words)}')`],
      [1, () => `${random.pick(['owner', 'org'])} IS ${random.pick(['', 'NOT '])}NULL`],
      [2, () => subquery('crew', ['boat', 'owner', 'org'])],
      [0.5, () => subquery('boats', ['id', 'owner', 'org'])],
      [0.5, () => `${random.pick([request(random), 'id', 'owner'])} IN org`],
      [depth, () => `(${condition(depth - 1)} ${random.pick(['AND', 'OR'])} ${condition(depth - 1)})`],
    ]);
  return `SELECT * FROM boats WHERE ${condition(2)}`;
}

export function randomClaim(random: Random, depth: number): string {
  return random.choose<string>([
    [3, () => `boats.${random.pick(['owner', 'org'])} = ${request(random)}`],
    [2, () => `boats.${random.pick(['owner', 'org'])} = '${random.pick(words)}'`],
    [1, () => `boats.${random.pick(['owner', 'org'])} IS NOT NULL`],
    [
      2,
      () =>
        `${random.pick(['', 'NOT '])}EXISTS (SELECT 1 FROM crew c WHERE c.${random.pick(['boat', 'owner', 'org'])} = boats.${random.pick(['id', 'owner', 'org'])} AND c.${random.pick(['owner', 'org'])} = ${request(random)})`,
    ],
    [1, () => `boats.owner ${random.pick(['', 'NOT '])}IN (SELECT owner FROM crew)`],
    [
      depth,
      () =>
        `(${randomClaim(random, depth - 1)} ${random.pick(['AND', 'OR'])} ${randomClaim(random, depth - 1)})`,
    ],
    [depth / 2, () => `NOT ${randomClaim(random, depth - 1)}`],
  ]);
}

type Row = Readonly<Record<string, string | null>>;
interface OtherRow {
  readonly table: string;
  readonly values: Row;
}

/** Each world has a boat, a user who asks, and either up to two members of the crew or another boat. */
export const smallWorlds: readonly SearchCandidate[] = (() => {
  const values = [...words, null];
  const of = (...columns: readonly (readonly [string, readonly (string | null)[]])[]): readonly Row[] =>
    columns.reduce<readonly Row[]>(
      (rows, [column, own]) => rows.flatMap((row) => own.map((value) => ({ ...row, [column]: value }))),
      [{}],
    );
  const inCrew = (id: string, rows: readonly Row[]): readonly OtherRow[] =>
    rows.map((row) => ({ table: 'crew', values: { id, ...row } }));
  const boats = of(['owner', values], ['org', [...values, '["a"]']]);
  const crew = inCrew('c', of(['boat', values], ['owner', values], ['org', values]));
  const inBoat = of(['boat', ['a']], ['owner', words], ['org', words]);
  const pairs = inCrew('c', inBoat).flatMap((one) =>
    inCrew('d', inBoat)
      .filter((other) => JSON.stringify(one.values).slice(8) < JSON.stringify(other.values).slice(8))
      .map((other) => [one, other]),
  );
  const others: readonly (readonly OtherRow[])[] = [
    [],
    ...crew.map((each) => [each]),
    ...boats.map((boat) => [{ table: 'boats', values: { id: 'b', ...boat } }]),
    ...pairs,
  ];
  const users = words.flatMap((sub) => [...words, undefined].map((org) => ({ sub, ...(org && { org }) })));
  return boats.flatMap((boat) => {
    const main = { table: 'boats', id: 'a', values: { id: 'a', ...boat } };
    return others.flatMap((more) => {
      const rows = [main, ...more.map((row) => ({ ...row, id: String(row.values.id) }))];
      return users.map(
        (claims): SearchCandidate => ({
          main,
          rows,
          asking: { claims, parameters: {}, subscriptions: [{ stream: 's0', parameters: {} }] },
        }),
      );
    });
  });
})();
