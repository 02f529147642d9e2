/** The conditions between a row and a client, each on its own. */
import { describe, expect, test } from 'vitest';
import type { Absence } from '../../../server/engine/index.ts';
import { type Random, randomFrom } from '../../differential/random.ts';
import { type Asking, absencesIn, type Rows } from '../../support/engine/absences.ts';
import { anyCondition, randomWorld } from '../../support/engine/randomAccess.ts';
import { casesOf } from '../../support/house/share.ts';

const beds = `config:
  edition: 3
streams:
  beds:
    query: |
      SELECT * FROM beds
      WHERE plot_id = subscription.parameter('plot')
        AND plot_id IN (SELECT plot_id FROM memberships WHERE user_id = auth.user_id())
        AND NOT archived
        AND auth.parameter('role') = 'gardener'
`;
const garden: Rows = { memberships: [{ id: 'm1', plot_id: '0002', user_id: 'brian' }] };

function listOf(absences: readonly Absence[]): readonly string[] {
  const signs = new Map<unknown, string>([
    [true, '✓'],
    [false, '✗'],
  ]);
  return absences.flatMap(({ conditions }) =>
    conditions.map(({ kind, holds, marks, values, held }) => {
      const read = values.map(({ text, value }) => ` ${text} = ${String(value)}`).join();
      const has = held === undefined ? '' : ` has ${held.map(String).join(' or ') || 'nothing'}`;
      const where = kind === 'subscription' ? '' : ` ‹${marks.map(({ sql }) => sql).join(', ')}›`;
      return `${signs.get(holds) ?? '?'} ${kind}${where}${read}${has}`;
    }),
  );
}

function conditionsFor(row: object, asking: Asking): readonly string[] {
  return listOf(absencesIn(beds, garden, { table: 'beds', row }, asking));
}

const role = { sub: 'brian', role: 'gardener' };
const bed = { id: 'b', plot_id: '0002', archived: 0 };
const subscribed = (plot: string) => [{ stream: 'beds', parameters: { plot } }];

describe('The conditions', () => {
  test('that are true are listed together with the one that is false', () => {
    expect(conditionsFor(bed, { claims: role, subscriptions: subscribed('nonsense') })).toEqual([
      '✓ subscription',
      "✗ comparison ‹plot_id = subscription.parameter('plot')› plot_id = 0002 has nonsense",
      '✓ comparison ‹plot_id IN (SELECT plot_id FROM memberships WHERE user_id = auth.user_id())› plot_id = 0002 has 0002',
      '✓ row ‹NOT archived› archived = 0',
      "✓ client ‹auth.parameter('role') = 'gardener'› auth.role = gardener",
    ]);
  });

  test('name the table in which the values of the client are looked up', () => {
    const asking = { claims: role, subscriptions: subscribed('nonsense') };
    const [absence] = absencesIn(beds, garden, { table: 'beds', row: { ...bed, plot_id: '0003' } }, asking);
    expect(
      absence?.conditions.flatMap(({ marks, table }) => (table ? [[marks[0]?.sql, table]] : [])),
    ).toEqual([
      [
        'plot_id IN (SELECT plot_id FROM memberships WHERE user_id = auth.user_id())',
        { schema: 'public', name: 'memberships' },
      ],
    ]);
  });

  test('are all checked, even after the first one that is false', () => {
    const asking = { claims: role, subscriptions: subscribed('0001') };
    expect(conditionsFor({ ...bed, archived: 1, plot_id: '0003' }, asking)).toEqual([
      '✓ subscription',
      "✗ comparison ‹plot_id = subscription.parameter('plot')› plot_id = 0003 has 0001",
      '✗ comparison ‹plot_id IN (SELECT plot_id FROM memberships WHERE user_id = auth.user_id())› plot_id = 0003 has 0002',
      '✗ row ‹NOT archived› archived = 1',
      "✓ client ‹auth.parameter('role') = 'gardener'› auth.role = gardener",
    ]);
  });

  test('are unknown if the service did not look for rows', () => {
    const asking = { claims: { sub: 'brian', role: 'guest' }, subscriptions: subscribed('0002') };
    expect(conditionsFor(bed, asking)).toEqual([
      '✓ subscription',
      "✓ comparison ‹plot_id = subscription.parameter('plot')› plot_id = 0002 has 0002",
      '? comparison ‹plot_id IN (SELECT plot_id FROM memberships WHERE user_id = auth.user_id())› plot_id = 0002',
      '✓ row ‹NOT archived› archived = 0',
      "✗ client ‹auth.parameter('role') = 'gardener'› auth.role = guest",
    ]);
  });

  test('begin with the missing subscription', () => {
    expect(conditionsFor(bed, { claims: role })).toEqual([
      '✗ subscription',
      "? comparison ‹plot_id = subscription.parameter('plot')› plot_id = 0002",
      '? comparison ‹plot_id IN (SELECT plot_id FROM memberships WHERE user_id = auth.user_id())› plot_id = 0002',
      '✓ row ‹NOT archived› archived = 0',
      "? client ‹auth.parameter('role') = 'gardener'›",
    ]);
  });

  test('include a subscription that every client has, unless it asks for no such streams', () => {
    const text = queryWhere('owner = auth.user_id()', 'auto_subscribe: true');
    const doc = { table: 'docs', row: { id: '1', owner: 'ada' } };
    expect(absencesIn(text, {}, doc)).toEqual([]);
    expect(listOf(absencesIn(text, {}, doc, { includeDefaults: false }))).toEqual([
      '✗ subscription',
      '? comparison ‹owner = auth.user_id()› owner = ada',
    ]);
  });

  test('may each be true, but not together', () => {
    const text = `config:
  edition: 3
streams:
  rooms:
    auto_subscribe: true
    query: SELECT r.* FROM rooms r, keys k WHERE k.owner = auth.user_id() AND k.house = r.house AND k.floor = r.floor
`;
    const rows = {
      keys: [
        { id: '1', owner: 'ada', house: 'a', floor: 1 },
        { id: '2', owner: 'ada', house: 'b', floor: 2 },
      ],
    };
    expect(
      listOf(absencesIn(text, rows, { table: 'rooms', row: { id: 'r', house: 'a', floor: 2 } })),
    ).toEqual([
      '✓ comparison ‹k.house = r.house› house = a has a or b',
      '✓ comparison ‹k.floor = r.floor› floor = 2 has 1 or 2',
      '✗ together ‹k.floor = r.floor, k.house = r.house›',
    ]);
  });
});

