/**
 * Runs each command of `headwater` that needs no connection on Windows, with the paths, line endings and file names of
 * Windows.
 */
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { root } from '../../scripts/root.ts';
import { keyProgram } from '../support/windows/consoleKeys.ts';
import { windowsPath } from '../support/windows/machine.ts';
import {
  hasAliases,
  openProject,
  program,
  shareOf,
  type WindowsProject,
  windows,
} from '../support/windows/project.ts';

const good = `config:
  edition: 3
streams:
  a:
    auto_subscribe: true
    query: SELECT id FROM lists
`;
const bad = good.replace('id FROM', 'gone FROM');
const lists = 'create table lists (id uuid primary key, owner uuid);\n';
const crlf = (text: string) => text.replaceAll('\n', '\r\n');

let project: WindowsProject;
beforeEach(() => {
  project = openProject();
});
afterEach(() => project.remove());

describe('headwater test', () => {
  test('runs the SQL files of tests in a database, and names them with /', async () => {
    project.write('sync.yaml', crlf(good));
    project.write('db/schema.sql', crlf(lists));
    const seed =
      "insert into lists select ('00000000-0000-0000-0000-00000000000' || n)::uuid, null from generate_series(1, 2) n;\n";
    project.write('db/seed.sql', crlf(`${seed}insert into nowhere values (1);\n`));
    const tests = `config: ../../sync.yaml
users: { ada: { id: u1 } }
rows: { from: ../../db/seed.sql }
tests:
  - name: all lists
    expect: { ada: { lists: [00000000-0000-0000-0000-000000000001, 00000000-0000-0000-0000-000000000002] } }
`;
    project.write('sub/my tests/lists.sync-test.yaml', crlf(tests));
    const { code, out } = await project.headwater(['test', 'sub\\my tests']);
    expect(out).toContain('0 tests passed, 1 failed in 1 file');
    expect(out).toContain(
      'The rows of `../../db/seed.sql` cannot be read: line 2 failed: relation "nowhere"',
    );
    expect(code).toBe(1);
  });
});

describe('headwater init', () => {
  test('writes a project, and names its files as Windows does', async () => {
    const { code, out, err } = await project.headwater(['init', 'sub\\my sync']);
    expect(code).toBe(0);
    expect(out).toContain('Created sub\\my sync\\service.yaml.');
    expect(out).not.toContain('/');
    expect(err).toContain('headwater dev');
    expect(readdirSync(project.path('sub/my sync')).sort()).toEqual(
      expect.arrayContaining(['.env', 'schema.sql', 'service.yaml', 'sync.yaml']),
    );
  });

  test('prints the next steps for a Windows shell', async () => {
    const { err } = await project.headwater(['init', 'sub\\my sync']);
    expect(err).toBe('Next: cd "sub\\my sync"\nThen: headwater dev\n');
  });

  test('uses / in JSON', async () => {
    const { out } = await project.headwater(['init', '--json', 'sub\\sync']);
    expect(JSON.parse(out).created).toContain('sub/sync/service.yaml');
  });

  test('keeps existing files', async () => {
    project.write('sync.yaml', crlf(good));
    const { code, out } = await project.headwater(['init']);
    expect(code).toBe(0);
    expect(out).toContain('sync.yaml already exists and was not changed.');
    expect(project.read('sync.yaml')).toBe(crlf(good));
  });

  test('refuses a name that Windows reserves, without a stack trace', async () => {
    const { code, err } = await project.headwater(['init', 'nul']);
    expect(code).toBe(2);
    expect(err).toMatch(/^Cannot create the folder nul, /m);
    expect(err).not.toContain('    at ');
  });

  test('creates a project without problems', async () => {
    await project.headwater(['init']);
    const { code, out } = await project.headwater(['validate', '--strict']);
    expect(`${code} ${out}`).toMatch(/^0 .*0 errors, 0 warnings/s);
  });
});

