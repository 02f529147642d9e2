import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run as runCommand } from '../../client/cli/run.ts';
import type { RunSeeds, SeedQuestion } from '../../server/engine/index.ts';
import { cliWorld, headwater } from '../support/cli/cliWorld.ts';
import { roomsConfig } from '../support/engine/accessTests.ts';
import { root } from '../support/house/imports.ts';

const tests = `config: sync.yaml
users: { ada: { id: u1, claims: { org: acme } } }
rows: { rooms: [{ id: r1, org: acme }] }
tests:
  - { name: own rooms, expect: { ada: { rooms: [r1] } } }
  - { name: no rooms, expect: { ada: { rooms: none } } }
`;
const files = { 'sync.yaml': roomsConfig, 'rooms.sync-test.yaml': tests };
const passing = { ...files, 'rooms.sync-test.yaml': tests.replace(/.*no rooms.*\n/, '') };

const run = (args: readonly string[], given: Record<string, string> = files) =>
  headwater(['test', ...args], { files: given });

describe('headwater test', () => {
  test('shows which test fails, where, and why', async () => {
    const { code, out } = await run([]);
    expect(code).toBe(1);
    expect(out).toEqual([
      'rooms.sync-test.yaml',
      '  passed  own rooms',
      '  failed  no rooms',
      '    rooms.sync-test.yaml:6:47 ada gets rooms r1, which is not expected.',
      '      expected none',
      '      has      [r1]',
      '      The stream rooms sends this row. The row is in the bucket rooms|0["acme"], which the user gets. (sync.yaml:6:32)',
      '1 test passed, 1 failed in 1 file',
    ]);
  });

  test('exits with 0 if all tests pass, and with 1 if a name is wrong', async () => {
    expect((await run([], passing)).code).toBe(0);
    const wrong = {
      ...passing,
      'rooms.sync-test.yaml': passing['rooms.sync-test.yaml'].replace(
        'own rooms, expect: { ada',
        'own rooms, expect: { ida',
      ),
    };
    expect((await run([], wrong)).code).toBe(1);
  });

  test.each([
    ['there is no such config', { 'rooms.sync-test.yaml': tests }, 'test-no-config'],
    [
      'the config has errors',
      { ...files, 'sync.yaml': roomsConfig.replace('auth.parameter', 'auth.nothing') },
      'test-no-config',
    ],
    ['it is not a config', { ...files, 'sync.yaml': 'a: 1\n' }, 'test-no-config'],
  ])('exits with 2 if %s', async (_, given, said) => {
    const { code, out } = await run([], given);
    expect(code).toBe(2);
    expect(out.join('\n')).toContain(said);
  });

  test('exits with 2 if there are no tests, or no such file', async () => {
    expect((await run([], { 'sync.yaml': roomsConfig })).code).toBe(2);
    expect((await run(['gone.sync-test.yaml'])).code).toBe(2);
  });

  test('runs only the tests that --filter matches', async () => {
    expect((await run(['--filter', 'own'])).code).toBe(0);
  });

  test.each(['github', 'junit', 'json'])('writes %s', async (format) => {
    const { out } = await run(['--format', format]);
    expect(out.join('\n')).toMatchSnapshot();
  });

  test('writes coverage as text, and for lcov', async () => {
    expect((await run(['--coverage', 'text'], passing)).out.slice(-6)).toMatchSnapshot();
    expect((await run(['--coverage', 'lcov'], passing)).out).toMatchSnapshot();
  });

  test('with --update fills in empty expectations, and changes nothing else', async () => {
    const empty = { ...files, 'rooms.sync-test.yaml': tests.replace('{ ada: { rooms: none } }', '{}') };
    const { code, files: after, err } = await run(['--update'], empty);
    expect(code).toBe(0);
    expect(after['rooms.sync-test.yaml']).toBe(
      tests.replace('{ ada: { rooms: none } }', '{ ada: { rooms: [r1] } }'),
    );
    expect(err.join('\n')).toContain('they record what users get, not what users should get');
  });

  test('reads rows and tables from SQL files', async () => {
    const { code } = await run([], {
      ...files,
      'seed.sql': "create table rooms (id text, org text); insert into rooms values ('r1', 'acme');",
      'rooms.sync-test.yaml': tests
        .replace(/rows:.*/, 'schema: seed.sql\nrows: { from: seed.sql }')
        .replace(/.*no rooms.*\n/, ''),
    });
    expect(code).toBe(0);
  });

  const seeded = {
    ...files,
    'db/schema.sql': 'create table rooms (id text primary key, org text);',
    'seed.sql': "insert into rooms select 'r1', lower('ACME');",
    'rooms.sync-test.yaml': tests
      .replace(/rows:.*/, 'rows: { from: seed.sql }')
      .replace(/.*no rooms.*\n/, ''),
  };
  const seedRows: RunSeeds = async () => ({
    tables: [{ schema: 'public', name: 'rooms', rows: [{ id: 'r1', org: 'acme' }] }],
    refused: [],
  });

  test('runs SQL files in a database with the tables of the project', async () => {
    const questions: SeedQuestion[] = [];
    const runSeeds: RunSeeds = async (question, signal) => {
      questions.push(question);
      return seedRows(question, signal);
    };
    const { code, out } = await headwater(['test', '--json'], { files: seeded, world: { runSeeds } });
    expect(code).toBe(0);
    expect(JSON.parse(out.join('\n')).files[0].from).toEqual({ kind: 'run', rows: 1 });
    expect(questions).toMatchObject([
      {
        schema: [{ path: resolve('/project/db'), name: 'db', folder: resolve('/project') }],
        seeds: [{ name: 'seed.sql', text: seeded['seed.sql'] }],
      },
    ]);
  });

  test.each([
    ['is missing', 'gone.sql', 'the file does not exist'],
    ['is a folder', 'db', 'the file does not exist'],
    ['is outside of the project', '../secrets.sql', 'the file is outside the project'],
    ['is elsewhere on the disk', '/etc/passwd', 'the file is outside the project'],
  ])('reports that a file of rows %s, and runs the tests', async (_, path, reason) => {
    const asked: string[] = [];
    const runSeeds: RunSeeds = async (question, signal) => {
      asked.push(...question.seeds.map(({ name }) => name));
      return seedRows(question, signal);
    };
    const { code, out } = await headwater(['test'], {
      files: {
        ...seeded,
        '/secrets.sql': 'secret',
        '/etc/passwd': 'secret',
        'rooms.sync-test.yaml': seeded['rooms.sync-test.yaml'].replace('seed.sql', path),
      },
      world: { runSeeds },
    });
    expect(code).toBe(1);
    expect(out.join('\n')).toContain(`The rows of \`${path}\` cannot be read: ${reason}`);
    expect(out.join('\n')).toContain('own rooms');
    expect(asked).toEqual([]);
  });

  test('runs again when a file changes, until Ctrl-C', async () => {
    const stop = new AbortController();
    const given = new Map<string, string | Error>(Object.entries(passing));
    const watched: string[] = [];
    let runs = 0;
    const out: string[] = [];
    const world = cliWorld({}, given, out, []);
    const code = await runCommand(['test', '--watch'], {
      ...world,
      signal: stop.signal,
      pause: async () => {
        runs += 1;
        if (runs === 1) given.set('rooms.sync-test.yaml', tests);
        else stop.abort(new Error('Ctrl-C'));
        stop.signal.throwIfAborted();
      },
      files: {
        ...world.files,
        watch: (path, changed) => {
          watched.push(path);
          queueMicrotask(changed);
          return () => {};
        },
      },
    });
    expect(code).toBe(130);
    expect(new Set(watched)).toEqual(new Set(['rooms.sync-test.yaml', 'sync.yaml']));
    expect(out.filter((line) => / in 1 file$/.test(line))).toEqual([
      '1 test passed, 0 failed in 1 file',
      '1 test passed, 1 failed in 1 file',
    ]);
  });
});