/** Returns the conditions for a row of `docs`, of a stream with this condition. */
function conditionsWhere(condition: string, row: object, asking: Asking = {}, rows: Rows = {}) {
  return listOf(absencesIn(queryWhere(condition, 'priority: 1'), rows, { table: 'docs', row }, asking));
}

const toS0 = { subscriptions: [{ stream: 's0' }] };

describe('The conditions of a query', () => {
  test('have their own places, even if a value of the client is compared with several columns', () => {
    const row = { id: '1', owner: 'bob', editor: 'cy' };
    expect(conditionsWhere('owner = auth.user_id() OR editor = auth.user_id()', row, toS0)).toEqual([
      '✓ subscription',
      '✗ comparison ‹owner = auth.user_id()› owner = bob has ada',
      '✓ subscription',
      '✗ comparison ‹editor = auth.user_id()› editor = cy has ada',
    ]);
  });

  test('that are alternatives are all listed, even if they are compared with the same column', () => {
    const rows = { lists: [{ id: 'a', owner: 'ada' }], shares: [{ list: 'b', who: 'ada' }] };
    const condition =
      'list IN (SELECT id FROM lists WHERE owner = auth.user_id()) OR list IN (SELECT list FROM shares WHERE who = auth.user_id())';
    expect(conditionsWhere(condition, { id: '1', list: 'c' }, toS0, rows)).toEqual([
      '✓ subscription',
      '✗ comparison ‹list IN (SELECT id FROM lists WHERE owner = auth.user_id())› list = c has a',
      '✓ subscription',
      '✗ comparison ‹list IN (SELECT list FROM shares WHERE who = auth.user_id())› list = c has b',
    ]);
  });

  test('are unknown if they cannot be evaluated, and then no other condition is blamed', () => {
    const row = { id: '1', owner: 'ada', meta: 'no JSON' };
    expect(conditionsWhere("meta ->> 'kind' = 'a' AND owner = auth.user_id()", row, toS0)).toEqual([
      '✓ subscription',
      "? row ‹meta ->> 'kind' = 'a'›",
      "? row ‹meta ->> 'kind'›",
      '✓ comparison ‹owner = auth.user_id()› owner = ada has ada',
    ]);
  });

  test('that are negated together do not hold if one part does not', () => {
    const row = { id: '1', archived: 1, done: 0 };
    expect(conditionsWhere('NOT (archived = 1 OR done = 1)', row, toS0)).toEqual([
      '✓ subscription',
      '✗ row ‹NOT (archived = 1 OR done = 1)› archived = 1',
    ]);
    const claims = { sub: 'ada', role: 'guest' };
    const condition = "NOT (done = 1 AND auth.parameter('role') = 'guest') AND owner = auth.user_id()";
    expect(conditionsWhere(condition, { ...row, owner: 'bob' }, { ...toS0, claims })).toEqual([
      '✓ subscription',
      "✓ row ‹NOT (done = 1 AND auth.parameter('role') = 'guest')› done = 0",
      '✗ comparison ‹owner = auth.user_id()› owner = bob has ada',
    ]);
  });

  test('do not hold if a part that is negated twice does not', () => {
    const row = { id: '1', archived: 0, shared: 0 };
    expect(conditionsWhere('NOT (archived = 1 OR NOT shared = 1)', row, toS0)).toEqual([
      '✓ subscription',
      '✗ row ‹shared = 1› shared = 0',
    ]);
  });

  test('hold for an element or a subscription, however many others there are', () => {
    const names = Array.from({ length: 60 }, (_, index) => `n${index}`);
    const row = { id: '1', archived: 1, kind: 'n59', tags: JSON.stringify([...names, 'ada']) };
    const subscriptions = names.map((kind) => ({ stream: 's0', parameters: { kind } }));
    const condition = "archived = 0 AND kind = subscription.parameter('kind') AND auth.user_id() IN tags";
    expect(conditionsWhere(condition, row, { subscriptions })).toEqual([
      '✓ subscription',
      '✗ row ‹archived = 0› archived = 1',
      "✓ comparison ‹kind = subscription.parameter('kind')› kind = n59 has n59",
      '✓ comparison ‹auth.user_id() IN tags› tags = ada has ada',
    ]);
  });

  test('have the values of all elements and of all subscriptions, if none comes closer', () => {
    const subscriptions = ['a', 'b'].map((kind) => ({ stream: 's0', parameters: { kind } }));
    const row = { id: '1', kind: 'c', tags: '["x","y"]' };
    expect(
      conditionsWhere("kind = subscription.parameter('kind') AND auth.user_id() IN tags", row, {
        subscriptions,
      }),
    ).toEqual([
      '✓ subscription',
      "✗ comparison ‹kind = subscription.parameter('kind')› kind = c has a or b",
      '✗ comparison ‹auth.user_id() IN tags› tags = x, tags = y has ada',
    ]);
    expect(conditionsWhere('auth.user_id() IN tags', { id: '1', tags: '[]' }, toS0)).toEqual([
      '✓ subscription',
      '✗ element ‹auth.user_id() IN tags›',
      '? comparison ‹auth.user_id() IN tags› has ada',
    ]);
  });

  test('that require a row name the condition on this row', () => {
    const rows = { admins: [{ id: '1', who: 'bob' }] };
    expect(conditionsWhere('auth.user_id() IN (SELECT who FROM admins)', { id: '1' }, toS0, rows)).toEqual([
      '✓ subscription',
      '✗ lookup ‹auth.user_id() IN (SELECT who FROM admins)›',
    ]);
  });

  test('are shown with both parentheses of each pair', () => {
    const condition = "((owner = auth.user_id() OR kind = ')') OR n > 3)";
    const marks = absencesIn(
      queryWhere(condition, 'auto_subscribe: true'),
      {},
      {
        table: 'docs',
        row: { id: '1', owner: 'bob', kind: 'a', n: 1 },
      },
    ).flatMap((absence) => absence.marks.map(({ sql }) => sql));
    expect(marks).toEqual(['owner = auth.user_id()', "(owner = auth.user_id() OR kind = ')') OR n > 3"]);
  });
});

