/** The rows of a test are those that the source would store: with its defaults, in the form of its types, and without impossible ones. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  analyze,
  messageOf,
  readServiceSchema,
  readSqlFiles,
  severityOf,
} from '../../../server/engine/index.ts';
import { prepareTests } from '../../../server/engine/tests/prepare.ts';
import { readTests } from '../../../server/engine/tests/reading/readTests.ts';
import { runTests } from '../../../server/engine/tests/run.ts';
import { openClaims } from '../../../server/engine/tests/search/claims.ts';
import { finish } from '../../../server/engine/tests/search/search.ts';
import { noSeeds, readSeedFiles, type Seeds } from '../../../server/engine/tests/seeds/seeds.ts';
import { toTestSubject } from '../../../server/engine/tests/subject.ts';
import { type OpenJudge, openJudge } from '../../../server/shared/claimJudge.ts';
import { stopAfter } from '../../support/engine/claims.ts';

let sqlite: OpenJudge;
beforeAll(async () => {
  sqlite = await openJudge();
});
afterAll(() => sqlite.close());

interface Project {
  readonly sql: string;
  readonly queries: readonly string[];
}

/** Runs the tests of a file, and returns their problems and failures, and the verdicts on its claims. */
function run(
  { sql, queries }: Project,
  tests: string,
  seeds: Seeds = noSeeds,
  catalog = readSqlFiles([{ path: 'schema.sql', text: sql }])?.catalog,
) {
  const streams = queries.map(
    (query, index) => `  s${index}: { auto_subscribe: true, query: ${JSON.stringify(query)} }\n`,
  );
  if (catalog === undefined) throw new Error('The SQL creates no table.');
  const analysis = analyze(`config: { edition: 3 }\nstreams:\n${streams.join('')}`, {
    kind: 'sync',
    catalog,
  });
  const prepared = prepareTests(readTests(`config: sync.yaml\n${tests}`), {
    analysis,
    known: { catalog },
    subjectOf: (config) => toTestSubject(config),
    seeds,
  });
  const { subject, file, findings } = prepared;
  if (subject === undefined) throw new Error(findings.map(messageOf).join('\n'));
  const claims = openClaims({ ...prepared, subject }, sqlite.judge);
  const outcomes = runTests(file, subject, {
    seeds: prepared.seeds,
    findings,
    observe: claims.observe,
  });
  const results = file.always.map((claim) => finish(claims.resultOf(claim, stopAfter(1_000))));
  return {
    problems: findings.flatMap((finding) =>
      severityOf(finding.code) === 'error' ? `${finding.code}: ${messageOf(finding)}` : [],
    ),
    warnings: findings.flatMap((finding) =>
      finding.code === 'test-trigger-effect' ? messageOf(finding) : [],
    ),
    failures: outcomes.flatMap(({ failures }) => failures.map(({ message }) => message)),
    verdicts: results.map(({ verdict }) => verdict),
    reasons: results.flatMap(({ failure }) => failure?.reasons.map(({ text }) => text) ?? []),
    messages: results.flatMap(({ failure }) => failure?.message ?? []),
  };
}

const users = 'users: { ada: { id: ada }, eve: { id: eve } }\n';

