/** The conditions between a row and a client, each on its own. */
import { describe, expect, test } from 'vitest';
import type { Absence } from '../../../server/engine/index.ts';
import { randomFrom } from '../../differential/random.ts';
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
      absence?.conditions.flatMap(({ marks, lookedUpIn }) =>
        lookedUpIn ? [[marks[0]?.sql, lookedUpIn]] : [],
      ),
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
      '✓ row ‹NOT archived› archived = 0',
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
