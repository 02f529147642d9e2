import { describe, expect, test } from 'vitest';
import { toConfigEvaluator, toConfigTracer } from '../../../server/engine/plan/evaluate/evaluate.ts';
import type { LookupRecord } from '../../../server/engine/plan/evaluate/rows.ts';
import { requestDocument } from '../../../server/engine/plan/evaluate/scope.ts';
import type { Origin } from '../../../server/engine/plan/expression.ts';
import type { SqlValue } from '../../../server/engine/plan/values/value.ts';
import { randomFrom } from '../../differential/random.ts';
import { acceptedConfig } from '../../membership/accepted.ts';
import { sqlRow, syncRequest } from '../../membership/engines.ts';
import { world } from '../../membership/world.ts';
import { finish } from '../../support/engine/evaluation.ts';
import { plansOf } from '../../support/engine/plans.ts';
import { compileSql, edition3 } from '../../support/engine/stream.ts';

describe('a row', () => {
  test('is in the bucket that the values of its keys identify', () => {
    expect(row('SELECT * FROM trips WHERE owner = auth.user_id() AND n > 1', { owner: 'u1', n: 2n })).toBe(
      drawing(`
        bucket: given
          n > 1: 1, where n is 2
          key owner: "u1"
          s|0["u1"]
      `),
    );
  });

  test('is filtered by the first condition that is not true', () => {
    expect(
      row(`SELECT * FROM trips WHERE kind = 'a' AND n BETWEEN 1 AND 3 AND owner = auth.user_id()`, {
        kind: 'a',
        n: 5n,
        owner: 'u1',
      }),
    ).toBe(
      drawing(`
        bucket: filtered at "n BETWEEN 1 AND 3"
          kind = 'a': 1, where kind is "a"
          n BETWEEN 1 AND 3: 0, where n is 5
          key owner: "u1"
      `),
    );
  });

  test.each([
    ['as a whole', "n > 0 AND NOT (kind = 'a' OR n = 2)", "NOT (kind = 'a' OR n = 2)"],
    ['as a whole next to an OR', "n = 1 OR NOT (kind = 'a' OR n = 2)", "n = 1 OR NOT (kind = 'a' OR n = 2)"],
    ['as a whole around an AND', "NOT (kind = 'b' AND NOT n = 1)", "NOT (kind = 'b' AND NOT n = 1)"],
    ['unless it contains a second NOT that cancels it', "NOT (kind = 'a' OR NOT n = 1)", 'n = 1'],
  ])('is filtered by a NOT %s', (_, condition, named) => {
    const [first] = row(`SELECT * FROM trips WHERE ${condition}`, { kind: 'b', n: 2n }).split('\n');
    expect(first).toBe(`bucket: filtered at "${named}"`);
  });

  test('has no bucket if a key is NULL', () => {
    expect(row('SELECT * FROM trips WHERE owner = auth.user_id()', {})).toBe(
      drawing(`
        bucket: no key at "owner"
          key owner: null
      `),
    );
  });

  test('is explained for each way in which it can reach a client', () => {
    expect(
      row(`SELECT * FROM trips WHERE owner = auth.user_id() OR kind = 'open'`, { owner: 'u1', kind: 'x' }),
    ).toBe(
      drawing(`
        bucket: given
          key owner: "u1"
          s|0["u1"]
        bucket: filtered at "kind = 'open'"
          kind = 'open': 0, where kind is "x"
      `),
    );
  });

  test('is explained for each element of its list', () => {
    expect(row('SELECT * FROM trips WHERE auth.user_id() IN crew', { crew: '["u1","u2"]' })).toBe(
      drawing(`
        bucket: given
          element "u1"
          key crew: "u1"
          element "u2"
          key crew: "u2"
          s|0["u1"]
          s|0["u2"]
      `),
    );
    expect(row('SELECT * FROM trips WHERE auth.user_id() IN crew', { crew: '[]' })).toBe(
      'bucket: no element at "auth.user_id() IN crew"',
    );
  });

  test('fails if one of its expressions fails', () => {
    expect(row(`SELECT * FROM trips WHERE n > 1 AND doc ->> 'a' = 'x'`, { n: 2n, doc: 'no JSON' })).toBe(
      drawing(`
        bucket: failed at "doc ->> 'a'" invalid-json
          n > 1: 1, where n is 2
      `),
    );
    expect(row('SELECT * FROM trips WHERE auth.user_id() IN crew', { crew: 5n })).toBe(
      'bucket: failed at "auth.user_id() IN crew" json-each-not-text',
    );
  });

  test('writes lookup entries under its inputs', () => {
    expect(
      row('SELECT * FROM photos WHERE trip IN (SELECT id FROM trips WHERE owner = auth.user_id())', {
        id: 't1',
        owner: 'u1',
      }),
    ).toBe(
      drawing(`
        lookup: given
          key owner: "u1"
          key id: "t1"
          0["u1"] gives "t1"
      `),
    );
  });
});