describe('A column without a value', () => {
  const project: Project = {
    sql: `CREATE TABLE docs (id text PRIMARY KEY, owner text, shown boolean NOT NULL DEFAULT true, kind text DEFAULT 'note'::text);
ALTER TABLE docs ADD COLUMN lang text;
ALTER TABLE docs ALTER COLUMN lang SET DEFAULT ('en');
ALTER TABLE docs ALTER COLUMN owner SET DEFAULT 'ada';
ALTER TABLE docs ALTER COLUMN owner DROP DEFAULT;`,
    queries: ["SELECT id FROM docs WHERE shown AND kind = 'note' AND lang = 'en' AND owner IS NULL"],
  };

  test('has the default of the source, so a row that everybody gets is not hidden by NULL', () => {
    const tests = `${users}rows: { docs: [{ id: d1 }] }\ntests:\n  - name: it\n    expect: { eve: { docs: none } }\n`;
    expect(run(project, tests).failures).toEqual(['eve gets docs d1, which is not expected.']);
  });

  test.each([
    ['cannot be NULL', 'team text NOT NULL', '`team` has no value here, and it cannot be NULL'],
    ['gets a computed default', 'team text DEFAULT current_user', '`team` has no value here, and the source'],
    ['is generated', 'team text GENERATED ALWAYS AS (id) STORED', '`team` has no value here, and the source'],
    ['is a serial number', 'team serial', '`team` has no value here, and the source'],
  ])('is an error if it %s and decides the result', (_, column, problem) => {
    const sql = `CREATE TABLE docs (id text PRIMARY KEY, other text NOT NULL, ${column});`;
    const tests = `${users}rows: { docs: [{ id: d1 }] }\ntests:\n  - name: it\n    expect: { eve: { docs: none } }\n`;
    const { problems, failures } = run(
      { sql, queries: ['SELECT id FROM docs WHERE team = auth.user_id()'] },
      tests,
    );
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
    expect(failures.length).toBeGreaterThan(0);
  });

  const fill = (body: string) =>
    `CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$;`;
  test.each([
    ['an unknown function', '', 'BEFORE INSERT OR UPDATE', true],
    ['its function', fill('NEW.owner := current_user; RETURN NEW;'), 'BEFORE INSERT', true],
    [
      'a function that uses the whole row',
      fill('SELECT * INTO NEW FROM other(); RETURN NEW;'),
      'BEFORE INSERT',
      true,
    ],
    ['a function with another result', fill('RETURN changed;'), 'BEFORE INSERT', true],
    [
      'a function for another column',
      fill('NEW.changed := now(); -- a new row\nRETURN NEW;'),
      'BEFORE INSERT',
      false,
    ],
    ['no trigger, because it runs later', fill('NEW.owner := 1; RETURN NEW;'), 'AFTER INSERT', false],
  ])('is an error if a trigger may fill it: %s', (_, routine, moment, isError) => {
    const sql = `CREATE TABLE docs (id text PRIMARY KEY, owner text, changed text);
CREATE TRIGGER fill ${moment} ON docs FOR EACH ROW EXECUTE FUNCTION fill();\n${routine}`;
    const queries = ['SELECT id FROM docs WHERE owner = auth.user_id()'];
    const tests = `${users}rows: { docs: [{ id: d1 }] }\ntests:\n  - name: it\n    expect: { eve: { docs: none } }\n`;
    const problem = isError ? [expect.stringContaining('the source would compute one')] : [];
    expect(run({ sql, queries }, tests).problems).toEqual(problem);
    expect(run({ sql: `${sql} DROP TRIGGER fill ON docs;`, queries }, tests).problems).toEqual([]);
  });
});

