/** `headwater init` and a real Git: every kind of repository is recognised, and none can run a program. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CliProcess, copyCli } from '../../support/cli/cliProcess.ts';

let cli: CliProcess;
let folder = '';

beforeAll(() => {
  cli = copyCli();
});
afterAll(() => cli.remove());

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-git-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs Git without the settings of the user who runs the tests. */
function git(inside: string, ...args: readonly string[]): void {
  const { PATH } = process.env;
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'protocol.file.allow=always'];
  execFileSync('git', [...who, ...args], {
    cwd: join(folder, inside),
    env: { PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
    stdio: 'ignore',
  });
}

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function repository(name: string, ...options: readonly string[]): void {
  mkdirSync(join(folder, name), { recursive: true });
  git(name, 'init', '-q');
  write(`${name}/.env`, 'A=1\n');
  write(`${name}/a.txt`, '');
  for (const option of options) git(name, 'config', ...option.split('='));
  git(name, 'add', '-f', '.');
  git(name, 'commit', '-q', '-m', 'Start');
}

function adviceIn(inside: string): readonly string[] {
  const { status, stdout, stderr } = cli.runIn(join(folder, inside), 'init', '--json');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout).advice;
}

const warning = expect.stringContaining('git rm --cached .env');

describe('A tracked .env is recognised', () => {
  test('in a repository, and no more after git rm --cached', () => {
    repository('app');
    expect(adviceIn('app')).toContainEqual(warning);
    git('app', 'rm', '--cached', '-q', '.env');
    expect(adviceIn('app')).not.toContainEqual(warning);
  });

  test('in a folder of it', () => {
    repository('app');
    write('app/packages/sync/.env', 'B=1\n');
    git('app', 'add', '-f', '.');
    expect(adviceIn('app/packages/sync')).toContainEqual(warning);
  });

  test('with an index of version 4', () => {
    repository('app', 'index.version=4');
    git('app', 'update-index', '--index-version', '4');
    expect(readFileSync(join(folder, 'app/.git/index'))[7]).toBe(4);
    expect(adviceIn('app')).toContainEqual(warning);
  });

  test('with a split index', () => {
    repository('app', 'core.splitIndex=true');
    git('app', 'update-index', '--split-index');
    expect(adviceIn('app')).toContainEqual(warning);
  });

  test('in a worktree', () => {
    repository('app');
    git('app', 'worktree', 'add', '-q', '../tree');
    expect(adviceIn('tree')).toContainEqual(warning);
  });

  test('in a submodule', () => {
    repository('module');
    repository('app');
    git('app', 'submodule', 'add', '-q', '../module', 'module');
    expect(adviceIn('app/module')).toContainEqual(warning);
  });

  test('behind a link', () => {
    repository('app');
    rmSync(join(folder, 'app/.env'));
    write('app/shared/variables', 'B=1\n');
    symlinkSync('shared/variables', join(folder, 'app/.env'));
    git('app', 'add', '-f', '.');
    expect(adviceIn('app')).toContainEqual(warning);
    expect(readFileSync(join(folder, 'app/shared/variables'), 'utf8')).toMatch(/^B=1\nPS_ADMIN_TOKEN=/);
  });
});

describe('The settings of a repository start no program', () => {
  const proof = () => join(folder, 'proof');
  /** A program that leaves a proof. */
  const program = (name: string): string => {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\ntouch '${proof()}'\n`);
    chmodSync(path, 0o755);
    return path;
  };

  test('not as a watcher of files, a hook, a pager, or a way to fetch', () => {
    repository('app');
    const path = program('anything');
    mkdirSync(join(folder, 'hooks'));
    for (const hook of ['post-index-change', 'fsmonitor-watchman']) program(`hooks/${hook}`);
    appendFileSync(
      join(folder, 'app/.git/config'),
      `[core]\n\tfsmonitor = ${path}\n\thooksPath = ${join(folder, 'hooks')}\n\tpager = ${path}\n\tsshCommand = ${path}\n[pager]\n\tls-files = ${path}\n[protocol "ext"]\n\tallow = always\n[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ext::${path}\n\tpromisor = true\n[alias]\n\tls-files = !${path}\n`,
    );
    expect(adviceIn('app')).toContainEqual(warning);
    expect(existsSync(proof())).toBe(false);
    // This shows that Git starts one of them without our settings.
    git('app', 'status');
    expect(existsSync(proof())).toBe(true);
  });

  test('nor do those of a folder that only looks like a repository', () => {
    repository('app');
    const path = program('anything');
    for (const [name, text] of [
      ['HEAD', 'ref: refs/heads/main\n'],
      [
        'config',
        `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ${join(folder, 'app/inner')}\n\tfsmonitor = ${path}\n`,
      ],
      ['objects/.keep', ''],
      ['refs/.keep', ''],
    ] as const)
      write(`app/inner/${name}`, text);
    adviceIn('app/inner');
    expect(existsSync(proof())).toBe(false);
    git('app/inner', 'status');
    expect(existsSync(proof())).toBe(true);
  });
});

describe('An .env that exists', () => {
  test('is left to its owner when secrets are added to it', () => {
    write('.env', 'A=1\n');
    chmodSync(join(folder, '.env'), 0o664);
    const { stdout, stderr } = cli.runIn(folder, 'init');
    expect(stderr).not.toContain('Other users');
    expect(stdout).toContain('.env is now readable only by its owner.\n');
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
  });

  test('keeps its mode when nothing is added', () => {
    cli.runIn(folder, 'init');
    chmodSync(join(folder, '.env'), 0o640);
    const { stdout } = cli.runIn(folder, 'init');
    expect(stdout).toContain('.env already exists and was not changed.\n');
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o640);
  });

  test('that is not UTF-8 is left alone', () => {
    const bytes = Buffer.from('\uFEFFA=1\r\n', 'utf16le');
    writeFileSync(join(folder, '.env'), bytes);
    const { status, stderr } = cli.runIn(folder, 'init');
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: '.env is not encoded as UTF-8. Convert it first.\n',
    });
    expect(readFileSync(join(folder, '.env'))).toEqual(bytes);
    expect(existsSync(join(folder, 'service.yaml'))).toBe(false);
  });
});

describe('A link in a repository', () => {
  test.each(['.env', '.gitignore', 'AGENTS.md'])('from %s to a file of the user is not followed', (name) => {
    write('home/.profile', 'PATH=/bin\n');
    mkdirSync(join(folder, 'app/.git'), { recursive: true });
    symlinkSync('../home/.profile', join(folder, 'app', name));
    const { status, stderr } = cli.runIn(join(folder, 'app'), 'init', '--agents');
    expect(status).toBe(2);
    expect(stderr).toContain(`${name} points outside of this project, to ${join(folder, 'home/.profile')}`);
    expect(readFileSync(join(folder, 'home/.profile'), 'utf8')).toBe('PATH=/bin\n');
  });

  test('from the folder of configs to one of the user is not followed', () => {
    mkdirSync(join(folder, 'home'));
    mkdirSync(join(folder, 'app/.git'), { recursive: true });
    symlinkSync('../home', join(folder, 'app/powersync'));
    const { status, stderr } = cli.runIn(join(folder, 'app'), 'init');
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining('points outside of this project'),
    });
    expect(existsSync(join(folder, 'home/service.yaml'))).toBe(false);
  });

  test('that leads nowhere is not taken for a file that was written', () => {
    symlinkSync('nowhere', join(folder, '.env'));
    const { status, stderr } = cli.runIn(folder, 'init');
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('is a broken link') });
  });
});
