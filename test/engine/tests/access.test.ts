/** Rows that users gain or lose by a change: known changes, migrations, and mutants of each condition in the examples. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSnapshot } from '../../../server/engine/catalog/snapshot.ts';
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

/** The limit of a search is a number of looks at the clock instead of a time. 64 databases are tried between two looks. */
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
  // Check that each reported row reaches the client under one whole config, and not under the other one.
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

describe('The reported change of access', () => {
  const changesOf = (before: string, after: string) =>
    compare(streams(before), streams(after)).changes.map(({ kind, table }) => `${kind} ${table}`);

  test.each<[string, string, string, readonly string[]]>([
    ['is empty if the configs are the same', rooms, rooms, []],
    ['is a gain if a condition is removed', `${rooms} AND kind = 'open'`, rooms, ['gained rooms']],
    ['is a loss if a condition is added', rooms, `${rooms} AND kind = 'open'`, ['lost rooms']],
    [
      'is a gain and a loss if other rows match',
      "SELECT * FROM rooms WHERE kind = 'a'",
      "SELECT * FROM rooms WHERE kind = 'b'",
      ['gained rooms', 'lost rooms'],
    ],
    ['is a gain if an OR is added', rooms, `${rooms} OR kind = 'open'`, ['gained rooms']],
    [
      'is a gain and a loss if another table is read',
      rooms,
      'SELECT * FROM desks',
      ['gained desks', 'lost rooms'],
    ],
    [
      'is a gain and a loss if clients get the table under another name',
      rooms,
      rooms.replace('FROM rooms', 'FROM rooms AS halls'),
      ['gained halls', 'lost rooms'],
    ],
    [
      'is a gain if a bound is now included',
      'SELECT * FROM rooms WHERE size > 10',
      'SELECT * FROM rooms WHERE size >= 10',
      ['gained rooms'],
    ],
    [
      'is empty if a client can ask for rows that it got without asking before',
      rooms,
      `${rooms} AND id = subscription.parameter('room')`,
      [],
    ],
    [
      'is empty if a client can ask for a list of the rows',
      rooms,
      `${rooms} AND id IN subscription.parameter('rooms')`,
      [],
    ],
    [
      'is empty if a client can ask by a value inside a list or an object',
      `${rooms} AND id IN subscription.parameter('rooms')`,
      `${rooms} AND id = subscription.parameter('room') ->> 'id'`,
      [],
    ],
    [
      'is only a loss if a condition is added and the id has another name',
      'SELECT owner AS id, theme FROM settings WHERE owner = auth.user_id()',
      "SELECT owner AS id, theme FROM settings WHERE owner = auth.user_id() AND theme = 'x'",
      ['lost settings'],
    ],
    [
      'is empty if only subscribers with a constant parameter got the rows before',
      `${rooms} AND subscription.parameter('mode') = 'all'`,
      rooms,
      [],
    ],
    [
      'is a gain if a lookup loses a condition',
      "SELECT * FROM rooms WHERE id IN (SELECT room FROM members WHERE who = auth.user_id() AND role = 'x')",
      'SELECT * FROM rooms WHERE id IN (SELECT room FROM members WHERE who = auth.user_id())',
      ['gained rooms'],
    ],
  ])('%s', (_, before, after, changes) => {
    expect(changesOf(before, after)).toEqual(changes);
  });

  test('is empty if streams are renamed, split or joined', () => {
    const [a, b] = ["SELECT * FROM rooms WHERE kind = 'a'", "SELECT * FROM rooms WHERE kind = 'b'"];
    const one = `config: { edition: 3 }\nstreams:\n  all: { auto_subscribe: true, queries: ["${a}", "${b}"] }\n`;
    expect(compare(streams(a, b), one)).toMatchObject({ changes: [], isExhausted: true });
    expect(compare(streams(a, b), streams(`${a} OR kind = 'b'`))).toMatchObject({
      changes: [],
      isExhausted: true,
    });
  });

  test('is shown with the smallest rows', () => {
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

describe('A row that the source would refuse shows no gain', () => {
  const sql = `CREATE TYPE kind AS ENUM ('open', 'closed');
CREATE TABLE lists (id uuid PRIMARY KEY, owner text NOT NULL);
CREATE TABLE docs (id uuid PRIMARY KEY, n smallint, day date, short varchar(3), kind kind, tags text[], meta jsonb, amount numeric(4,2),
  at timestamptz, list_id uuid NOT NULL REFERENCES lists, owner text NOT NULL);`;
  const catalog = readSqlFiles([{ path: 'a.sql', text: sql }])?.catalog;
  const query = "SELECT * FROM docs WHERE owner = 'a'";

  test.each([
    ['n = 100000'],
    ['n > 100000'],
    ["day = 'soon'"],
    ["short = 'long'"],
    ["kind = 'gone'"],
    ['owner IS NULL'],
    ["tags = 'x'"],
    ["meta = 'x'"],
    ["amount = '123.00'"],
    ["at = 'soon'"],
    ['list_id IS NULL'],
    ["list_id = 'l1'"],
  ])('%s', (condition) => {
    expect(compare(streams(query), streams(`${query} OR ${condition}`), catalog).changes).toEqual([]);
  });

  test('but a possible one does', () => {
    const { changes } = compare(streams(query), streams(`${query} OR amount = '3.10'`), catalog);
    expect(changes.map(({ candidate }) => candidate.main.values.amount)).toEqual(['3.10']);
  });

  test('and a gain is in doubt if the constraints are not known', () => {
    const reported = readSnapshot('{"tables": [{"name": "docs", "columns": [{"name": "owner"}]}]}')?.catalog;
    const doubts = (known: Catalog | undefined) =>
      compare(streams(query), streams(`${query} OR owner = 'b'`), known).changes.map(({ doubt }) => doubt);
    expect(doubts(reported)).toEqual([expect.stringContaining('does not contain the constraints of docs')]);
    expect(doubts(catalog)).toEqual([undefined]);
  });

  test('and columns are gained with possible rows', () => {
    const [before, after] = ['id', 'id, owner'].map((columns) =>
      valid(streams(`SELECT ${columns} FROM docs WHERE n = 100000 OR n = 5`)),
    );
    if (before === undefined || after === undefined) throw new Error('There is no config.');
    const limits = () => ({ isTimeUp: () => false });
    const { changes } = finish(compareAccess(before, after, catalog, limits));
    expect(changes.map(({ columns, candidate }) => [columns, candidate.main.values.n])).toEqual([
      [['owner'], 5n],
    ]);
  });
});

test('Migrations of random older configs do not change access to any row', {}, () => {
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

test('Every gain or loss that a plain loop over small databases finds is reported', {}, () => {
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
  // Each outcome must have been tested.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(casesOf(300) / 60);
});

/** Mutants without a change of access. A client chooses its subscription parameters, so they may select by any column. */
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

  test('changes access when it is mutated, except in the equivalent mutants', () => {
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

/** Whether a service would accept the config and all of its columns exist. */
function isValid(text: string, catalog: Catalog | undefined): boolean {
  const { findings } = analyze(text, { kind: 'sync', catalog });
  return findings.every(({ code }) => severityOf(code) !== 'error' && code !== 'unknown-column');
}

interface Mutant {
  readonly title: string;
  readonly mutated: string;
}

/**
 * Returns mutants of each operand of an AND or OR, and of each single condition: without it, negated, with another column,
 * and with another value of the request.
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