describe('The offered subscription', () => {
  const offered = (row: object, asking: Asking): unknown =>
    absencesIn(beds, garden, { table: 'beds', row }, asking).map(({ subscription }) => subscription);

  test('has the values of the row', () => {
    expect(offered(bed, { claims: role })).toEqual([{ plot: '0002' }]);
    expect(offered(bed, { claims: role, subscriptions: subscribed('nonsense') })).toEqual([{ plot: '0002' }]);
    expect(offered(bed, { claims: role, subscriptions: subscribed('0002') })).toEqual([]);
  });

  test('is missing if another condition excludes the row, or if a value of the row is NULL', () => {
    expect(offered({ ...bed, archived: 1 }, { claims: role })).toEqual([undefined]);
    expect(offered({ ...bed, plot_id: '0003' }, { claims: role, subscriptions: subscribed('0001') })).toEqual(
      [undefined],
    );
    expect(offered({ ...bed, plot_id: null }, { claims: role })).toEqual([undefined]);
    const twice = queryWhere(
      "owner = subscription.parameter('p') AND kind = subscription.parameter('p')",
      'priority: 1',
    );
    const [absence] = absencesIn(twice, {}, { table: 'docs', row: { id: '1', owner: 'a', kind: 'b' } });
    expect(absence?.subscription, 'one parameter cannot have two values').toBeUndefined();
    const guest = { claims: { sub: 'brian', role: 'guest' }, subscriptions: subscribed('nonsense') };
    expect(offered(bed, guest)).toEqual([undefined]);
  });

  test('returns the row, or leaves a condition that a subscription cannot fulfil', () => {
    const seen = { brought: 0, left: 0 };
    for (let seed = 1; seed <= casesOf(500); seed++) {
      const random = randomFrom(seed);
      const condition = `kind = subscription.parameter('kind') AND (${anyCondition(random)})`;
      const query = JSON.stringify(`SELECT * FROM docs WHERE ${condition}`);
      const text = `config: { edition: 3 }\nstreams:\n  s0:\n    accept_potentially_dangerous_queries: true\n    query: ${query}\n`;
      const [world] = randomWorld(random);
      if (world === undefined) continue;
      const members = world.rows.filter(({ table }) => table === 'members').map(({ values }) => values);
      const row = { ...world.main.values, kind: 'k' };
      const ask = (subscriptions: Asking['subscriptions']) =>
        absencesIn(text, { members }, { table: 'docs', row }, { claims: world.asking.claims, subscriptions });
      const subscriptions = ask([]).flatMap(({ subscription: parameters }) =>
        parameters === undefined ? [] : [{ stream: 's0', parameters }],
      );
      if (subscriptions.length === 0) continue;
      const after = ask(subscriptions);
      if (after.length === 0) seen.brought += 1;
      else seen.left += 1;
      for (const { kind, conditions, subscription } of after) {
        expect([kind, subscription], `seed ${seed}: ${condition}`).not.toEqual(['not subscribed', {}]);
        expect(subscription, `seed ${seed}: ${condition}`).toBeUndefined();
        expect(conditions.some(({ holds }) => holds !== true)).toBe(true);
      }
    }
    expect(seen.brought).toBeGreaterThan(casesOf(500) / 10);
    expect(seen.left).toBeGreaterThan(casesOf(500) / 20);
  });
});