describe('A value', () => {
  const sql = `CREATE TYPE mood AS ENUM ('glad', 'sad');
CREATE TABLE docs (id uuid PRIMARY KEY, owner text, n bigint, r real, shown boolean, tags text[], meta jsonb, price numeric(8,2),
  at timestamptz, day date, mood mood, code char(4), raw bytea, short varchar(3));`;
  const id = '11111111-aaaa-4aaa-8aaa-111111111111';

  test.each([
    ['a number in a text', 'owner: 5', "owner = '5'"],
    ['a text in a number', 'n: "7"', 'n = 7'],
    ['an integer in a real', 'r: 2', 'r = 2.0'],
    ['a word in a boolean', 'shown: "f"', 'NOT shown'],
    ['an array as PostgreSQL writes it', 'tags: "{a,\\"b c\\"}"', "'b c' IN tags"],
    ['a list', 'tags: [a, b]', "'b' IN tags"],
    ['a map', 'meta: { open: true }', "meta ->> 'open' = 1"],
    ['a price', 'price: 3', "price = '3.00'"],
    ['a moment with a zone', 'at: "2026-01-01T10:00:00.500+02:00"', "at = '2026-01-01T08:00:00.500000Z'"],
    ['a moment on a day', 'at: "2026-01-01"', "at < '2026-01-01T00:00:01Z'"],
    ['a date with a time', 'day: "2026-01-01 10:00"', "day = '2026-01-01'"],
    ['a padded text', 'code: ab', "code = 'ab  '"],
    ['a padded text with an emoji', 'code: 🐈', "code = '🐈   '"],
    ['a number with an exponent', 'price: "1e3"', "price = '1000.00'"],
    ['a rounded number', 'price: 0.005', "price = '0.01'"],
    ['a large integer without quotes', 'n: 9007199254740993', 'n = 9007199254740993'],
    ['ordered keys', `meta: '{"bb":1, "a":[2]}'`, `meta = '{"a": [2], "bb": 1}'`],
    ['blanks that exceed the length', 'short: "abc  "', "short = 'abc'"],
    ['a UUID in capitals', `id: ${id.toUpperCase()}`, `id = '${id}'`],
  ])('has its stored form: %s', (_, value, condition) => {
    const row = value.startsWith('id:') ? value : `id: ${id}, ${value}`;
    const tests = `${users}rows: { docs: [{ ${row} }] }\ntests:\n  - name: it\n    expect: { eve: { docs: [${id}] } }\n`;
    const { problems, failures } = run({ sql, queries: [`SELECT id FROM docs WHERE ${condition}`] }, tests);
    expect({ problems, failures }).toEqual({ problems: [], failures: [] });
  });

  test.each([
    ['n: many'],
    ['shown: maybe'],
    ['meta: "{"'],
    ['tags: a'],
    ['price: cheap'],
    ['r: fast'],
    ['mood: angry'],
    ['day: 5'],
    ['day: 2026-02-30'],
    ['at: soon'],
    ['short: long'],
    ['n: 9223372036854775808'],
    ['price: 1000000'],
    ['shown: { a: 1 }'],
    ['tags: { a: 1 }'],
    ['id: null'],
  ])('that the source cannot store is an error: %s', (value) => {
    const row = value.startsWith('id:') ? value : `id: ${id}, ${value}`;
    const tests = `${users}rows: { docs: [{ ${row} }] }\ntests:\n  - name: it\n    expect: { eve: nothing }\n`;
    const { problems, failures } = run(
      { sql, queries: ['SELECT id FROM docs WHERE owner = auth.user_id()'] },
      tests,
    );
    expect(problems.filter((problem) => problem.startsWith('test-unstorable-row'))).toHaveLength(1);
    expect(failures.length).toBeGreaterThan(0);
  });
});

test('A row of an SQL file that no database has run has its stored form', () => {
  const project: Project = {
    sql: 'CREATE TABLE docs (id text PRIMARY KEY, price numeric(8,2));',
    queries: ["SELECT id FROM docs WHERE price = '3.00'"],
  };
  const text = "INSERT INTO docs VALUES ('d1', 3);";
  const file = { path: 'a.sql', name: 'a.sql', content: { kind: 'text', text } } as const;
  const { catalog } = readSqlFiles([{ path: 'schema.sql', text: project.sql }]) ?? {};
  const seeds = readSeedFiles([file], catalog && { catalog }, '');
  const tests = `${users}rows: { from: a.sql }\ntests:\n  - name: it\n    expect: { eve: { docs: [d1] } }\n`;
  expect(run(project, tests, seeds).failures).toEqual([]);
});

