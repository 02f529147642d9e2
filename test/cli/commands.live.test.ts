/** Runs each command that needs no service, as a process. */
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../client/cli/index.ts';
import { type CliProcess, copyCli, type ProcessResult } from '../support/cli/cliProcess.ts';

let cli: CliProcess;
const headwater = (...args: string[]) => cli.run(...args);
const inFolder = (name: string): string => join(cli.folder, name);

beforeAll(() => {
  cli = copyCli();
  writeFileSync(
    inFolder('wrong.yaml'),
    'config: { edition: 3 }\nstreams:\n  x: { priority: 4, query: SELECT * FROM t }\n',
  );
});

afterAll(() => cli.remove());

describe('every command', () => {
  test.each(commands.map(({ name }) => name))('%s shows its help with an example', (name) => {
    const { status, stdout, stderr } = headwater(...name.split(' '), '--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(`Usage: headwater ${name}`);
    expect(stdout).toMatch(new RegExp(`Examples?:\\n {2}headwater ${name}`));
  });
});

describe('every command that is misused with --json', () => {
  test.each(commands.map(({ name }) => name))('%s prints the error as valid JSON', (name) => {
    const { status, stdout, stderr } = headwater(...name.split(' '), '--nonsense', '--json');
    expect(status).toBe(2);
    expect(JSON.parse(stdout)).toEqual({ error: { message: stderr.trimEnd() } });
  });
});

describe('a new project', () => {
  const inProject = (name: string): string => join(cli.folder, 'project', name);
  const inside = (...args: string[]) => cli.runIn(inProject('.'), ...args);

  test('is written by init, which changes nothing when it runs again', () => {
    const first = headwater('init', 'project', '--json');
    expect(JSON.parse(first.stdout)).toEqual({
      created: [
        ...['service.yaml', 'sync.yaml', 'schema.sql', 'access.sync-test.yaml'],
        ...['.env', '.gitignore'],
      ].map((name) => `project/${name}`),
      changed: [],
      kept: [],
      advice: [],
    });
    const before = readFileSync(inProject('.env'), 'utf8');
    expect(JSON.parse(headwater('init', 'project', '--json').stdout)).toMatchObject({ created: [] });
    expect(readFileSync(inProject('.env'), 'utf8')).toBe(before);
  });

  test('has formatted configs without problems', () => {
    expect(inside('validate', '--schema', 'schema.sql').stdout).toBe(
      '0 errors, 0 warnings, 0 hints in 2 files\n',
    );
    expect(inside('format', '--check')).toEqual({
      status: 0,
      stdout: 'All 2 files are already formatted\n',
      stderr: '',
    });
  });

  test('signs tokens for its clients, and prints nothing else', () => {
    const { status, stdout, stderr } = inside('generate', 'token', '--subject', 'ada');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [head = '', claims = '', signature] = stdout.trim().split('.');
    const decode = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(decode(head)).toEqual({ alg: 'HS256', kid: 'dev', typ: 'JWT' });
    expect(decode(claims)).toMatchObject({ sub: 'ada', aud: ['headwater'] });
    const key = /PS_JWT_SECRET_B64URL=(.*)/.exec(readFileSync(inProject('.env'), 'utf8'))?.[1] ?? '';
    const mac = createHmac('sha256', Buffer.from(key, 'base64url')).update(`${head}.${claims}`);
    expect(signature).toBe(mac.digest('base64url'));
  });

  test('refuses tokens that the service would refuse', () => {
    expect(inside('generate', 'token', '--subject', 'ada', '--expires-in-seconds', '86401')).toEqual({
      status: 2,
      stdout: '',
      stderr: '--expires-in-seconds must be a number from 1 to 86400, not 86401.\n',
    });
  });

  test('has a schema for its clients', () => {
    expect(inside('generate', 'schema', '--schema', 'schema.sql').stdout).toContain(
      'const todos = new Table({\n  list_id: column.text,\n  description: column.text,\n  completed: column.integer,\n});',
    );
  });

  test('shows the bucket that a row goes to, or why it is not synced', () => {
    const row = '{"id":"1","owner_id":"ada","name":"x"}';
    expect(inside('explain', 'row', '--table', 'lists', '--row', row)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('goes to bucket lists|0["ada"], as lists {"id":"1","name":"x"}'),
    });
    const nowhere = inside('explain', 'row', '--table', 'lists', '--row', '{"id":"1"}');
    expect(nowhere).toMatchObject({ status: 1, stdout: expect.stringContaining('lists.owner_id is NULL') });
  });

  test('shows the rows that a client would get', () => {
    const rows = JSON.stringify({
      lists: [
        { id: 'l1', owner_id: 'ada', name: 'x' },
        { id: 'l2', owner_id: 'bob', name: 'y' },
      ],
      todos: [{ id: 't1', list_id: 'l1', description: 'd', completed: true }],
    });
    const asked = ['--user', 'ada', '--rows', rows, '--subscribe', 'todos={"list_id":"l1"}'];
    const { status, stdout } = inside('preview', '--json', ...asked);
    expect(status).toBe(0);
    const { buckets } = JSON.parse(stdout) as { buckets: { bucket: string; rows: { id: string }[] }[] };
    expect(buckets.map((each) => [each.bucket, each.rows.map(({ id }) => id)])).toEqual([
      ['lists|0["ada"]', ['l1']],
      ['todos|0["l1"]', ['t1']],
    ]);
  });
});