describe('headwater validate', () => {
  test('knows the tables of the project, and names its files as Windows does', async () => {
    project.write('powersync/sync.yaml', crlf(bad));
    project.write('db/migrations/1 first.sql', crlf(lists));
    const { code, out } = await project.headwater(['validate', '--strict']);
    expect(code).toBe(1);
    expect(out).toMatch(/^powersync\\sync\.yaml:6:19 .*gone/m);
  });

  test.each([
    'sub\\sync.yaml',
    'sub/sync.yaml',
    '.\\sub\\sync.yaml',
    'sub',
    'sub\\',
    'sub\\*.yaml',
    '**/*.yaml',
  ])('accepts %s', async (word) => {
    project.write('sub/sync.yaml', bad.replace('streams', 'strems'));
    const { code, out } = await project.headwater(['validate', word, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out).files[0].path.replace(/^\.\//, '')).toBe('sub/sync.yaml');
  });

  test('accepts an absolute path, also in its long form', async () => {
    project.write('sync.yaml', good);
    const path = windowsPath(project.path('sync.yaml'));
    expect((await project.headwater(['validate', path])).code).toBe(0);
    expect((await project.headwater(['validate', `\\\\?\\${path}`])).code).toBe(0);
  });

  test.runIf(hasAliases)('reads a file on a share, and reports when the share is gone', async () => {
    project.write('sub/sync.yaml', good);
    const share = shareOf(project);
    onTestFinished(share.goAway);
    const path = `${share.path}\\sub\\sync.yaml`;
    expect((await project.headwater(['validate', path])).code).toBe(0);
    share.goAway();
    const { code, err } = await project.headwater(['validate', path]);
    expect(code).toBe(2);
    expect(err).toContain(`Cannot read ${path}: there is no such file.`);
  });

  test.each(['json', 'github', 'sarif', 'junit'])('uses / in the format %s', async (format) => {
    project.write('sub/sync.yaml', crlf(bad));
    project.write('schema.sql', lists);
    const { out } = await project.headwater(['validate', 'sub\\sync.yaml', '--format', format]);
    expect(out).toContain('sub/sync.yaml');
    expect(out).not.toContain('sub\\');
  });

  test('reads a file whose path has more than 260 characters', async () => {
    const deep = Array.from({ length: 12 }, (_, index) => `folder number ${index} of a long path`).join('/');
    project.write(`${deep}/sync.yaml`, good);
    const { code, out } = await project.headwater(['validate', `${deep}/sync.yaml`]);
    expect(`${code} ${out}`).toMatch(/^0 /);
  });

  test('reads standard input with Windows line endings', async () => {
    const { code, out } = await project.headwater(['validate', '-'], {
      input: crlf(good.replace('query', 'qery')),
    });
    expect(code).toBe(1);
    expect(out).toMatch(/:6:\d/);
  });

  test('reads a file with a byte order mark', async () => {
    project.write('sync.yaml', `\ufeff${crlf(good)}`);
    expect((await project.headwater(['validate', 'sync.yaml'])).code).toBe(0);
  });

  test('names a missing file', async () => {
    const { code, err } = await project.headwater(['validate', 'sub\\gone.yaml']);
    expect(code).toBe(2);
    expect(err).toContain('Cannot read sub\\gone.yaml: there is no such file.');
  });
});

describe('headwater format', () => {
  /** Returns the number of a file, which changes when another file replaces it. */
  const fileNumber = (name: string): bigint => statSync(project.path(name), { bigint: true }).ino;
  const ugly = good.replace('SELECT id FROM lists', 'select   id from lists');

  test('keeps Windows line endings', async () => {
    project.write('sync.yaml', crlf(ugly));
    const { code, out } = await project.headwater(['format', 'sync.yaml']);
    expect(`${code} ${out.trim()}`).toBe('0 sync.yaml was formatted');
    expect(project.read('sync.yaml')).toBe(crlf(good));
  });

  test('keeps a byte order mark', async () => {
    project.write('sync.yaml', `\ufeff${crlf(ugly)}`);
    await project.headwater(['format', 'sync.yaml']);
    expect(project.read('sync.yaml')).toBe(`\ufeff${crlf(good)}`);
  });

  test('does not change a file with --check', async () => {
    project.write('sync.yaml', crlf(ugly));
    expect((await project.headwater(['format', '--check', 'sync.yaml'])).code).toBe(1);
    expect(project.read('sync.yaml')).toBe(crlf(ugly));
  });

  test('replaces a file that another program holds for a moment', async () => {
    project.write('sync.yaml', ugly);
    const before = fileNumber('sync.yaml');
    const holder = await project.hold('sync.yaml', '.sync.yaml.');
    const { code, err } = await project.headwater(['format', 'sync.yaml']);
    expect(`${code} ${err}`).toBe('0 ');
    expect(project.read('sync.yaml')).toBe(good);
    // The command has waited, and then replaced the file.
    expect(fileNumber('sync.yaml')).not.toBe(before);
    await holder.ended;
  });

  test('writes into a file that another program keeps open', async () => {
    project.write('sync.yaml', ugly);
    const before = fileNumber('sync.yaml');
    const holder = await project.hold('sync.yaml', 'never');
    const { code, err } = await project.headwater(['format', 'sync.yaml']);
    expect(`${code} ${err}`).toBe('0 ');
    expect(project.read('sync.yaml')).toBe(good);
    expect(fileNumber('sync.yaml')).toBe(before);
    expect(readdirSync(project.folder)).toEqual(['sync.yaml']);
    holder.send({ kind: 'kill', signal: 'SIGKILL' });
    await holder.ended;
  });
});

describe('headwater migrate', () => {
  test('keeps Windows line endings', async () => {
    project.write('sync.yaml', crlf('bucket_definitions:\n  a:\n    data:\n      - SELECT * FROM lists\n'));
    const { code } = await project.headwater(['migrate', 'sync.yaml', '--write']);
    expect(code).toBe(0);
    const text = project.read('sync.yaml');
    expect(text).toContain('streams:');
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });
});

describe('headwater generate', () => {
  test('schema uses the tables of the project', async () => {
    project.write('powersync/sync.yaml', good.replace('id FROM', '* FROM'));
    project.write('migrations/1.sql', crlf(lists));
    const { code, out } = await project.headwater(['generate', 'schema']);
    expect(code).toBe(0);
    expect(out).toMatch(/lists.*owner/s);
  });

  test('token is signed with the key of the service config', async () => {
    await project.headwater(['init']);
    const { code, out } = await project.headwater(['generate', 'token', '--subject', 'ada']);
    expect(code).toBe(0);
    expect(out.trim().split('.')).toHaveLength(3);
  });
});

describe('headwater completion', () => {
  test('for PowerShell completes commands and options', async () => {
    const { code, out } = await project.headwater(['completion', 'powershell']);
    expect(code).toBe(0);
    expect(out).toContain('Register-ArgumentCompleter -Native -CommandName headwater');
    expect(out).toContain("'generate token'");
  });
});

describe('other programs', () => {
  test('are not started from the folder, which may come from a stranger', async () => {
    project.write('sync.yaml', good);
    project.write('compose.yaml', 'services: {}\n');
    project.write('.env', 'PS_ADMIN_TOKEN=secret\n');
    project.write(
      'cli.yaml',
      'type: self-hosted\napi_url: http://127.0.0.1:9\napi_key: !env PS_ADMIN_TOKEN\n',
    );
    // This program exits with code 1, whatever its arguments are.
    writeFileSync(project.path('docker.exe'), keyProgram(0, 'Ctrl-C'));
    const { err } = await project.headwater(['reset', '--compose']);
    expect(err).toContain('The docker command was not found on this machine.');
  });

  test('receive their arguments unchanged: VS Code is a batch file in a folder with blanks', async () => {
    project.write('Program Files/code.cmd', '@echo %*>>"%LOG%"\r\n');
    const path = (name: string) => windowsPath(project.path(name));
    const opening = { folder: path(''), file: path('sync.yaml'), settings: {}, env: { LOG: path('log') } };
    const module = JSON.stringify(`file:///${windowsPath(join(root, 'scripts/start/desktop.ts'))}`);
    const words = [path('Program Files/code.cmd'), path('my headwater.vsix'), opening].map((each) =>
      JSON.stringify(each),
    );
    const { code, err } = await windows.run({
      args: [
        '--input-type=module',
        '-e',
        `const { openDesktop } = await import(${module});
         const { kind, ended } = await openDesktop(${words.join(', ')});
         process.exit(kind === 'desktop' && (await ended) === 0 ? 0 : 1);`,
      ],
    });
    expect(`${code} ${err}`).toBe('0 ');
    const lines = project.read('log').trim().split('\r\n');
    // The output of cmd.exe has another encoding, so some characters are not compared.
    expect(lines[0]).toMatch(/ "--install-extension" "[^"]*My app [^"]*my headwater\.vsix" /);
    expect(lines[1]).toMatch(/ "[^"]*My app [^"]*" "[^"]*My app [^"]*sync\.yaml"$/);
  });
});

describe('headwater', () => {
  test('returns its exit codes', async () => {
    const codes = [];
    for (const args of [['--version'], ['--help'], ['nonsense'], ['validate', '--nonsense'], ['deploy']])
      codes.push((await project.headwater(args)).code);
    expect(codes).toEqual([0, 0, 2, 2, 2]);
  });

  test('runs through a .cmd, as npm starts it on Windows', async () => {
    project.write('headwater.cmd', `@"%NODE%" "${program('cli.js')}" %*\r\n`);
    const { code, out } = await windows.run({
      program: 'cmd.exe',
      args: ['/d', '/s', '/c', 'headwater.cmd --version'],
      cwd: windowsPath(project.folder),
      env: { NODE: await nodePath() },
    });
    expect(`${code} ${out.trim()}`).toMatch(/^0 \d+\.\d+\.\d+$/);
  });

  test('reports that a folder has no configs', async () => {
    project.write('folder/x', '');
    const { code, err } = await project.headwater(['format', 'folder']);
    expect(code).toBe(2);
    expect(err).toMatch(/^No configs found in folder\. .*\.$/m);
  });

  test('reset reports that nothing is running in the folder', async () => {
    project.write('sync.yaml', good);
    const { code, err } = await project.headwater(['reset']);
    expect(code).toBe(2);
    expect(err).toContain('Neither headwater dev nor serve is running in this folder.');
  });
});

async function nodePath(): Promise<string> {
  return (await windows.run({ args: ['-p', 'process.execPath'] })).out.trim();
}
