/** The command line as it is shipped: the bundle, as a process, on real files. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { patient } from '../../scripts/run/patience.ts';
import { type CliProcess, copyCli } from '../support/cli/cliProcess.ts';

let cli: CliProcess;
const headwater = (...args: string[]) => cli.run(...args);

beforeAll(() => {
  cli = copyCli();
  const { folder } = cli;
  writeFileSync(join(folder, 'sync.yaml'), 'config: { edition: 3 }\nstreams: {}\n');
  writeFileSync(
    join(folder, 'wrong.yaml'),
    'config: { edition: 3 }\nstreams:\n  x: { priority: 4, query: SELECT * FROM t }\n',
  );
  writeFileSync(join(folder, 'service.yaml'), 'sync_config: { path: sync.yaml }\nport: high\n');
  mkdirSync(join(folder, 'folder.yaml'));
});

afterAll(() => cli.remove());

test('a config without errors ends with 0', () => {
  expect(headwater('validate', 'sync.yaml')).toEqual({
    status: 0,
    stdout: '0 errors, 0 warnings, 0 hints in 1 file\n',
    stderr: '',
  });
});

test('an error ends with 1, in both kinds of config', () => {
  const { status, stdout } = headwater('validate', 'wrong.yaml', 'service.yaml');
  expect(status).toBe(1);
  expect(stdout.split('\n').map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
    'wrong.yaml:3:18 error invalid-priority',
    '  3',
    '  ',
    'service.yaml:2:7 error service-wrong-type',
    '2 errors, 0',
    '',
  ]);
});

test('an unreadable file ends with 2, and --json is still one object', () => {
  const { status, stdout, stderr } = headwater('validate', '--json', 'folder.yaml', 'gone.yaml', 'sync.yaml');
  expect(status).toBe(2);
  expect(JSON.parse(stdout)).toEqual({
    files: [{ path: 'sync.yaml', kind: 'sync', diagnostics: [] }],
    unreadable: [
      { path: 'folder.yaml', message: 'Cannot read folder.yaml: it is a folder.' },
      { path: 'gone.yaml', message: 'Cannot read gone.yaml: there is no such file.' },
    ],
  });
  expect(stderr).toBe(
    'Cannot read folder.yaml: it is a folder.\nCannot read gone.yaml: there is no such file.\n',
  );
});

test('a wrong option ends with 2', () => {
  expect(headwater('validate', '--jsno')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'There is no option --jsno. Did you mean --json?\n',
  });
});

test('the exit code is that of the answer, though nobody reads it', () => {
  const ended = (file: string, redirected = '') => {
    const command = `"$0" "$1" validate ${file} ${redirected} | true; exit "\${PIPESTATUS[0]}"`;
    const args = ['-c', command, process.execPath, cli.program];
    return spawnSync('bash', args, { cwd: cli.folder, timeout: patient(60_000) }).status;
  };
  expect(ended('wrong.yaml')).toBe(1);
  expect(ended('sync.yaml')).toBe(0);
  expect(ended('gone.yaml', '2>&1')).toBe(2);
});

test('access tests run over the rows that are written in them', () => {
  const { folder } = cli;
  const config = (column: string) =>
    `config: { edition: 3 }\nstreams:\n  rooms: { auto_subscribe: true, query: SELECT * FROM rooms WHERE ${column} = auth.user_id() }\n`;
  writeFileSync(join(folder, 'rooms.yaml'), config('owner'));
  writeFileSync(
    join(folder, 'rooms.sync-test.yaml'),
    `config: rooms.yaml
users: { ada: { id: u1 }, eve: { id: u2 } }
rows: { rooms: [{ id: r1, owner: u1, seen_by: u2 }] }
tests: [{ name: own rooms, expect: { ada: { rooms: [r1] }, eve: nothing } }]
`,
  );
  const passed = headwater('test', 'rooms.sync-test.yaml');
  expect([passed.status, passed.stdout.split('\n')[2]]).toEqual([0, '1 test passed, 0 failed in 1 file']);
  writeFileSync(join(folder, 'rooms.yaml'), config('seen_by'));
  const failed = headwater('test', 'rooms.sync-test.yaml');
  expect([failed.status, failed.stdout]).toEqual([1, expect.stringContaining('eve gets rooms r1')]);
});
