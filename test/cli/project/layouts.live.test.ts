/** Projects as different tools lay them out: the editor, the command line and the service know the same of each. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { root } from '../../../scripts/root.ts';
import { layoutConfig, layouts } from '../../support/editor/layouts.ts';
import { missingInAnswer, missingInEditor } from '../../support/editor/missing.ts';
import { type RunningProcess, startProcess, until } from '../../support/processes/runningProcess.ts';

let folder = '';
const started: RunningProcess[] = [];

afterEach(async () => {
  for (const { child } of started) child.kill('SIGTERM');
  await Promise.all(started.splice(0).map(({ ended }) => ended));
  rmSync(folder, { recursive: true, force: true });
});

function start(...args: string[]): RunningProcess {
  const program = join(root, 'dist/cli.js');
  const running = startProcess(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '' },
  });
  started.push(running);
  return running;
}

async function headwater(
  ...args: string[]
): Promise<{ readonly code: number | null; readonly answer: unknown }> {
  const running = start(...args);
  const code = await running.ended;
  return { code, answer: JSON.parse(running.out()) };
}

test.each(layouts.map((layout) => [layout.name, layout] as const))('of %s', async (_, { files, config }) => {
  const all = { ...files, [config]: layoutConfig };
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-layout-')));
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const dev = start('dev', '--port', '0');
  const editor = await missingInEditor(all, config);
  expect(editor).toEqual([expect.stringContaining('gone'), expect.stringContaining('nowhere')]);
  expect(missingInAnswer((await headwater('validate', '--json', config)).answer)).toEqual(editor);
  const schema = await headwater('generate', 'schema', '--json');

  await until(dev, () => dev.out().includes('There is no table nowhere,'));
  expect(dev.out()).toContain('No file here makes the table nowhere.');
  expect(dev.out()).toMatch(
    /is active, but not all is well:\n {2}There is no column gone .*\n {2}There is no table nowhere,/,
  );
  // A database has said it.
  expect(
    missingInAnswer((await headwater('validate', '--json', '--schema', 'service', config)).answer),
  ).toEqual(['`lists` has no column `gone`.', 'There is no table `nowhere` in the source.']);
  const served = await headwater('generate', 'schema', '--json', '--schema', 'service');
  const tablesOf = ({ answer }: typeof served) => (answer as { readonly tables: unknown }).tables;
  expect(tablesOf(served)).toEqual(tablesOf(schema));
  const status = await headwater('status', '--check', '--json');
  expect({ code: status.code, answer: status.answer }).toMatchObject({
    code: 1,
    answer: { missing: [{ table: 'lists', column: 'gone', readBy: ['lists'] }, { table: 'nowhere' }] },
  });
});
