/** What a change of a config gives away: known changes, migrations, and each condition of each example taken away or turned. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { analyze, type Config, readSqlFiles, severityOf } from '../../../server/engine/index.ts';
import { migrateToStreams } from '../../../server/engine/migrate/migrate.ts';
import type { Catalog } from '../../../server/engine/model/catalog.ts';
import type { Expr } from '../../../server/engine/sql/ast.ts';
import { selectsIn } from '../../../server/engine/sql/walk.ts';
import { compareAccess } from '../../../server/engine/tests/search/access.ts';
import { reachesDevice } from '../../../server/engine/tests/search/reaching.ts';
import { finish } from '../../../server/engine/tests/search/search.ts';
import { toTestSubject } from '../../../server/engine/tests/subject.ts';
import { applyEdits } from '../../../server/engine/text/edit.ts';
import { type Span, shift } from '../../../server/engine/text/span.ts';
import { randomFrom } from '../../differential/random.ts';
import { olderConfig } from '../../membership/older.ts';
import { root } from '../../support/house/imports.ts';
import { casesOf } from '../../support/house/share.ts';

/** Looks at the clock, instead of time: 64 databases are tried between two. */
const usualLooks = 40;

function configOf(text: string): Config | undefined {
  const { config, findings } = analyze(text, { kind: 'sync' });
  return findings.some(({ code }) => severityOf(code) === 'error') ? undefined : config;
}

function valid(text: string): Config {
  const config = configOf(text);
  if (config === undefined) throw new Error(`This config has errors:\n${text}`);
  return config;
}

function compare(before: string, after: string, catalog?: Catalog, mostLooks = usualLooks) {
  let looks = 0;
  const [old, now] = [valid(before), valid(after)];
  const result = finish(
    compareAccess(old, now, catalog, () => {
      looks = 0;
      return { isTimeUp: () => looks++ > mostLooks };
    }),
  );
  // What is said to be reached is reached, by the whole config.
  for (const { kind, candidate } of result.changes)
    expect(reachesDevice(candidate, toTestSubject(kind === 'gained' ? now : old))).toBe(true);
  return result;
}

const streams = (...queries: readonly string[]) =>
  `config: { edition: 3 }\nstreams:\n${queries
    .map(
      (query, index) =>
        `  s${index}:\n    auto_subscribe: ${!query.includes('subscription.')}\n    accept_potentially_dangerous_queries: true\n    query: ${JSON.stringify(query)}\n`,
    )
    .join('')}`;

const rooms = "SELECT * FROM rooms WHERE org = auth.parameter('org')";

describe('A change gives and takes', () => {
  const changesOf = (before: string, after: string) =>
    compare(streams(before), streams(after)).changes.map(({ kind, table }) => `${kind} ${table}`);

  test.each<[string, string, string, readonly string[]]>([
    ['nothing, if it is none', rooms, rooms, []],
    ['what a condition has held back', `${rooms} AND kind = 'open'`, rooms, ['gained rooms']],
    ['less with one more', rooms, `${rooms} AND kind = 'open'`, ['lost rooms']],
    [
      'other rows',
      "SELECT * FROM rooms WHERE kind = 'a'",
      "SELECT * FROM rooms WHERE kind = 'b'",
      ['gained rooms', 'lost rooms'],
    ],
    ['more by an OR', rooms, `${rooms} OR kind = 'open'`, ['gained rooms']],
    ['another table', rooms, 'SELECT * FROM desks', ['gained desks', 'lost rooms']],
    [
      'a table of another name',
      rooms,
      rooms.replace('FROM rooms', 'FROM rooms AS halls'),
      ['gained halls', 'lost rooms'],
    ],
    [
      'the neighbours of a bound',
      'SELECT * FROM rooms WHERE size > 10',
      'SELECT * FROM rooms WHERE size >= 10',
      ['gained rooms'],
    ],
    [
      'nothing, if a client may ask for it now, and has had it before',
      rooms,
      `${rooms} AND id = subscription.parameter('room')`,
      [],
    ],
    [
      'what only subscribers of a constant had',
      `${rooms} AND subscription.parameter('mode') = 'all'`,
      rooms,
      [],
    ],
    [
      'a lookup without the user',
      "SELECT * FROM rooms WHERE id IN (SELECT room FROM members WHERE who = auth.user_id() AND role = 'x')",
      'SELECT * FROM rooms WHERE id IN (SELECT room FROM members WHERE who = auth.user_id())',
      ['gained rooms'],
    ],
  ])('%s', (_, before, after, changes) => {
    expect(changesOf(before, after)).toEqual(changes);
  });

  test('nothing, where streams are renamed, split and joined', () => {
    const [a, b] = ["SELECT * FROM rooms WHERE kind = 'a'", "SELECT * FROM rooms WHERE kind = 'b'"];
    const one = `config: { edition: 3 }\nstreams:\n  all: { auto_subscribe: true, queries: ["${a}", "${b}"] }\n`;
    expect(compare(streams(a, b), one)).toMatchObject({ changes: [], isExhausted: true });
    expect(compare(streams(a, b), streams(`${a} OR kind = 'b'`))).toMatchObject({
      changes: [],
      isExhausted: true,
    });
  });

  test('and is shown by the smallest rows', () => {
    const { changes } = compare(streams(`${rooms} AND kind = 'open'`), streams(rooms));
    expect(
      changes.map(({ candidate: { rows, asking } }) => [rows.map(({ values }) => values), asking.claims]),
    ).toEqual([
      [[{ id: 'room-1', org: 'org1', kind: null }], { org: 'org1' }].map((each) =>
        Array.isArray(each) ? [{ id: 'room-1', org: 'org1' }] : each,
      ),
    ]);
  });
});