test('migrate turns bucket definitions into streams, and changes the file only with --write', () => {
  const old = 'bucket_definitions:\n  mine:\n    data: ["SELECT id, name FROM lists"]\n';
  writeFileSync(inFolder('old.yaml'), old);
  expect(headwater('migrate', 'old.yaml').stdout).toContain('streams:\n  mine:');
  expect(readFileSync(inFolder('old.yaml'), 'utf8')).toBe(old);
  expect(headwater('migrate', '--write', 'old.yaml').stdout).toBe('Wrote old.yaml.\n');
  expect(readFileSync(inFolder('old.yaml'), 'utf8')).toContain('edition: 3');
  expect(headwater('migrate', 'wrong.yaml', '--json')).toMatchObject({ status: 0 });
});

test('format formats a file that format --check reports', () => {
  writeFileSync(
    inFolder('ugly.yaml'),
    '\ufeffconfig: { edition: 3 }\nstreams:\n  x:\n    query: select  id FROM t\n',
  );
  expect(headwater('format', '--check', 'ugly.yaml')).toMatchObject({ status: 1 });
  expect(headwater('format', 'ugly.yaml')).toMatchObject({ status: 0, stdout: 'ugly.yaml was formatted\n' });
  expect(readFileSync(inFolder('ugly.yaml'), 'utf8')).toBe(
    '\ufeffconfig: { edition: 3 }\nstreams:\n  x:\n    query: SELECT id FROM t\n',
  );
});

test("errors repeat the user's words, or name the next step", () => {
  writeFileSync(inFolder('foo.yaml'), 'foo: 1\n');
  expect(headwater('validate', 'foo.yaml').stdout).toMatch(
    /^foo.yaml:1:1 error no-config .*\n[\s\S]*1 error, .* in 1 file\n$/,
  );
  const sarif = headwater('validate', '--json', '--format', 'sarif', 'foo.yaml');
  expect(JSON.parse(sarif.stdout)).toMatchObject({
    runs: [{ tool: { driver: { rules: [{ id: 'no-config', shortDescription: {}, help: {} }] } } }],
  });
  expect(headwater('validate', '--json', '--format', 'github', 'foo.yaml')).toMatchObject({ status: 2 });
  expect(headwater('status', '--directory', 'nope').stderr).toBe('There is no folder nope.\n');
  writeFileSync(
    inFolder('lists.yaml'),
    'config: { edition: 3 }\nstreams:\n  a: { query: SELECT id FROM lists }\n',
  );
  const explained = headwater('explain', 'row', '--table', 'list', '--row', '{"id":"1"}', 'lists.yaml');
  expect(explained.stdout).toContain('Did you mean lists?');
  expect(headwater('preview', '--user', 'ada', 'lists.yaml').stdout).toContain('--rows');
  mkdirSync(inFolder('empty'));
  expect(headwater('validate', 'empty').stderr).toContain('headwater init');
});

describe('completion', () => {
  test('for bash offers commands, options and their values', () => {
    const script = headwater('completion', 'bash').stdout;
    const complete = (...words: string[]) => {
      const list = words.map((word) => `'${word}'`).join(' ');
      const line = `${script}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _headwater; echo "\${COMPREPLY[@]}"`;
      return spawnSync('bash', ['--norc', '-c', line], { encoding: 'utf8' }).stdout.trim();
    };
    expect(complete('headwater', 'val')).toBe('validate');
    expect(complete('headwater', 'generate', '')).toBe('schema token');
    expect(complete('headwater', 'validate', '--sch')).toBe('--schema');
    expect(complete('headwater', 'validate', '--format', 's')).toBe('sarif');
    expect(complete('headwater', 'completion', '')).toBe('bash zsh fish');
  });

  test.each(['zsh', 'fish'])('for %s names every command', (shell) => {
    const { status, stdout } = headwater('completion', shell);
    expect(status).toBe(0);
    for (const { name } of commands) expect(stdout).toContain(name.split(' ').at(-1));
  });

  test('for fish offers each first word once', () => {
    const { stdout } = headwater('completion', 'fish');
    const firstWords = stdout
      .split('\n')
      .flatMap((line) => /__fish_use_subcommand -a (\w+)/.exec(line)?.[1] ?? []);
    expect(firstWords.toSorted()).toEqual(
      [...new Set(commands.map(({ name }) => name.split(' ')[0]))].toSorted(),
    );
  });
});

test('an unreachable service is reported as such, also as JSON', () => {
  const { status, stdout } = headwater('status', '--service', 'http://127.0.0.1:9', '--json');
  expect(status).toBe(2);
  expect(JSON.parse(stdout)).toEqual({
    error: {
      kind: 'unreachable',
      message: 'http://127.0.0.1:9 cannot be reached: nothing listens there. Is the service running?',
    },
  });
});

/** Commands whose exit code and output are all that has to be checked. */
const runs: readonly (readonly [does: string, run: () => ProcessResult, end: Partial<ProcessResult>])[] = [
  [
    'a probe without an answer exits with 1 after all tries',
    () => headwater('probe', '--service', 'http://127.0.0.1:9', '--retries', '2', '--interval', '0.01'),
    { status: 1, stdout: '127.0.0.1:9 cannot be reached.\n' },
  ],
];

test.each(runs)('%s', (_, run, end) => expect(run()).toMatchObject(end));
