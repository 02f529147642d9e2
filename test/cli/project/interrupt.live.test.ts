/** Presses Ctrl-C while `headwater dev` creates its database for the first time, which takes seconds. */
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../../../scripts/root.ts';
import { untilTrue } from '../../support/house/eventually.ts';
import { type RunningProcess, startProcess, until } from '../../support/processes/runningProcess.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-interrupt-')));
const making = join(folder, '.headwater/source/headwater.making');
const started: RunningProcess[] = [];

function dev(): RunningProcess {
  const args = [join(root, 'dist/cli.js'), 'dev', '--port', '0'];
  const running = startProcess(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '' },
  });
  started.push(running);
  return running;
}

afterAll(async () => {
  for (const { child } of started) child.kill('SIGTERM');
  await Promise.all(started.map(({ ended }) => ended));
  rmSync(folder, { recursive: true, force: true });
});

test('Ctrl-C interrupts the creation of the database, and the next start creates it again', async () => {
  const query = 'SELECT * FROM todos';
  writeFileSync(
    join(folder, 'sync.yaml'),
    `config: { edition: 3 }\nstreams: { todos: { auto_subscribe: true, query: ${query} } }\n`,
  );
  writeFileSync(join(folder, 'schema.sql'), 'CREATE TABLE todos (id text PRIMARY KEY, title text);\n');
  const first = dev();
  await untilTrue(() => existsSync(making));
  first.child.kill('SIGINT');
  await first.ended;
  expect(existsSync(making)).toBe(true);
  const second = dev();
  await until(second, () => second.out().includes('is active'));
  expect(existsSync(making)).toBe(false);
});