describe('Rows that refer to a deleted row', () => {
  const project = (onDelete: string): Project => ({
    sql: `CREATE TABLE teams (id text PRIMARY KEY);
CREATE TABLE docs (id text PRIMARY KEY, owner text, team text REFERENCES teams (id)${onDelete});
CREATE TABLE notes (id text PRIMARY KEY, owner text, doc text);
ALTER TABLE notes ADD CONSTRAINT k FOREIGN KEY (doc) REFERENCES docs (id) ON UPDATE CASCADE ON DELETE CASCADE;`,
    queries: [
      'SELECT id FROM notes WHERE owner = auth.user_id()',
      'SELECT id FROM docs WHERE owner = auth.user_id() AND team IS NULL',
    ],
  });
  const tests = (expected: string) =>
    `${users}rows:\n  teams: [{ id: t1 }]\n  docs: [{ id: d1, owner: ada, team: t1 }]\n  notes: [{ id: n1, owner: ada, doc: d1 }]\ntests:\n  - name: it\n    steps:\n      - delete: { teams: [t1] }\n      - expect: { ada: ${expected} }\n`;

  test('are deleted by CASCADE, and so are the rows that refer to those', () => {
    expect(run(project(' ON DELETE CASCADE'), tests('nothing')).failures).toEqual([]);
  });

  test('get NULL by SET NULL', () => {
    expect(run(project(' ON DELETE SET NULL'), tests('{ notes: [n1], docs: [d1] }')).failures).toEqual([]);
  });

  test('otherwise keep the source from deleting it', () => {
    expect(run(project(''), tests('{ notes: [n1] }')).failures).toEqual([
      'The source would refuse this deletion, because docs d1 refers to the row. So this step deletes nothing.',
    ]);
  });
});

describe('A schema that a service reports without constraints', () => {
  const known = readServiceSchema({
    connections: [
      {
        tag: 'default',
        schemas: [
          {
            name: 'public',
            tables: [
              {
                name: 'docs',
                columns: ['id', 'owner', 'team'].map((name) => ({
                  name,
                  sqlite_type: 2,
                  internal_type: 'text',
                })),
              },
            ],
          },
        ],
      },
    ],
  })?.catalog;
  const project = { sql: '', queries: ["SELECT id FROM docs WHERE owner = auth.user_id() AND team = 'web'"] };

  test('leaves a missing value unknown, if it decides the result', () => {
    const tests = (row: string) =>
      `${users}rows: { docs: [${row}] }\ntests:\n  - name: it\n    expect: { ada: { docs: none } }\n`;
    expect(run(project, tests('{ id: d1, owner: ada }'), noSeeds, known).problems).toEqual([
      expect.stringContaining('does not contain its default'),
    ]);
    expect(run(project, tests('{ id: d1, owner: ada, team: null }'), noSeeds, known).problems).toEqual([]);
  });

  test('puts a counterexample in doubt', () => {
    const claim = `${users}always: [{ table: docs, holds: "team = 'app'" }]\n`;
    const { verdicts, reasons } = run(project, claim, noSeeds, known);
    expect(verdicts).toEqual(['refuted']);
    expect(reasons.at(-1)).toContain('does not contain the constraints of docs');
  });
});

describe('A deletion that the source refuses', () => {
  const sql = `CREATE TABLE teams (id text PRIMARY KEY);
CREATE TABLE docs (id text PRIMARY KEY, owner text, team text REFERENCES teams);
CREATE TABLE logs (id text PRIMARY KEY, owner text, team text REFERENCES teams ON DELETE CASCADE);`;
  const queries = [
    'SELECT id FROM logs WHERE owner = auth.user_id()',
    'SELECT id FROM docs WHERE owner = auth.user_id() AND team IN (SELECT id FROM teams)',
  ];

  test('leaves all rows for the later steps', () => {
    const tests = `${users}rows:\n  teams: [{ id: t1 }, { id: t2 }]\n  docs: [{ id: d1, owner: ada, team: t1 }]\n  logs: [{ id: l1, owner: ada, team: t1 }]\ntests:\n  - name: it\n    steps:\n      - delete: { teams: [t1] }\n      - expect: { ada: { docs: [d1], logs: [l1] } }\n      - delete: { docs: [d1] }\n      - delete: { teams: [t1] }\n      - expect: { ada: { docs: none, logs: none } }\n`;
    expect(run({ sql, queries }, tests).failures).toEqual([
      'The source would refuse this deletion, because docs d1 refers to the row. So this step deletes nothing.',
    ]);
  });
});

