/**
 * Projects in the layouts of different tools: the editor, the command line and the service find the same tables in each. The reader
 * never contradicts the database of the service.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openApi } from '../../../client/api/api.ts';
import { findRunning } from '../../../client/cli/project/running.ts';
import { findSchemaFiles } from '../../../client/cli/project/schemaFiles.ts';
import { run } from '../../../client/cli/run.ts';
import { root } from '../../../scripts/root.ts';
import { readScripts, readServiceSchema } from '../../../server/engine/index.ts';
import { cliIn, configOf, wronglyMissing } from '../../support/cli/readTables.ts';
import { type Layout, layoutConfig, layouts } from '../../support/editor/layouts.ts';
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
    env: { PATH: process.env.PATH ?? '', TMPDIR: tmpdir() },
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

/** Runs a command in this process. */
async function headwaterHere(...args: string[]): Promise<unknown> {
  const out: string[] = [];
  await run(args, await cliIn(folder, { print: (line) => out.push(line) }));
  return JSON.parse(out.join('\n'));
}

/** Starts `headwater dev` in a new folder with this layout. */
function startProject({ files, config }: Layout) {
  const all = { ...files, [config]: layoutConfig };
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-layout-')));
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { all, dev: start('dev', '--port', '0') };
}

/** Expects that the reader takes no table or column for missing that the database of the service has. */
async function expectNoContradiction({ config }: Layout): Promise<void> {
  const world = await cliIn(folder);
  const { url, secrets } = (await findRunning(world)) ?? expect.unreachable();
  const api = openApi({ url, token: secrets?.token });
  const source = readServiceSchema(await api.schema()) ?? expect.unreachable();
  await api.close();
  expect(source.catalog.tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['lists', 'todos']));
  const { scripts } = await findSchemaFiles(configOf(layoutConfig), config, world);
  expect(wronglyMissing(readScripts(scripts), source)).toEqual([]);
}

const tablesOf = (answer: unknown) => (answer as { readonly tables: unknown }).tables;

test.each(layouts.map((layout) => [layout.name, layout] as const))(
  'the editor, the command line and the service find the same tables with %s',
  async (_, layout) => {
    const { all, dev } = startProject(layout);
    const { config } = layout;
    const editor = await missingInEditor(all, config);
    expect(editor).toEqual([expect.stringContaining('gone'), expect.stringContaining('nowhere')]);
    expect(missingInAnswer(await headwaterHere('validate', '--json', config))).toEqual(editor);
    const schema = await headwaterHere('generate', 'schema', '--json');

    await until(dev, () => dev.out().includes('There is no table nowhere,'));
    expect(dev.out()).toMatch(
      /(?:No file here creates|The files that create the tables do not create) the table nowhere\./,
    );
    expect(dev.out()).toMatch(
      /is active, but there are problems:\n {2}There is no column gone .*\n {2}There is no table nowhere,/,
    );
    const served = await headwaterHere('generate', 'schema', '--json', '--schema', 'service');
    expect(tablesOf(served)).toEqual(tablesOf(schema));
    await expectNoContradiction(layout);
  },
);

/**
 * One layout is enough for commands in processes of their own, because these run the same code, and the tables and the config of the
 * service are the same for each layout.
 */
test('commands report the same missing tables and columns as the service', async () => {
  const [layout] = layouts;
  if (layout === undefined) throw new Error('There is no layout.');
  const { dev } = startProject(layout);
  await until(dev, () => dev.out().includes('There is no table nowhere,'));
  const validate = ['validate', '--json', layout.config];
  expect((await headwater(...validate)).answer).toEqual(await headwaterHere(...validate));
  for (const from of [[], ['--schema', 'service']]) {
    const generate = ['generate', 'schema', '--json', ...from];
    expect((await headwater(...generate)).answer).toEqual(await headwaterHere(...generate));
  }
  // These messages name the source, because the schema comes from its database.
  expect(
    missingInAnswer((await headwater('validate', '--json', '--schema', 'service', layout.config)).answer),
  ).toEqual(['`lists` has no column `gone`.', 'There is no table `nowhere` in the source.']);
  const status = await headwater('status', '--check', '--json');
  expect({ code: status.code, answer: status.answer }).toMatchObject({
    code: 1,
    answer: { missing: [{ table: 'lists', column: 'gone', readBy: ['lists'] }, { table: 'nowhere' }] },
  });
});
