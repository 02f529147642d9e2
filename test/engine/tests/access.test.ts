/** What a change of a config gives away: known changes, migrations, and each condition of each example taken away or turned. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { analyze, type Config, readSqlFiles, severityOf } from '../../../server/engine/index.ts';
import { migrateToStreams } from '../../../server/engine/migrate/migrate.ts';
import type { Catalog } from '../../../server/engine/model/catalog.ts';
import type { Expr } from '../../../server/engine/sql/ast.ts';
import { children, selectsIn } from '../../../server/engine/sql/walk.ts';
import { deviceOf } from '../../../server/engine/tests/device.ts';
import { toRowIndex } from '../../../server/engine/tests/rowIndex.ts';
import { compareAccess } from '../../../server/engine/tests/search/access.ts';
import { reachesDevice } from '../../../server/engine/tests/search/reaching.ts';
import { finish } from '../../../server/engine/tests/search/search.ts';
import { toTestSubject } from '../../../server/engine/tests/subject.ts';
import { applyEdits } from '../../../server/engine/text/edit.ts';
import { type Span, shift } from '../../../server/engine/text/span.ts';
import { randomFrom } from '../../differential/random.ts';
import { olderConfig } from '../../membership/older.ts';
import { randomQuery, smallWorlds } from '../../support/engine/smallWorlds.ts';
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
  // What is said to be reached is reached, by the whole config, and by the other one not.
  for (const { kind, table, candidate } of result.changes) {
    const isReached = (config: Config): boolean | undefined => {
      const subject = toTestSubject(config);
      const { tables } = deviceOf(subject, toRowIndex(candidate.rows, subject), candidate.asking);
      return tables.get(table)?.has(candidate.main.id);
    };
    const [less, more] = kind === 'gained' ? [old, now] : [now, old];
    expect([isReached(less) === true, isReached(more)]).toEqual([false, true]);
  }
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
      'nothing, if a client may ask for a list of it',
      rooms,
      `${rooms} AND id IN subscription.parameter('rooms')`,
      [],
    ],
    [
      'nothing, if a client may ask for it by a value inside of a list or an object',
      `${rooms} AND id IN subscription.parameter('rooms')`,
      `${rooms} AND id = subscription.parameter('room') ->> 'id'`,
      [],
    ],
    [
      'only what is held back now, where the id has another name',
      'SELECT owner AS id, theme FROM settings WHERE owner = auth.user_id()',
      "SELECT owner AS id, theme FROM settings WHERE owner = auth.user_id() AND theme = 'x'",
      ['lost settings'],
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

test('Migrations of random older configs give nobody anything, and take nothing', {}, () => {
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

test('What a plain loop over small databases finds that is gained or lost, is found, and nothing else', {}, () => {
  const wrong: string[] = [];
  const seen = { gained: 0, lost: 0, nothing: 0 };
  for (let seed = 1; seed <= casesOf(300); seed++) {
    const random = randomFrom(seed);
    const [before, after] = [randomQuery(random), randomQuery(random)];
    const [old, now] = [before, after].map((query) => toTestSubject(valid(streams(query))));
    if (old === undefined || now === undefined) continue;
    const found = new Set(compare(streams(before), streams(after)).changes.map(({ kind }) => kind));
    const isGained = smallWorlds.some((each) => reachesDevice(each, now) && !reachesDevice(each, old));
    const isLost = smallWorlds.some((each) => reachesDevice(each, old) && !reachesDevice(each, now));
    if ((isGained && !found.has('gained')) || (isLost && !found.has('lost')))
      wrong.push(`seed ${seed}: ${before} | ${after} | ${isGained} ${isLost} ${[...found]}`);
    if (isGained) seen.gained += 1;
    if (isLost) seen.lost += 1;
    if (!isGained && !isLost) seen.nothing += 1;
  }
  expect(wrong).toEqual([]);
  // Else nothing was tested.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(casesOf(300) / 60);
});

/** Mutants that change nothing of who gets what: what a client asks for is its own choice, so any column of it does. */
const equivalent: Readonly<Record<string, readonly string[]>> = {
  compose: [
    "without todos.list_id = subscription.parameter('list_id')",
    "todos.list_id = subscription.parameter('list_id'), of id",
    "todos.list_id = subscription.parameter('list_id'), of description",
    "todos.list_id = subscription.parameter('list_id'), of completed",
  ],
  'legacy-rules': [],
  'team-chat': [
    "without channel_id = subscription.parameter('channel_id')",
    "channel_id = subscription.parameter('channel_id'), of id",
    "channel_id = subscription.parameter('channel_id'), of author_id",
    "channel_id = subscription.parameter('channel_id'), of body",
    "channel_id = subscription.parameter('channel_id'), of sent_at",
  ],
  todo: [
    "without todos.list_id = subscription.parameter('list_id')",
    "todos.list_id = subscription.parameter('list_id'), of id",
    "todos.list_id = subscription.parameter('list_id'), of description",
    "todos.list_id = subscription.parameter('list_id'), of completed",
  ],
};