test('Migrations of random older configs give nobody anything, and take nothing', {
  timeout: 120_000,
}, () => {
  let compared = 0;
  for (let seed = 1; seed <= casesOf(30); seed++) {
    const { text } = olderConfig(randomFrom(seed));
    if (configOf(text) === undefined) continue;
    const migration = migrateToStreams(text);
    if (migration.kind !== 'migrated' || configOf(migration.text) === undefined) continue;
    const { changes } = compare(text, migration.text, undefined, 6);
    expect(
      changes.map(({ kind, candidate }) => ({ kind, candidate })),
      `seed ${seed}\n${text}\n${migration.text}`,
    ).toEqual([]);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(casesOf(30) / 4);
});

/** Mutants that change nothing of who gets what, with the reason. */
const equivalent: Readonly<Record<string, string>> = {
  "todo: without todos.list_id = subscription.parameter('list_id')": 'Clients may ask for any list.',
  "team-chat: without channel_id = subscription.parameter('channel_id')": 'Clients may ask for any channel.',
};

describe.each(['todo', 'team-chat', 'legacy-rules'])('Each condition of the example %s', (name) => {
  const folder = join(root, 'examples', name);
  const text = readFileSync(join(folder, 'sync.yaml'), 'utf8');
  const catalog = readSqlFiles([
    { path: 'schema.sql', text: readFileSync(join(folder, 'schema.sql'), 'utf8') },
  ])?.catalog;
  const mutants = mutantsOf(text);

  test('is missed when it is taken away or turned: somebody gains or loses a row', () => {
    const survivors: string[] = [];
    let killed = 0;
    for (const { title, mutated } of mutants) {
      if (configOf(mutated) === undefined) continue;
      if (compare(text, mutated, catalog).changes.length > 0) killed += 1;
      else survivors.push(`${name}: ${title}`);
    }
    expect(survivors).toEqual(Object.keys(equivalent).filter((each) => each.startsWith(`${name}:`)));
    expect(killed).toBeGreaterThan(0);
  });
});

interface Mutant {
  readonly title: string;
  readonly mutated: string;
}

/** Each operand of each AND and OR, and each condition alone: without it, and negated. */
function mutantsOf(text: string): readonly Mutant[] {
  const { config } = analyze(text, { kind: 'sync' });
  const texts = [
    ...(config?.definitions ?? []).flatMap(({ part, texts: own }) => own.map((sql) => ({ part, sql }))),
    ...(config?.ctes ?? []).map(({ part, cte }) => ({ part, sql: cte.query })),
  ];
  const found = new Map<string, Mutant>();
  for (const { part, sql } of texts) {
    const ofAll = config?.ctes.find(({ cte }) => cte.query === sql);
    const { base } = (ofAll ?? { part }).part;
    for (const condition of conditionsOf(sql.sql.statements.flatMap(selectsIn))) {
      const at: Span = shift(sql.place(condition.outer ?? condition.span), base);
      const written = text.slice(at.start, at.end);
      for (const [title, replacement] of [
        [`without ${written}`, 'true'],
        [`not ${written}`, `NOT (${written})`],
      ] as const)
        found.set(`${at.start} ${title}`, {
          title,
          mutated: applyEdits(text, [{ span: at, text: replacement }]),
        });
    }
  }
  return [...found.values()];
}

function conditionsOf(selects: ReturnType<typeof selectsIn>): readonly Expr[] {
  return selects.flatMap((select) => [
    ...(select.where ? operandsOf(select.where) : []),
    ...select.from.flatMap(({ join: joined }) => (joined?.on ? operandsOf(joined.on) : [])),
  ]);
}

function operandsOf(expr: Expr): readonly Expr[] {
  return expr.kind === 'binary' && ['AND', 'OR'].includes(expr.op)
    ? [...operandsOf(expr.left), ...operandsOf(expr.right)]
    : [expr];
}