describe('A step on which a trigger runs', () => {
  const tables = `CREATE TABLE lists (id text PRIMARY KEY, name text, owner text);
CREATE TABLE members (id text PRIMARY KEY, list_id text, user_id text);
CREATE TABLE audit (id text PRIMARY KEY);`;
  const queries = [
    'SELECT id FROM lists WHERE owner = auth.user_id()',
    'SELECT lists.id FROM lists JOIN members ON members.list_id = lists.id WHERE members.user_id = auth.user_id()',
  ];
  const body = (code: string): string =>
    `CREATE FUNCTION react() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${code} RETURN NEW; END $$;`;
  const steps = (...written: readonly string[]): string =>
    `${users}rows: { lists: [{ id: l0, owner: ada }] }\ntests:\n  - name: it\n    rows: { lists: [{ id: l1, owner: ada }] }\n    steps:\n${written.map((each) => `      - ${each}\n`).join('')}      - expect: { eve: { lists: none } }\n`;
  const insert = 'insert: { lists: [{ id: l2, owner: ada }] }';
  const warningsIn = (trigger: string, routine: string, ...written: readonly string[]): readonly string[] =>
    run(
      {
        sql: `${tables}${routine}CREATE TRIGGER t ${trigger} ON lists FOR EACH ROW EXECUTE FUNCTION react();`,
        queries,
      },
      steps(...written),
    ).warnings;

  test.each([
    [
      'writes a table that decides',
      'AFTER INSERT',
      body('INSERT INTO members VALUES (1, NEW.id, NEW.owner);'),
      insert,
    ],
    [
      'does so through another function',
      'AFTER INSERT',
      `CREATE FUNCTION add(x text) RETURNS void LANGUAGE sql AS $$ INSERT INTO public.members VALUES (x) $$;${body('PERFORM add(NEW.id);')}`,
      insert,
    ],
    [
      'does so on an update',
      'AFTER UPDATE OF name',
      body('UPDATE "members" SET user_id = NEW.owner;'),
      'update: { lists: [{ id: l1, name: x }] }',
    ],
    [
      'does so on a deletion',
      'BEFORE DELETE',
      body('DELETE FROM ONLY members WHERE list_id = OLD.id;'),
      'delete: { lists: [l1] }',
    ],
  ])('is reported if it %s', (_, trigger, routine, step) => {
    const found = warningsIn(trigger, routine, step);
    expect(found).toEqual([expect.stringContaining('`t` may write rows of `members`')]);
    const inTest = 'insert: { members: [{ id: m1, list_id: l2, user_id: ada }] }';
    expect(warningsIn(trigger, routine, step, inTest)).toEqual([]);
  });

  test.each([
    ['is unknown', '', 'not known which rows it writes'],
    [
      'runs SQL that is made at run time',
      body("EXECUTE 'DELETE FROM ' || TG_TABLE_NAME;"),
      'not known which rows it writes',
    ],
    [
      'may refuse the step',
      body("IF NEW.name = 'x' THEN RAISE EXCEPTION 'no'; END IF;"),
      'may refuse this step',
    ],
  ])('is reported if its function %s', (_, routine, message) => {
    expect(warningsIn('AFTER INSERT', routine, insert)).toEqual([expect.stringContaining(message)]);
  });

  test.each([
    [
      'only writes other tables',
      'AFTER INSERT',
      body('INSERT INTO audit VALUES (NEW.id) ON CONFLICT (id) DO UPDATE SET id = 1;'),
      insert,
    ],
    ['returns NULL after the insert', 'AFTER INSERT', body('RETURN NULL;'), insert],
    ['runs on other events', 'AFTER UPDATE', body('DELETE FROM members;'), insert],
    ['only reports', 'BEFORE INSERT', body("RAISE NOTICE 'hello'; -- DELETE FROM members"), insert],
  ])('is not reported if it %s', (_, trigger, routine, step) => {
    expect(warningsIn(trigger, routine, step)).toEqual([]);
  });

  test('is reported if its function may skip the row', () => {
    expect(warningsIn('BEFORE INSERT', body('RETURN NULL;'), insert)).toEqual([
      expect.stringContaining('may refuse this step'),
    ]);
  });

  test('is not reported for the rows with which a test starts', () => {
    expect(warningsIn('AFTER INSERT', body('DELETE FROM members;'))).toEqual([]);
  });

  test('must name the columns that the trigger fills on an update, if they decide the result', () => {
    const sql = `${tables}${body('NEW.owner := current_user;')}CREATE TRIGGER t BEFORE UPDATE ON lists FOR EACH ROW EXECUTE FUNCTION react();`;
    const problemsOf = (row: string) => run({ sql, queries }, steps(`update: { lists: [${row}] }`)).problems;
    expect(problemsOf('{ id: l1, name: x }')).toEqual([
      expect.stringContaining('the source would compute one'),
    ]);
    expect(problemsOf('{ id: l1, name: x, owner: ada }')).toEqual([]);
    const touch = sql
      .replace(/CREATE FUNCTION.*?\$\$;/s, '')
      .replace('react()', "extensions.moddatetime('name')");
    expect(run({ sql: touch, queries }, steps('update: { lists: [{ id: l1, name: x }] }')).problems).toEqual(
      [],
    );
  });
});

