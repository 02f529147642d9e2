/** The npm package, installed as a user does: into an empty folder, by an empty home, without a network. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageName } from '../client/cli/init/packageName.ts';
import manifest from '../package.json' with { type: 'json' };
import { makeTarball, tarballPath } from '../scripts/bundles/tarball.ts';
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

const page = readFileSync(join(root, 'docs/CI.md'), 'utf8');

let packed: readonly string[] = [];

beforeAll(() => {
  for (const each of [app, env.HOME]) mkdirSync(each);
  packed = makeTarball();
  copyFileSync(tarballPath(), join(app, basename(tarballPath())));
  writeFileSync(join(app, 'package.json'), '{}');
  const [, install = ''] = /^```sh\n(npm install .*)\n```$/m.exec(page) ?? [];
  expect(run(app, 'sh', '-c', install)).toMatchObject({ status: 0 });
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

const program = join(app, 'node_modules/.bin/headwater');
const headwater = (...args: string[]) => run(app, program, ...args);

describe('the package', () => {
  test('has the programs, the schemas and the database, and no sources', () => {
    const paths = packed.filter((path) => !path.startsWith('dist/pglite/'));
    expect(paths.toSorted()).toEqual(
      [
        ...['CHANGELOG.md', 'LICENSE', 'README.md', 'dist/THIRD-PARTY-NOTICES.txt', 'package.json'],
        ...['cli', 'cliAgents', 'cliOnDemand', 'database', 'rehearsal', 'server', 'service'].map(
          (name) => `dist/${name}.js`,
        ),
        ...['console.css', 'console.js', 'index.html', 'layout.js'].map((name) => `dist/console/${name}`),
        ...globSync(['schemas/*.json', 'docs/{errors,rules}/*.md'], { cwd: root }),
      ].toSorted(),
    );
    const database = packed.filter((path) => path.startsWith('dist/pglite/'));
    expect(database.toSorted()).toEqual(globSync('dist/pglite/*', { cwd: root }).toSorted());
  });

  test('has its own name, and nothing of the extension', () => {
    const text = readFileSync(join(app, 'node_modules', packageName, 'package.json'), 'utf8');
    expect(Object.keys(JSON.parse(text)).toSorted()).toEqual(
      ['bin', 'description', 'engines', 'keywords', 'license', 'name', 'version'].toSorted(),
    );
  });

  test('brings nothing else along', () => {
    expect(globSync('node_modules/{*,@*/*}', { cwd: app }).toSorted()).toEqual([
      'node_modules/@headwater',
      'node_modules/@headwater/cli',
    ]);
  });

  test('is installed from the file, also by npm ci, and with its hash', () => {
    const lock = JSON.parse(readFileSync(join(app, 'package-lock.json'), 'utf8'));
    expect(lock.packages[`node_modules/${packageName}`]).toMatchObject({
      resolved: `file:${basename(tarballPath())}`,
      integrity: expect.stringMatching(/^sha512-/),
    });
    expect(run(app, 'npm', 'ci')).toMatchObject({ status: 0 });
  });
});

test('it runs', () => {
  expect(headwater('--version')).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: '' });
});

test('a new project has scripts that run it, and passes what the page on CI runs', () => {
  expect(headwater('init', '--json')).toMatchObject({ status: 0 });
  expect(run(app, 'npm', 'run', 'sync:validate', '--', '--strict')).toMatchObject({ status: 0 });
  const commands = [
    ...page.matchAll(/- (?:run: )?(node_modules\/\.bin\/headwater (?:validate|format|test).*)/g),
  ];
  const offline = commands
    .map(([, command = '']) => command)
    .filter((command) => !/--s(?:chema|ervice)/.test(command));
  expect(offline.length).toBeGreaterThan(4);
  for (const command of offline) expect(run(app, 'sh', '-c', command)).toMatchObject({ status: 0 });
});

test('a new project is served and deployed', async () => {
  const dev = start('dev', '--port', '0');
  await until(dev, () => dev.out().includes('is active'));
  const url = /http:\S+/.exec(dev.out())?.[0] ?? '';
  expect(headwater('probe', '--service', url)).toMatchObject({ status: 0 });
  dev.child.kill('SIGINT');
  expect(await dev.ended).toBe(0);
  expect(headwater('probe', '--service', url)).toMatchObject({ status: 1 });
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

function start(...args: string[]): RunningProcess {
  return startProcess(program, args, { cwd: app, env });
}
