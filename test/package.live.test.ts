/** What npm would publish, installed as a user does: into an empty folder, by an empty home, without a network. */
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { root } from '../scripts/root.ts';
import { patient } from '../scripts/run/patience.ts';
import { type RunningProcess, startProcess, until } from './support/processes/runningProcess.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-package-')));
const app = join(folder, 'app');
const env = {
  // Our Node before that of the system.
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  HOME: join(folder, 'home'),
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
};

interface PackedFile {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

let packed: PackedFile;

beforeAll(() => {
  for (const each of [app, env.HOME]) mkdirSync(each);
  [packed] = JSON.parse(run(root, 'npm', 'pack', '--json', '--pack-destination', folder).stdout) as [
    PackedFile,
  ];
  writeFileSync(join(app, 'package.json'), '{}');
  expect(run(app, 'npm', 'install', join(folder, packed.filename))).toMatchObject({ status: 0 });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(cwd: string, program: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env,
    encoding: 'utf8',
    timeout: patient(60_000),
  });
  return { status, stdout, stderr };
}

const npx = (...args: string[]) => run(app, 'npx', 'headwater', ...args);

describe('the package', () => {
  test('has the programs, the schemas and the database, and no sources', () => {
    const paths = packed.files.map(({ path }) => path).filter((path) => !path.startsWith('dist/pglite/'));
    expect(paths.toSorted()).toEqual(
      [
        ...['CHANGELOG.md', 'LICENSE', 'README.md', 'dist/THIRD-PARTY-NOTICES.txt', 'package.json'],
        ...['cli', 'cliAgents', 'cliOnDemand', 'database', 'seedRows', 'server', 'service'].map(
          (name) => `dist/${name}.js`,
        ),
        ...['console.css', 'console.js', 'index.html', 'layout.js'].map((name) => `dist/console/${name}`),
        ...globSync(['schemas/*.json', 'docs/{errors,rules}/*.md'], { cwd: root }),
      ].toSorted(),
    );
    const database = packed.files.filter(({ path }) => path.startsWith('dist/pglite/'));
    expect(database.map(({ path }) => path).toSorted()).toEqual(
      globSync('dist/pglite/*', { cwd: root }).toSorted(),
    );
  });

  test('brings nothing else along', () => {
    expect(globSync('node_modules/*', { cwd: app })).toEqual(['node_modules/headwater']);
  });
});

test('npx runs it', () => {
  expect(npx('--version')).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: '' });
});

test('a new project is valid, and is served and deployed', async () => {
  expect(npx('init', '--json')).toMatchObject({ status: 0 });
  expect(npx('validate', '--quiet', '--schema', 'schema.sql')).toMatchObject({ status: 0 });
  const dev = start('dev', '--port', '0');
  await until(dev, () => dev.out().includes('is active'));
  const url = /http:\S+/.exec(dev.out())?.[0] ?? '';
  expect(npx('probe', '--service', url)).toMatchObject({ status: 0 });
  dev.child.kill('SIGINT');
  expect(await dev.ended).toBe(0);
  expect(npx('probe', '--service', url)).toMatchObject({ status: 1 });
  // On a busy machine, the database takes its time.
});

test('the service runs without a project', async () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const serve = start('serve', '--port', '0', '--config', emptyConfig(empty));
  await until(serve, () => serve.out().includes('ready at'));
  serve.child.kill('SIGTERM');
  expect(await serve.ended).toBe(0);
});

function emptyConfig(parent: string): string {
  const path = join(parent, 'service.yaml');
  writeFileSync(path, '');
  return path;
}

/** Without npx, which would keep its signals from us. */
function start(...args: string[]): RunningProcess {
  return startProcess(join(app, 'node_modules/.bin/headwater'), args, { cwd: app, env });
}