describe('a request', () => {
  const trips = 'SELECT * FROM photos WHERE trip IN (SELECT id FROM trips WHERE owner = auth.user_id())';

  test('gets the buckets that its lookups find', () => {
    expect(request(trips, { sub: 'u1' }, { '0["u1"]': [['t1'], ['t2']] })).toBe(
      drawing(`
        default: given
          lookup ["u1"] found t1, t2: 2 left
          s|0["t1"]
          s|0["t2"]
      `),
    );
  });

  test('gets nothing if a lookup finds nothing', () => {
    expect(request(trips, { sub: 'u1' }, {})).toMatch(
      /^default: nothing found at .*\n {2}lookup \["u1"\] found nothing: 0 left$/,
    );
  });

  test('gets nothing if a condition on the request is not true', () => {
    expect(
      request(`SELECT * FROM trips WHERE auth.parameter('role') = 'admin' AND owner = auth.user_id()`, {
        sub: 'u1',
        role: 'clerk',
      }),
    ).toBe(
      drawing(`
        default: filtered at "auth.parameter('role') = 'admin'"
          auth.parameter('role') = 'admin': 0, where auth.parameter('role') is "clerk"
      `),
    );
  });

  test('gets a bucket for each element of a claim', () => {
    expect(request(`SELECT * FROM trips WHERE org IN auth.parameter('orgs')`, { orgs: ['a', 'b'] })).toBe(
      drawing(`
        default: given
          expand found a, b: 2 left
          s|0["a"]
          s|0["b"]
      `),
    );
  });

  test('has no key if a claim is missing', () => {
    expect(request('SELECT * FROM trips WHERE owner = auth.user_id()', {})).toBe(
      'default: no key at "owner = auth.user_id()"',
    );
  });

  test('has no key if all found values are NULL', () => {
    expect(request(trips, { sub: 'u1' }, { '0["u1"]': [[null]] })).toMatch(
      /^default: no key at "trip IN .*"\n {2}lookup \["u1"\] found : 1 left$/,
    );
  });

  test('has no key if a value that a later lookup needs is NULL', () => {
    const chain =
      'SELECT * FROM photos WHERE trip IN (SELECT id FROM trips WHERE org IN (SELECT org FROM members WHERE person = auth.user_id()))';
    const text = request(chain, { sub: 'u1' }, { '0["u1"]': [[null]], '1["u1"]': [[null]] });
    expect(text).toMatch(/^default: no key at /);
  });

  test('fails if one of its expressions fails', () => {
    expect(request(`SELECT * FROM trips WHERE org IN auth.parameter('orgs')`, { orgs: 5 })).toMatch(
      /^default: failed at .* json-each-not-text$/,
    );
  });

  test('gets exactly the buckets of an evaluation', () => {
    const { result } = traced(trips, { sub: 'u1' }, { '0["u1"]': [['t1']] });
    expect(result.buckets).toEqual([
      {
        bucket: 's|0["t1"]',
        priority: 3,
        reasons: [{ stream: 's', subscription: 'default' }],
        lookedUp: true,
      },
    ]);
    expect(result.lookups).toEqual(['0["u1"]']);
  });
});

const cases = 40;
const seed = Number(process.env.HEADWATER_TRACE_SEED ?? 9_000);