const examples = globSync('*/sync{,-config}.yaml', { cwd: join(root, 'examples') });

test('All examples are mutated', () => {
  expect(examples.map((path) => dirname(path)).sort()).toEqual(Object.keys(equivalent));
});

describe.each(examples)('Each condition of the example %s', (path) => {
  const file = join(root, 'examples', path);
  const [folder, name] = [dirname(file), dirname(path)];
  const text = readFileSync(file, 'utf8');
  const scripts = globSync('**/*.sql', { cwd: folder }).map((script) => ({
    path: script,
    text: readFileSync(join(folder, script), 'utf8'),
  }));
  const catalog = readSqlFiles(scripts)?.catalog;
  const columns = [...new Set(catalog?.tables.flatMap((table) => [...table.columns.keys()]))];
  const mutants = mutantsOf(text, columns).filter(({ mutated }) => isValid(mutated, catalog));

  test('is missed when it is taken away or turned: somebody gains or loses a row', () => {
    const survivors: string[] = [];
    for (const { title, mutated } of mutants) {
      const { changes, isExhausted } = compare(text, mutated, catalog);
      if (changes.length > 0) continue;
      expect(isExhausted, title).toBe(true);
      survivors.push(title);
    }
    expect(survivors.sort()).toEqual(equivalent[name]?.toSorted());
    expect(mutants.length).toBeGreaterThan(2 * survivors.length);
  });
});

/** A service would take it, and all of its columns are there. */
function isValid(text: string, catalog: Catalog | undefined): boolean {
  const { findings } = analyze(text, { kind: 'sync', catalog });
  return findings.every(({ code }) => severityOf(code) !== 'error' && code !== 'unknown-column');
}

interface Mutant {
  readonly title: string;
  readonly mutated: string;
}

/**
 * Each operand of each AND and OR, and each condition alone: without it, negated, with another column in it, and with another
 * value of who asks.
 */
function mutantsOf(text: string, columns: readonly string[]): readonly Mutant[] {
  const { config } = analyze(text, { kind: 'sync' });
  const texts = [
    ...(config?.definitions ?? []).flatMap(({ part, texts: own }) => own.map((sql) => ({ part, sql }))),
    ...(config?.ctes ?? []).map(({ part, cte }) => ({ part, sql: cte.query })),
  ];
  const found = new Map<string, Mutant>();
  for (const { part, sql } of texts) {
    const ofAll = config?.ctes.find(({ cte }) => cte.query === sql);
    const { base } = (ofAll ?? { part }).part;
    const inFile = (inSql: Span): Span => shift(sql.place(inSql), base);
    for (const condition of conditionsOf(sql.sql.statements.flatMap(selectsIn))) {
      const at = inFile(condition.outer ?? condition.span);
      const written = text.slice(at.start, at.end);
      const add = (title: string, replacement: string, span: Span): void => {
        const mutated = applyEdits(text, [{ span, text: replacement }]);
        found.set(mutated, { title, mutated });
      };
      add(`without ${written}`, 'true', at);
      add(`not ${written}`, `NOT (${written})`, at);
      for (const part of partsOf(condition)) {
        if (part.kind === 'reference')
          for (const column of columns)
            if (column !== part.column.text)
              add(`${written}, of ${column}`, column, inFile(part.column.span));
        if (part.kind === 'call' && part.schema !== undefined) {
          const other =
            part.schema.text === 'request' ? "request.jwt() ->> 'role'" : "auth.parameter('role')";
          add(`${written}, of the role`, other, inFile(part.span));
        }
      }
    }
  }
  return [...found.values()];
}

function partsOf(expr: Expr): readonly Expr[] {
  return [expr, ...children(expr).flatMap(partsOf)];
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