test.each(['todo', 'team-chat'])('The tests of the example %s pass without warnings', async (name) => {
  const folder = join(root, 'examples', name);
  const given = Object.fromEntries(
    readdirSync(folder)
      .filter((file) => /\.(?:sql|yaml)$/.test(file))
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );
  const { code, out } = await run(['--format', 'json'], given);
  const { files: results } = JSON.parse(out.join('\n'));
  expect(results.flatMap(({ diagnostics }: { diagnostics: unknown[] }) => diagnostics)).toEqual([]);
  expect(code).toBe(0);
});

describe('A claim', () => {
  const claims = `config: sync.yaml
users: { ada: { id: u1, claims: { org: acme } } }
rows: { rooms: [{ id: r1, org: acme, open: true }] }
tests: [{ name: own rooms, expect: { ada: { rooms: [r1] } } }]
always: [{ name: it, table: rooms, holds: "CLAIM" }]
`;
  const runClaim = (holds: string) =>
    run([], { 'sync.yaml': roomsConfig, 'rooms.sync-test.yaml': claims.replace('CLAIM', holds) });

  test('that always holds passes, and the line shows how it was proven', async () => {
    const { code, out } = await runClaim("org = auth.parameter('org')");
    expect([code, out[2]]).toEqual([
      0,
      '  passed  it (proven: 2 databases of up to 1 row represent all others)',
    ]);
  });

  test('that names something unknown fails', async () => {
    const { code, out } = await runClaim('org = auth.userid()');
    expect([code, out.slice(-3)]).toEqual([
      1,
      [
        '  failed  it',
        '    rooms.sync-test.yaml:5:43 There is no function `auth.userid`. Did you mean `auth.user_id`?',
        '1 test passed, 1 failed in 1 file',
      ],
    ]);
  });

  test('is reported as not refuted if there is no time for a search', async () => {
    const files = {
      'sync.yaml': roomsConfig,
      'rooms.sync-test.yaml': claims.replace('CLAIM', 'id IS NOT NULL'),
    };
    expect((await run(['--search', '0'], files)).out[2]).toBe(
      '  not refuted  it (not searched; no proof because of the time limit of the search)',
    );
  });

  test('that no test contradicts can fail with a counterexample, written as a test', async () => {
    const { code, out } = await runClaim("org = 'acme'");
    expect(code).toBe(1);
    expect(out.slice(2)).toMatchSnapshot();
  });

  test('that a row of a test contradicts names the test', async () => {
    const { out } = await runClaim('open = 0');
    expect(out.join('\n')).toContain(
      'The claim does not hold for rooms r1, which ada gets in the test "own rooms".',
    );
  });

  test('is checked on the rows of tests whose id column has another name', async () => {
    const { out } = await run([], {
      'sync.yaml':
        'config: { edition: 3 }\nstreams:\n  rooms: { auto_subscribe: true, query: "SELECT code AS id, org FROM rooms" }\n',
      'rooms.sync-test.yaml': claims
        .replace('CLAIM', "org = 'none'")
        .replace('{ id: r1, org', '{ code: r1, org'),
    });
    expect(out.join('\n')).toContain(
      'The claim does not hold for rooms r1, which ada gets in the test "own rooms".',
    );
  });

  test('that SQLite cannot parse is reported at its place, and the tests are run', async () => {
    const { code, out } = await runClaim('org = = 1');
    expect(code).toBe(1);
    expect(out.join('\n')).toContain(
      'This is not a condition that SQLite can check: near "=": syntax error.',
    );
    expect(out).toContain('  passed  own rooms');
    expect(out.join('\n')).toContain('rooms.sync-test.yaml:5:43 This is not a condition');
  });

  test('that is always false fails with the smallest possible database', async () => {
    const { code, out } = await run([], {
      'sync.yaml': roomsConfig,
      'rooms.sync-test.yaml': claims.replace('CLAIM', 'false').replace(/(?:rows|tests):.*\n/g, ''),
    });
    expect(code).toBe(1);
    expect(out.join('\n')).toContain(
      'The stream rooms sends a row of rooms for which the claim does not hold',
    );
  });

  test('reports that it was not checked on the rows of very large tests', async () => {
    const rows = Array.from({ length: 2_001 }, (_, at) => `{ id: x${at}, org: acme }`).join(', ');
    const { code, out } = await run([], {
      'sync.yaml': roomsConfig,
      'rooms.sync-test.yaml': claims
        .replace('CLAIM', "org = auth.parameter('org')")
        .replace('{ rooms: [r1] }', '{ rooms: all }')
        .replace('{ id: r1, org: acme, open: true }', rows),
    });
    expect(code).toBe(0);
    expect(out.join('\n')).toContain('; tests with more than 2,000 rows were not checked)');
  });
});