/** If the value of a row is replaced with one that the client has, the condition on this value becomes true. */
test('A condition that is false is a reason, and a condition that is true is not', () => {
  const wrong: string[] = [];
  const seen = { absent: 0, mended: 0 };
  for (let seed = 1; seed <= casesOf(3_000); seed++) {
    const random = randomFrom(seed);
    const condition = anyCondition(random);
    const text = `config: { edition: 3 }\nstreams:\n  s0:\n    auto_subscribe: true\n    accept_potentially_dangerous_queries: true\n    query: ${JSON.stringify(`SELECT * FROM docs WHERE ${condition}`)}\n`;
    const [world] = randomWorld(random);
    if (world === undefined) continue;
    const members = world.rows.filter(({ table }) => table === 'members').map(({ values }) => values);
    const all: Rows = { members };
    const asking = { claims: world.asking.claims };
    const ask = (row: object) => absencesIn(text, all, { table: 'docs', row }, asking);
    for (const { conditions, marks } of ask(world.main.values)) {
      seen.absent += 1;
      const what = `seed ${seed}: ${condition}`;
      const against = conditions.filter(({ holds }) => holds === false);
      if (against.length === 0 && conditions.every(({ holds }) => holds === true))
        wrong.push(`no reason: ${what}`);
      for (const { holds, marks: own, kind } of conditions)
        if (
          holds === true &&
          kind === 'comparison' &&
          own.some((mark) => isOnly(mark, marks)) &&
          !against.some(({ marks: others }) => others.some((mark) => isOnly(mark, marks)))
        )
          wrong.push(`blamed, and holds: ${what}`);
      const comparison = against.find(
        ({ kind, held = [] }) => kind === 'comparison' && held.some((value) => value !== null),
      );
      const column = comparison?.values[0]?.text;
      if (comparison === undefined || column === undefined || !/^\w+$/.test(column)) continue;
      const value = comparison.held?.find((each) => each !== null);
      const mended = ask({ ...world.main.values, [column]: value }).flatMap((absence) => absence.conditions);
      const same = mended.filter(({ marks: [mark] }) => mark?.start === comparison.marks[0]?.start);
      if (same.length > 0 && same.every(({ holds }) => holds === false)) wrong.push(`not mended: ${what}`);
      seen.mended += 1;
    }
  }
  expect(wrong).toEqual([]);
  expect(seen.absent).toBeGreaterThan(casesOf(3_000) / 3);
  expect(seen.mended).toBeGreaterThan(casesOf(3_000) / 10);
});