describe('A key of several columns', () => {
  const project = (key: string): Project => ({
    sql: `CREATE TABLE teams (org text, code text, PRIMARY KEY (org, code));
CREATE TABLE docs (id text PRIMARY KEY, owner text, org text, code text);
ALTER TABLE docs ADD CONSTRAINT k ${key};`,
    queries: ['SELECT id FROM docs WHERE owner = auth.user_id()', 'SELECT code AS id FROM teams'],
  });
  const tests = (expected: string) =>
    `${users}rows:\n  teams: [{ org: o1, code: t1 }, { org: o2, code: t2 }]\n  docs:\n    - { id: d1, owner: ada, org: o1, code: t1 }\n    - { id: d2, owner: ada, org: o2, code: t1 }\ntests:\n  - name: it\n    steps:\n      - delete: { teams: [t1] }\n      - expect: { ada: ${expected} }\n`;

  test('deletes rows that agree in all of them', () => {
    const key = 'FOREIGN KEY (code, org) REFERENCES teams (code, org) ON DELETE CASCADE';
    expect(run(project(key), tests('{ docs: [d2] }')).failures).toEqual([]);
  });

  test('otherwise keeps the source from deleting the row', () => {
    const key = 'FOREIGN KEY (org, code) REFERENCES teams (org, code)';
    expect(run(project(key), tests('{ docs: [d1, d2] }')).failures).toEqual([
      'The source would refuse this deletion, because docs d1 refers to the row. So this step deletes nothing.',
    ]);
  });

  test('is forgotten when the constraint is dropped', () => {
    const key =
      'FOREIGN KEY (org, code) REFERENCES teams (org, code); ALTER TABLE docs DROP CONSTRAINT IF EXISTS k';
    expect(run(project(key), tests('{ docs: [d1, d2] }')).failures).toEqual([]);
  });
});

describe('A constraint that is dropped', () => {
  const sql = `CREATE TABLE teams (id text PRIMARY KEY);
CREATE TABLE docs (id text PRIMARY KEY, owner text, kind text CHECK (kind IN ('a', 'b')), team text CONSTRAINT t REFERENCES teams (id));`;
  const queries = ['SELECT id FROM docs WHERE owner = auth.user_id()'];
  const tests = `${users}rows: { teams: [{ id: t1 }], docs: [{ id: d1, owner: ada, kind: c, team: t1 }] }\ntests:\n  - name: it\n    steps: [{ delete: { teams: [t1] } }, { expect: { ada: { docs: [d1] } } }]\n`;

  test('no longer refuses rows, or deletions', () => {
    const dropped = `${sql} ALTER TABLE docs DROP CONSTRAINT docs_kind_check, DROP CONSTRAINT t;`;
    const before = run({ sql, queries }, tests);
    expect(before.problems).toHaveLength(1);
    expect(before.failures).toHaveLength(2);
    expect(run({ sql: dropped, queries }, tests)).toMatchObject({ problems: [], failures: [] });
  });

  test('lists no values if its condition continues', () => {
    const other = sql.replace("IN ('a', 'b')", "IN ('a', 'b') OR owner = 'ada'");
    expect(run({ sql: other, queries }, tests).problems).toEqual([]);
  });
});

