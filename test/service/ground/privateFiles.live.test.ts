/** Files with data or secrets that the product writes cannot be read by other users of the machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { logName, readRecord, release, want } from '../../../client/local/record.ts';
import { localConfig } from '../../../client/project/localConfig.ts';
import { variables } from '../../../client/project/localNames.ts';
import { root } from '../../../scripts/root.ts';
import { eventually } from '../../support/house/eventually.ts';
import { freePort } from '../../support/processes/freePort.ts';

const longest = 120_000;
vi.setConfig({ testTimeout: longest });

/** The files that `init` writes for a whole team, so others may read them. */
const shared = ['.gitignore', 'access.sync-test.yaml', 'schema.sql', 'service.yaml', 'sync.yaml'];

let folder: string;
let umask: number;
let running: ChildProcess | undefined;

beforeEach(() => {
  // The most permissive umask, so that files are private only if the product makes them private.
  umask = process.umask(0);
  folder = mkdtempSync(join(tmpdir(), 'headwater-private-'));
  chmodSync(folder, 0o700);
  // The folder for sockets.
  mkdirSync(join(folder, 'temporary'), { mode: 0o700 });
});

afterEach(async () => {
  process.umask(umask);
  if (running?.exitCode === null) {
    running.kill('SIGTERM');
    await once(running, 'exit');
  }
  running = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the modes and paths of all files and folders to which other users have any rights. */
function looseIn(path: string, name = ''): readonly string[] {
  const found = lstatSync(path);
  const inside = found.isDirectory() ? readdirSync(path) : [];
  return [
    ...((found.mode & 0o077) === 0 ? [] : [`${(found.mode & 0o777).toString(8)} ${name}`]),
    ...inside.flatMap((each) => looseIn(join(path, each), name === '' ? each : `${name}/${each}`)),
  ];
}

function countIn(path: string): number {
  if (!lstatSync(path).isDirectory()) return 1;
  return readdirSync(path).reduce((count, each) => count + countIn(join(path, each)), 0);
}

function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(process.execPath, [join(root, 'dist', program), ...args], {
    cwd: folder,
    env: { ...process.env, TMPDIR: join(folder, 'temporary'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return child;
}

async function run(...args: readonly string[]): Promise<string> {
  const child = start('cli.js', args);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = await once(child, 'exit');
  expect([code, output]).toEqual([0, expect.any(String)]);
  return output;
}

/** Starts `dev` and waits until its output contains `said`. Returns a function that returns the entire output. */
async function runUntil(said: string): Promise<() => string> {
  const child = start('cli.js', ['dev']);
  running = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  await eventually(() => expect(output).toContain(said));
  return () => output;
}

async function initialise(): Promise<void> {
  await run('init');
  const config = join(folder, 'service.yaml');
  const text = readFileSync(config, 'utf8')
    .replace(/^port: \d+$/m, 'port: 0')
    .replace(/^ {6}port: \d+$/m, `      port: ${await freePort()}`);
  writeFileSync(config, text, { mode: 0o644 });
}

describe.skipIf(process.platform === 'win32')('other users of the machine', () => {
  test('can read only the configs among the files that init and dev write', async () => {
    await initialise();
    expect(existsSync(join(folder, '.env'))).toBe(true);
    const output = await runUntil('is active');
    await run('sql', `INSERT INTO lists (owner_id, name) VALUES ('me', 'private')`);
    expect(countIn(join(folder, '.headwater'))).toBeGreaterThan(900);
    expect(looseIn(folder).filter((line) => !shared.includes(line.split(' ')[1] as string))).toEqual([]);
    expect(output()).not.toContain('Other users of this machine');
  });

  test('cannot read the files that dev writes in a folder without a service config', async () => {
    writeFileSync(join(folder, 'schema.sql'), 'CREATE TABLE lists (id text PRIMARY KEY)');
    writeFileSync(
      join(folder, 'sync.yaml'),
      'config: { edition: 3 }\nstreams:\n  lists: { query: SELECT * FROM lists }\n',
    );
    const output = await runUntil('is active');
    expect(looseIn(join(folder, '.headwater'))).toEqual([]);
    expect(output()).not.toContain('Other users of this machine');
  });

  test('can no longer read the files of an earlier version, and the output reports this once', async () => {
    await initialise();
    await runUntil('is active');
    running?.kill('SIGTERM');
    await once(running as ChildProcess, 'exit');
    const data = join(folder, '.headwater');
    const loosen = (path: string): void => {
      chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o666);
      if (lstatSync(path).isDirectory()) for (const each of readdirSync(path)) loosen(join(path, each));
    };
    loosen(data);
    const output = await runUntil('The service is ready');
    expect(looseIn(data)).toEqual([]);
    expect(output().match(/Other users of this machine/g)).toHaveLength(1);
  });

  test('cannot read the files of the extension’s local service', async () => {
    const data = join(folder, 'local');
    want(data);
    const config = localConfig(undefined, {
      storage: join(data, 'data'),
      port: 0,
      source: { kind: 'embedded', schema: [] },
    });
    running = start('keeper.js', [join(root, 'dist/service.js'), data], {
      POWERSYNC_CONFIG_B64: Buffer.from(config).toString('base64'),
      [variables.token]: 'a-token-for-this-test-only',
      [variables.key]: Buffer.from('a-key-for-this-test-only').toString('base64url'),
    });
    await eventually(() => expect(readRecord(data)?.state).toBe('ready'));
    expect(existsSync(join(data, logName))).toBe(true);
    expect(looseIn(data)).toEqual([]);
    release(data);
    await once(running, 'exit');
    expect(looseIn(data)).toEqual([]);
  });
});