test(`a trace has the same results as the evaluation, in ${cases} random configs from seed ${seed}`, () => {
  for (let at = seed; at < seed + cases; at++) {
    const random = randomFrom(at);
    const { text, streams } = acceptedConfig(random);
    const scene = world(random);
    const { plans, options } = plansOf(text);
    const evaluator = toConfigEvaluator(plans, { options });
    const tracer = toConfigTracer(plans, { options });
    const entries: LookupRecord[] = [];
    for (const { table, record } of scene.rows) {
      const source = { tag: 'default', schema: 'public', name: table };
      const result = evaluator.rowsOf(source)(sqlRow(record));
      const traces = tracer.row(source, sqlRow(record));
      expect({ at, rows: linesOf(traces.flatMap(({ rows }) => rows)) }).toEqual({
        at,
        rows: linesOf(result.rows),
      });
      expect({ at, entries: linesOf(traces.flatMap((trace) => trace.entries)) }).toEqual({
        at,
        entries: linesOf(result.entries),
      });
      entries.push(...result.entries);
    }
    for (const each of scene.requests) {
      const asked = syncRequest(each, streams);
      const result = finish(evaluator.request(asked), entries);
      const trace = finish(tracer.request(asked), entries);
      expect({ at, result: trace.result }).toEqual({ at, result });
      expect({ at, buckets: linesOf(trace.routes.flatMap(({ buckets }) => buckets)) }).toEqual({
        at,
        buckets: linesOf(result.buckets.map(({ bucket }) => bucket)),
      });
    }
  }
});

/** Returns the values as JSON texts, sorted and without duplicates. */
function linesOf(values: readonly unknown[]): readonly string[] {
  const text = (value: unknown) =>
    JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `${item}n` : item));
  return [...new Set(values.map(text))].sort();
}

function row(sql: string, record: Readonly<Record<string, SqlValue>>): string {
  const { plan, place } = compiled(sql);
  const traces = toConfigTracer([plan], { options: edition3 }).row(
    { tag: 'default', schema: 'public', name: 'trips' },
    record,
  );
  const lines = traces.flatMap(({ side, outcome, mismatch, failure, combinations, rows, entries }) => [
    `${side}: ${outcome}${mismatch ? ` at ${quoted(place(mismatch))}` : ''}${failure ? ` ${failure.code}` : ''}`,
    ...combinations.flatMap(({ elements, conditions, keys }) => [
      ...elements.map(({ value }) => `  element ${json(value)}`),
      ...conditions.map((condition) => conditionLine(condition, place)),
      ...keys.map(({ at, value }) => `  key ${place(at)}: ${json(value)}`),
    ]),
    ...rows.map(({ bucket }) => `  ${bucket}`),
    ...entries.map(({ key, values }) => `  ${key} gives ${values.map(json)}`),
  ]);
  return lines.join('\n');
}

function request(sql: string, claims: object, lookups: Lookups = {}): string {
  const { place } = compiled(sql);
  const lines = traced(sql, claims, lookups).routes.flatMap(
    ({ reason, outcome, mismatch, failure, conditions, steps, buckets }) => [
      `${reason.subscription}: ${outcome}${mismatch ? ` at ${quoted(place(mismatch))}` : ''}${failure ? ` ${failure.code}` : ''}`,
      ...conditions.map((condition) => conditionLine(condition, place)),
      ...steps.map(
        ({ kind, asked, found, left }) =>
          `  ${[kind, ...asked].join(' ')} found ${found.length === 0 ? 'nothing' : found.join(', ')}: ${left} left`,
      ),
      ...buckets.map((bucket) => `  ${bucket}`),
    ],
  );
  return lines.join('\n');
}

type Lookups = Readonly<Record<string, readonly (readonly SqlValue[])[]>>;

function traced(sql: string, claims: object, lookups: Lookups) {
  const { plan } = compiled(sql);
  const tracing = toConfigTracer([plan], { options: edition3 }).request({
    claims: requestDocument(JSON.stringify(claims)),
    connection: requestDocument('{}'),
    subscriptions: [],
    includeDefaults: true,
  });
  return finish(
    tracing,
    Object.entries(lookups).flatMap(([key, sets]) => sets.map((values) => ({ key, values }))),
  );
}

function compiled(sql: string) {
  const { plan, findings } = compileSql(sql);
  if (plan === undefined) throw new Error(findings.join('\n'));
  return { plan, place: ({ span }: Origin) => sql.slice(span.start, span.end) };
}

function conditionLine(
  { at, value, values }: { at: Origin; value: SqlValue; values: readonly { at: Origin; value: SqlValue }[] },
  place: (at: Origin) => string,
): string {
  const reads = values.map((read) => `${place(read.at)} is ${json(read.value)}`);
  return `  ${place(at)}: ${json(value)}, where ${reads.join(', ')}`;
}

function quoted(text: string): string {
  return `"${text}"`;
}

function json(value: SqlValue): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

/** Removes the first and the last line, and from all others the indentation of the first remaining line. */
function drawing(text: string): string {
  const lines = text.split('\n').slice(1, -1);
  const indent = /^ */.exec(lines[0] ?? '')?.[0].length ?? 0;
  return lines.map((line) => line.slice(indent)).join('\n');
}
