/** Corrects a failing SQL statement while `headwater dev` is running. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../../../scripts/root.ts';
import { type RunningProcess, startProcess, until } from '../../support/processes/runningProcess.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-mending-')));
let dev: RunningProcess | undefined;

afterAll(async () => {
  dev?.child.kill('SIGTERM');
  await dev?.ended;
  rmSync(folder, { recursive: true, force: true });
});

test('dev runs the corrected statement, and no longer reports a problem', async () => {
  const query = 'SELECT id, title FROM todos';
  writeFileSync(
    join(folder, 'sync.yaml'),
    `config: { edition: 3 }
streams:
  todos: { auto_subscribe: true, query: "${query}" }
  never: { auto_subscribe: true, query: "SELECT id FROM lists WHERE owner = auth.user_id()" }
`,
  );
  const schema = (type: string) =>
    `CREATE TABLE lists (id text PRIMARY KEY, owner bigint);\nCREATE TABLE todos (id ${type} PRIMARY KEY, title text);\n`;
  writeFileSync(join(folder, 'schema.sql'), schema('tekst'));
  const running = startProcess(process.execPath, [join(root, 'dist/cli.js'), 'dev', '--port', '0'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '' },
  });
  dev = running;
  // This line is the last of those that are printed together.
  await until(running, () => running.out().includes('Correct these statements'));
  const [before] = running.out().split('is active');
  expect(before).toContain('sync.yaml:4:69 warning type-mismatch');
  expect(running.out()).not.toContain('unknown-table');
  expect(running.out()).toContain('(schema.sql:2): type "tekst" does not exist');
  writeFileSync(join(folder, 'schema.sql'), schema('text'));
  await until(running, () => /is active\.$/m.test(running.out()));
});