describe('A claim is checked on the rows of tests', () => {
  test('but not on a row that the source would refuse', () => {
    const project: Project = {
      sql: "CREATE TABLE docs (id text PRIMARY KEY, kind text NOT NULL CHECK (kind IN ('a', 'b')));",
      queries: ['SELECT id, kind FROM docs'],
    };
    const tests = `${users}rows: { docs: [{ id: d1, kind: c }] }\ntests:\n  - name: it\n    expect: { eve: { docs: all } }\nalways:\n  - { name: c, table: docs, holds: "kind IN ('a', 'b')" }\n`;
    expect(run(project, tests).verdicts).toEqual(['proven']);
  });

  test('and is readable if SQLite reads the values that a column can have', () => {
    const project: Project = {
      sql: 'CREATE TABLE docs (id text PRIMARY KEY, tags text[] NOT NULL);',
      queries: ['SELECT id, tags FROM docs'],
    };
    const tests = `${users}rows: {}\ntests: []\nalways:\n  - { name: c, table: docs, holds: json_array_length(tags) >= 0 }\n  - { name: d, table: docs, holds: "json_array_length(tags, 1, 2) >= 0" }\n  - { name: e, table: docs, holds: json_type(tags) = 'array' }\n`;
    const { messages, verdicts } = run(project, tests);
    expect(verdicts).toEqual(['not refuted', 'not refuted', 'not refuted']);
    expect(messages).toEqual([expect.stringContaining('wrong number of arguments')]);
  });

  test('and its counterexample has rows that the source can have', () => {
    const project: Project = {
      sql: 'CREATE TABLE docs (id text PRIMARY KEY, flag char(2) NOT NULL, code varchar(3) NOT NULL, price numeric(8,2) NOT NULL);',
      queries: ["SELECT id, flag, code, price FROM docs WHERE price > '5'"],
    };
    const tests = `${users}rows: {}\ntests: []\nalways:\n  - { name: c, table: docs, holds: flag <> 'x' }\n  - { name: d, table: docs, holds: code = 'abc' }\n  - { name: e, table: docs, holds: price <> '5a' }\n  - { name: f, table: docs, holds: price <> '6.00' }\n`;
    expect(run(project, tests).verdicts).toEqual(['not refuted', 'refuted', 'not refuted', 'refuted']);
  });

  test('together with the rows that foreign keys require', () => {
    const project: Project = {
      sql: `CREATE TABLE teams (id text PRIMARY KEY);
CREATE TABLE docs (id text PRIMARY KEY, owner text, team text REFERENCES teams (id));`,
      queries: ['SELECT id FROM docs WHERE owner = auth.user_id() AND team IS NOT NULL'],
    };
    const tests = `${users}rows: { docs: [{ id: d1, owner: ada, team: t1 }] }\ntests:\n  - name: it\n    expect: { ada: { docs: [d1] } }\nalways:\n  - name: c\n    table: docs\n    holds: EXISTS (SELECT 1 FROM teams WHERE teams.id = docs.team)\n`;
    expect(run(project, tests).verdicts).toEqual(['not refuted']);
  });

  test('but not on a row that only has the same id as one on the device', () => {
    const project: Project = {
      sql: 'CREATE TABLE members (team bigint, member text NOT NULL, PRIMARY KEY (team, member));',
      queries: [
        'SELECT member AS id, team FROM members WHERE team IN (SELECT team FROM members WHERE member = auth.user_id())',
      ],
    };
    const tests = `${users}rows:\n  members: [{ team: 1, member: ada }, { team: 2, member: ada }, { team: 2, member: eve }]\ntests:\n  - name: it\n    expect: { eve: { members: [ada, eve] } }\nalways:\n  - name: c\n    table: members\n    holds: team IN (SELECT m.team FROM members m WHERE m.member = auth.user_id())\n`;
    const { failures, verdicts } = run(project, tests);
    expect({ failures, verdicts }).toEqual({ failures: [], verdicts: ['proven'] });
  });
});