function isOnly(mark: Absence['marks'][number], [only, second]: Absence['marks']): boolean {
  return second === undefined && only?.start === mark.start && only.end === mark.end;
}

/** Parts of negated conditions. Each is drawn once, because a part that is written twice has one of its two places. */
const negatedParts = [
  "kind = 'a'",
  'n > 3',
  'day IS NULL',
  "auth.parameter('org') = 'a'",
  'owner <> auth.user_id()',
  'org <> auth.user_id()',
];

/** Returns a condition with the constructs that the other generators leave out. */
function unusualCondition(random: Random, depth = 2, parts = [...negatedParts]): string {
  const part = () => parts.splice(parts.indexOf(random.pick(parts)), 1);
  const inner = () => unusualCondition(random, depth - 1, parts);
  return random.choose<string>([
    [2, () => anyCondition(random)],
    [
      parts.length > 1 ? 4 : 0,
      () => `NOT (${part()} ${random.pick(['AND', 'OR'])} ${random.pick(['', '', 'NOT '])}${part()})`,
    ],
    [1, () => `${random.pick(['tags', 'owner'])} && auth.parameter('orgs')`],
    [1, () => random.pick(['auth.user_id() IN tags', "'a' IN tags", "org IN auth.parameter('orgs')"])],
    [1, () => random.pick(["'a' IN auth.parameter('orgs')", 'auth.user_id() IN (SELECT who FROM members)'])],
    [1, () => random.pick(["day ->> 'x' = 'y'", "auth.parameter('org') ->> 'x' = 'y'", "tags ->> 0 = 'a'"])],
    [
      1,
      () =>
        'owner IN (SELECT who FROM members WHERE team IN (SELECT team FROM teams WHERE lead = auth.user_id()))',
    ],
    [1, () => "kind = subscription.parameter('kind')"],
    [depth * 3, () => `(${inner()} ${random.pick(['AND', 'OR'])} ${inner()})`],
  ]);
}

/** A query that consists of one of the conditions alone returns the row exactly if the condition is said to be true. */
test('A condition has the same verdict as a query with this condition alone', () => {
  const wrong: string[] = [];
  const seen = { true: 0, false: 0, unknown: 0 };
  for (let seed = 1; seed <= casesOf(3_000); seed++) {
    const random = randomFrom(seed);
    const condition = unusualCondition(random);
    const [world] = randomWorld(random);
    if (world === undefined) continue;
    const name = () => random.pick(['a', 'b', 'xa', '3']);
    const rows: Rows = {
      members: world.rows.filter(({ table }) => table === 'members').map(({ values }) => values),
      teams: random.times(0, 2, () => ({ team: name(), lead: name() })),
    };
    const row = {
      ...world.main.values,
      tags: random.pick([null, '[]', 'no list', '["a"]', '["b","xa"]', '["3",null]']),
    };
    const orgs = random.pick([undefined, [], ['a'], ['b', 'xa', null], 'a']);
    const asking = {
      claims: { ...world.asking.claims, ...(orgs !== undefined && { orgs }) },
      subscriptions: random.times(0, 2, () => ({
        stream: 's0',
        parameters: { kind: random.pick(['a', 'open', 3]) },
      })),
    };
    const whole = queryWhere(condition, random.pick(['auto_subscribe: true', 'priority: 1']));
    for (const { conditions } of absencesIn(whole, rows, { table: 'docs', row }, asking)) {
      const what = `seed ${seed}: ${condition}`;
      if (conditions.every(({ holds }) => holds === true)) wrong.push(`no reason: ${what}`);
      for (const { kind, holds, marks } of conditions) {
        seen[`${holds}`] += 1;
        const [mark] = marks;
        if (mark === undefined || holds === 'unknown' || kind === 'subscription' || kind === 'together')
          continue;
        const alone = queryWhere(mark.sql, 'auto_subscribe: true');
        const isGiven = absencesIn(alone, rows, { table: 'docs', row }, asking).length === 0;
        if (isGiven !== holds) wrong.push(`${kind} ‹${mark.sql}› is said to be ${holds}: ${what}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(Math.min(seen.true, seen.false, seen.unknown)).toBeGreaterThan(casesOf(3_000) / 20);
});

function queryWhere(condition: string, option: string): string {
  const query = JSON.stringify(`SELECT * FROM docs WHERE ${condition}`);
  return `config: { edition: 3 }\nstreams:\n  s0:\n    ${option}\n    accept_potentially_dangerous_queries: true\n    query: ${query}\n`;
}
