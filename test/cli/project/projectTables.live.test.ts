/**
 * Reports about the tables of a project never contradict the database that has run its scripts: neither those of the reader alone,
 * which works without a database, nor those of the command line and the editor, which run scripts that it cannot understand.
 */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DocumentDiagnosticReport } from 'vscode-languageserver';
import { tablesOfProject } from '../../../client/cli/project/projectTables.ts';
import { findSchemaFiles } from '../../../client/cli/project/schemaFiles.ts';
import { root } from '../../../scripts/root.ts';
import {
  analyze,
  type KnownSource,
  messageOf,
  type RunScripts,
  readScripts,
  readServiceSchema,
  type TablesOfScripts,
} from '../../../server/engine/index.ts';
import { diskFiles } from '../../../server/lsp/host/disk.ts';
import { bareHost } from '../../../server/lsp/host/host.ts';
import { openTablesOfScripts } from '../../../server/service/replication/rehearsal/tablesOfScripts.ts';
import { cliIn, configOf, wronglyMissing } from '../../support/cli/readTables.ts';
import { canPull, connectClient } from '../../support/editor/client.ts';
import { type Layout, layoutConfig } from '../../support/editor/layouts.ts';
import { missingNamesIn } from '../../support/editor/missing.ts';
import { unclearLayouts } from '../../support/editor/unclearLayouts.ts';
import { untilTrue } from '../../support/house/eventually.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-tables-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const runInDatabase = openTablesOfScripts();
const neverAborted = new AbortController().signal;

function write({ files, config }: Layout, text = layoutConfig): void {
  for (const [path, content] of Object.entries({ ...files, [config]: text })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Returns the tables as they were read, and as a database has them that runs the scripts. */
async function bothTables(config: string, text: string) {
  const world = await cliIn(folder);
  const found = await findSchemaFiles(configOf(text), config, world);
  const schema = found.paths.map((path) => ({ path: join(folder, path), name: path, folder }));
  const run = await runInDatabase(schema, neverAborted);
  const source = readServiceSchema(run?.answer);
  if (run === undefined || source === undefined) throw new Error('The scripts did not run.');
  return { read: readScripts(found.scripts), run: source };
}

function missingIn(text: string, source: KnownSource | undefined): readonly string[] {
  const { findings } = analyze(text, { ...source, kind: 'sync' });
  return missingNamesIn(findings.map((finding) => ({ code: finding.code, message: messageOf(finding) })));
}

const named = (list: readonly Layout[]) => list.map((layout) => [layout.name, layout] as const);

async function expectNoContradiction(layout: Layout): Promise<void> {
  const { read, run } = await bothTables(layout.config, layoutConfig);
  expect(run.catalog.tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['lists', 'todos']));
  expect(wronglyMissing(read, run)).toEqual([]);
}

/** `layouts.live.test.ts` asks the databases of services about layouts that the reader understands. */
describe('The reader contradicts no database', () => {
  test.each([
    ...readdirSync(join(root, 'test/fixtures/projects')).map((name) => `test/fixtures/projects/${name}`),
    ...['todo', 'team-chat', 'legacy-rules'].map((name) => `examples/${name}`),
  ])('in %s', async (path) => {
    cpSync(join(root, path), folder, { recursive: true });
    const config = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((each) => {
      if (!/\.ya?ml$/.test(each)) return false;
      return analyze(readFileSync(join(folder, each), 'utf8'), { fileName: each }).kind === 'sync';
    });
    if (config === undefined) return;
    const text = readFileSync(join(folder, config), 'utf8');
    const { scripts } = await findSchemaFiles(configOf(text), config, await cliIn(folder));
    if (scripts.length === 0) return;
    const { read, run } = await bothTables(config, text);
    expect(wronglyMissing(read, run)).toEqual([]);
  });
});

describe('The command line runs scripts that it cannot read', () => {
  // Both parts of this test have the same scripts, which run only once.
  test.each(named(unclearLayouts))(
    'and that its reader does not contradict, such as %s',
    async (_, layout) => {
      write(layout);
      await expectNoContradiction(layout);
      const without = await tablesOfProject(configOf(layoutConfig), layout.config, await cliIn(folder));
      expect(missingIn(layoutConfig, without)).toEqual([]);
      const tables = await tablesOfProject(
        configOf(layoutConfig),
        layout.config,
        await cliIn(folder, { runScripts: runInDatabase }),
      );
      expect(tables?.doubt).toBeUndefined();
      expect(missingIn(layoutConfig, tables)).toEqual([
        expect.stringContaining('`gone`'),
        expect.stringContaining('`nowhere`'),
      ]);
    },
  );

  test('and reports nothing as missing if a statement did not run', async () => {
    const sql = `CREATE TABLE lists (id uuid PRIMARY KEY, owner_id text, name text);
DO $$ BEGIN
  PERFORM postgis_full_version();
  CREATE TABLE nowhere (id uuid PRIMARY KEY);
END $$;
`;
    write({ name: '', config: 'sync.yaml', files: { 'db/1.sql': sql } });
    const tables = await tablesOfProject(
      configOf(layoutConfig),
      'sync.yaml',
      await cliIn(folder, { runScripts: runInDatabase }),
    );
    expect(missingIn(layoutConfig, tables)).toEqual([]);
    expect(tables?.doubt).toContain('db/1.sql:2');
  });

  test('once for the same texts', async () => {
    const [layout] = unclearLayouts;
    if (layout === undefined) throw new Error('There is no layout.');
    write(layout);
    const answers: (TablesOfScripts | undefined)[] = [];
    const run: RunScripts = async (schema, signal) => {
      const answer = await runInDatabase(schema, signal);
      answers.push(answer);
      return answer;
    };
    for (let times = 0; times < 2; times++)
      await tablesOfProject(configOf(layoutConfig), layout.config, await cliIn(folder, { runScripts: run }));
    expect(answers).toHaveLength(2);
    expect(answers[0]).toBe(answers[1]);
  });
});

test('the editor claims nothing until a database has run such scripts, and then the same as the command line', async () => {
  const [layout] = unclearLayouts;
  if (layout === undefined) throw new Error('There is no layout.');
  write(layout);
  const host = {
    ...bareHost,
    files: diskFiles,
    runScripts: (...args: Parameters<RunScripts>) => runInDatabase(...args),
  };
  const workspace = pathToFileURL(`${folder}/`).href;
  const client = await connectClient(canPull, { host, folders: [workspace] });
  const uri = new URL(layout.config, workspace).href;
  await client.open(uri, layoutConfig);
  const missing = async (): Promise<readonly string[]> => {
    const report: DocumentDiagnosticReport = await client.pull(uri);
    return report.kind === 'full' ? missingNamesIn(report.items as never) : [];
  };
  expect(await missing()).toEqual([]);
  await untilTrue(async () => (await missing()).length > 0);
  expect(await missing()).toEqual([expect.stringContaining('`gone`'), expect.stringContaining('`nowhere`')]);
  await client.dispose();
});
