/** Runs each command that talks to a service, as a process, with the service that `headwater dev` runs. */
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/root.ts';
import { freePort } from '../support/processes/freePort.ts';
import { type RunningProcess, startProcess, until } from '../support/processes/runningProcess.ts';

const program = join(root, 'dist/cli.js');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-cli-')));
const file = join(folder, 'sync.yaml');

const environment: Readonly<Record<string, string>> = { PATH: process.env.PATH ?? '' };

const started: RunningProcess[] = [];

function start(args: readonly string[], cwd = folder, env = environment): RunningProcess {
  const running = startProcess(process.execPath, [program, ...args], { cwd, env });
  started.push(running);
  return running;
}

async function headwater(...args: string[]) {
  const running = start(args);
  return { status: await running.ended, stdout: running.out(), stderr: running.err() };
}

let dev: RunningProcess;
let url = '';

beforeAll(async () => {
  expect((await headwater('init')).status).toBe(0);
  const config = join(folder, 'service.yaml');
  const written = readFileSync(config, 'utf8');
  // `init` writes other ports if the default ones are taken.
  const edited = written
    .replace(/^port: \d+$/m, 'port: 0')
    .replace(/^ {6}port: \d+$/m, '      debug_api: true');
  expect(edited).toMatch(/^port: 0$[\s\S]*debug_api/m);
  writeFileSync(config, edited);
  dev = start(['dev']);
  await until(dev, () => dev.out().includes('is active'));
  url = /http:\S+/.exec(dev.out())?.[0] ?? '';
  writeFileSync(
    join(folder, 'cli.yaml'),
    `type: self-hosted\napi_url: ${url}\napi_key: !env PS_ADMIN_TOKEN\n`,
  );
});

afterAll(async () => {
  // A test that failed may have left processes.
  for (const { child } of started) child.kill('SIGTERM');
  await Promise.all(started.map(({ ended }) => ended));
  rmSync(folder, { recursive: true, force: true });
});

function jsonOf({ stdout }: { readonly stdout: string }): unknown {
  return JSON.parse(stdout);
}

test('diff --rows service reports who gains and who loses rows of the source', async () => {
  const open = join(folder, 'open.yaml');
  writeFileSync(open, readFileSync(file, 'utf8').replace(' WHERE owner_id = auth.user_id()\n', '\n'));
  const compare = (...args: string[]) =>
    headwater('diff', '--rows', 'service', '--users', 'access.sync-test.yaml', ...args);
  // Compares the whole answer, so that a failure shows the output of the command.
  expect(await compare('sync.yaml')).toEqual({
    status: 0,
    stdout: 'No user gains or loses a row, among 3 rows and 2 users.\n',
    stderr: expect.any(String),
  });
  expect(await compare('open.yaml')).toEqual({
    status: 1,
    stdout:
      'gained  1 of lists through the stream lists (bob 00000000-0000-0000-0000-000000000001), among 3 rows and 2 users\n',
    stderr: expect.any(String),
  });
  expect(await headwater('diff', '--rows', 'service', '--connected', 'open.yaml')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('No users are connected to the service.'),
  });
  rmSync(open);
});

describe('the running service', () => {
  test('is healthy', async () => {
    expect(await headwater('status', '--check')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/connected\nActive: config 1, deployed /),
    });
    expect(jsonOf(await headwater('status', '--json'))).toMatchObject({ active: { copied: true } });
  });

  test('is alive, which probe checks without a token', async () => {
    const { status, stderr } = await headwater('probe', '--service', url, '--wait');
    expect(status).toBe(0);
    // Standard error may report that a busy service is asked again. Other commands also report where they send a token.
    expect(stderr).not.toContain('token');
    const patient = ['--wait', '--timeout', '60'];
    expect(await headwater('probe', '--kind', 'readiness', ...patient)).toMatchObject({ status: 0 });
  });

  test('returns the rows of a user, which preview shows', async () => {
    const list = '00000000-0000-0000-0000-000000000001';
    const asked = ['--service', url, '--subscribe', `todos={"list_id": "${list}"}`];
    const { status, stdout } = await headwater('preview', '--user', 'ada', ...asked);
    expect(stdout).toMatch(
      /1#lists\|0\["ada"\] because of lists, auto-subscribed\n {2}lists \{.*"name":"Groceries"/,
    );
    const [, ofList = ''] = stdout.split('because of todos, subscription 1');
    expect([...ofList.matchAll(/"description":"(\w+)"/g)].map(([, name]) => name).toSorted()).toEqual([
      'Bread',
      'Olives',
    ]);
    expect(status).toBe(0);
    expect((await headwater('preview', '--user', 'eve', ...asked)).stdout).not.toMatch(/Groceries|Bread/);
    expect(await headwater('preview', '--token', 'a.b.c', ...asked)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/does not accept the token from --token/),
    });
  });

  test('runs the config of the file', async () => {
    expect((await headwater('current')).stdout).toBe(readFileSync(file, 'utf8'));
    expect((await headwater('history')).stdout).toMatch(/^config \d+: active · /);
    expect(await headwater('diff')).toMatchObject({ status: 0 });
    expect(jsonOf(await headwater('deploy', '--json'))).toMatchObject({ kind: 'unchanged' });
  });
});

test('generate schema can use the tables of the service', async () => {
  const { stdout } = await headwater('generate', 'schema', '--schema', 'service', '--output', 'kotlin');
  expect(stdout).toContain('Column.integer("completed")');
});

test('validate --service also reports problems that only the service can find', async () => {
  const other = join(folder, 'other.yaml');
  writeFileSync(other, 'config: { edition: 3 }\nstreams:\n  x:\n    query: SELECT id FROM gone\n');
  expect(await headwater('validate', other)).toMatchObject({ status: 0 });
  const { stdout } = await headwater('validate', '--service', url, other);
  expect(stdout).toMatch(/(warning|error) service .*gone/);
});

test('a config with errors is not deployed', async () => {
  const wrong = join(folder, 'wrong.yaml');
  writeFileSync(
    wrong,
    'config: { edition: 3 }\nstreams:\n  x: { priority: 4, query: SELECT id FROM lists }\n',
  );
  const { status, stdout, stderr } = await headwater('deploy', wrong, '--json');
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toEqual({ error: { message: `${wrong} has errors, so it was not deployed.` } });
  expect(stderr).toContain('invalid-priority');
});

test('diff shows a drift, which a deployment ends', async () => {
  const next = join(folder, 'next.yaml');
  writeFileSync(next, readFileSync(file, 'utf8').replace('id, name, created_at', 'id, name'));
  const drift = await headwater('diff', next);
  expect(drift.status).toBe(1);
  expect(drift.stdout).toMatch(/^-.*created_at.*\n\+ {4}query: SELECT id, name FROM/m);
  expect(await headwater('deploy', next, '--quiet')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Config 2 is active\.\n$/),
    stderr: '',
  });
  expect(await headwater('diff', next)).toMatchObject({ status: 0 });
});

test('sql runs statements on the embedded database of the service', async () => {
  const database = /postgresql:\S+?(?=:? )/.exec(dev.out())?.[0] ?? '';
  const sql = (...args: string[]) => headwater('sql', ...args, '--database', database);
  expect(await sql(`INSERT INTO lists (owner_id, name) VALUES ('ada', 'from here')`)).toEqual({
    status: 0,
    stdout: 'INSERT: 1 row\n',
    stderr: '',
  });
  expect(jsonOf(await sql(`SELECT name FROM lists WHERE name = 'from here'`, '--json'))).toEqual({
    results: [{ command: 'SELECT', rowCount: 1, columns: ['name'], rows: [['from here']] }],
  });
  const stderr = 'The database refused this at 2:6: relation "gone" does not exist (42P01)\n';
  expect(await sql('SELECT *\nFROM gone')).toEqual({ status: 1, stdout: '', stderr });
  expect(
    await headwater('sql', 'SELECT 1', '-d', `postgresql://ada:secret@127.0.0.1:${await freePort()}/x`),
  ).toEqual({
    status: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /^Cannot reach the database at 127\.0\.0\.1:\d+: nothing listens there\. Is the/,
    ),
  });
});

test('reprocess copies everything again', async () => {
  const { status, stdout } = await headwater('reprocess', '--json');
  expect({ status, ...JSON.parse(stdout) }).toMatchObject({ status: 0, kind: 'active' });
});

test('copy pause fails if nothing is being copied', async () => {
  const { status, stderr } = await headwater('copy', 'pause');
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining('Nothing is being copied'),
  });
});

test('dev and console each print a link that signs a browser in once', async () => {
  const inDev = /Its console is (\S+)\. This link signs in once\./.exec(dev.out())?.[1] ?? '';
  const { status, stdout } = await headwater('console');
  expect(status).toBe(0);
  for (const link of [inDev, stdout.trim()]) {
    const { origin, hash } = new URL(link);
    const headers = { Authorization: `Link ${hash.replace('#sign-in=', '')}` };
    const signIn = () => fetch(`${origin}/console/sign-in`, { method: 'POST', headers });
    expect([(await signIn()).status, (await signIn()).status]).toEqual([200, 401]);
  }
});

test('limits shows how much clients get, and which clients get the most', async () => {
  const { status, stdout } = await headwater('limits');
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: expect.stringMatching(
      /^One client may have 1,000 buckets and 1,000 results\.\n[\s\S]*By auth\.user_id\(\), \d+ values?: at most \d+ buckets?/,
    ),
  });
  expect(jsonOf(await headwater('limits', '--json'))).toMatchObject({
    limits: { buckets: 1000, results: 1000 },
    streams: expect.arrayContaining([expect.objectContaining({ name: 'todos' })]),
  });
});

test('verify compares the stored rows with the source, and --repair repairs them', async () => {
  expect(await headwater('verify')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^public\.\w+: \d+ in the source, \d+ stored: no differences\n/m),
  });
  // Changes the storage behind the service's back.
  const storage = new DatabaseSync(join(folder, '.headwater/data.sqlite'));
  storage.exec('DELETE FROM lookups');
  storage.close();
  const found = await headwater('verify');
  expect(found).toMatchObject({ status: 1, stderr: expect.stringContaining('--repair') });
  expect(found.stdout).toMatch(/public\.lists: .* \d+ stale\n {2}stale: id=/);
  expect(await headwater('verify', '--repair')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/\d+ stale, \d+ repaired/),
  });
  expect(jsonOf(await headwater('verify', '--json'))).toMatchObject({
    isDone: true,
    tables: expect.arrayContaining([expect.objectContaining({ table: 'public.lists', stale: 0 })]),
  });
});

test('dev deploys a saved file, unless it has an error', async () => {
  appendFileSync(file, '  broken: { query: SELECT FROM }\n');
  await until(dev, () => dev.out().includes('has errors'));
  const text = `${readFileSync(file, 'utf8').replace(/ {2}broken.*\n/, '')}# saved\n`;
  writeFileSync(file, text);
  await until(dev, () => (dev.out().match(/is active/g) ?? []).length === 2);
  expect((await headwater('current')).stdout).toBe(text);
});

test('the error about a wrong token does not show the token', async () => {
  const cli = join(folder, 'cli.yaml');
  const before = readFileSync(cli, 'utf8');
  writeFileSync(cli, before.replace('!env PS_ADMIN_TOKEN', 'hunter2hunter2'));
  writeFileSync(join(folder, '.env.kept'), readFileSync(join(folder, '.env')));
  writeFileSync(join(folder, '.env'), '');
  const { status, stdout, stderr } = await headwater('status', '--json');
  writeFileSync(join(folder, '.env'), readFileSync(join(folder, '.env.kept')));
  writeFileSync(cli, before);
  expect(status).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ error: { kind: 'unauthorized' } });
  expect(stdout + stderr).not.toContain('hunter2');
});

test('reset --compose restarts the compose deployment before it deploys', async () => {
  const docker = join(folder, 'docker');
  writeFileSync(docker, `#!/bin/sh\necho "$@" >> "${folder}/docker.log"\n`, { mode: 0o755 });
  writeFileSync(join(folder, 'compose.yaml'), 'services: {}\n');
  const running = start(['reset', '--compose', '--json'], folder, { PATH: folder });
  expect({ status: await running.ended, err: running.err() }).toEqual({
    status: 0,
    err: expect.stringMatching(/^Connecting to http:.* from the variable PS_ADMIN_TOKEN\.\n$/),
  });
  expect(JSON.parse(running.out())).toMatchObject({ kind: 'unchanged' });
  expect(readFileSync(join(folder, 'docker.log'), 'utf8')).toBe(
    'compose -f compose.yaml down\ncompose -f compose.yaml up -d --wait\n',
  );
  writeFileSync(docker, '#!/bin/sh\nexit 17\n');
  const failed = start(['reset', '--compose'], folder, { PATH: folder });
  expect(await failed.ended).toBe(17);
  expect(failed.err()).toContain('docker compose down failed with exit code 17.');
});

test('dev leaves no probe files in the project', () => {
  expect(readdirSync(folder)).not.toContain('.probes');
});

test('reset restarts the running service with its changed service config, and deploys', async () => {
  const config = join(folder, 'service.yaml');
  const before = readFileSync(config, 'utf8');
  writeFileSync(config, `${before}\n# ${'-'.repeat(20)}\nmetadata: { edited: yes }\n`);
  const text = `${readFileSync(file, 'utf8')}# reset\n`;
  writeFileSync(file, text);
  const { status, stdout, stderr } = await headwater('reset', '--json');
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: expect.stringMatching(/^Connecting to http:.* the token from the service config\.\n$/),
  });
  expect(JSON.parse(stdout)).toMatchObject({ slot: expect.stringMatching(/^powersync_/) });
  expect(dev.out().match(/is ready at/g)).toHaveLength(2);
  // The service has the same address as before, although any port would do.
  expect((await headwater('current')).stdout).toBe(text);
  writeFileSync(config, before);
});

test('dev reports the errors of a config once, however often it is saved', async () => {
  const counted = (text: string, words: string) => text.split(words).length - 1;
  const told = () => counted(dev.out(), 'has errors, so it was not deployed.');
  const active = () => counted(dev.out(), 'is active');
  // The file is replaced in one step, because an empty file would have errors.
  const save = (text: string) => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  };
  const good = readFileSync(file, 'utf8');
  const before = { told: told(), active: active() };
  save(`${good}stray: 1\n`);
  await until(dev, () => told() > before.told);
  save(`${good}stray: 1\n`);
  save(`${good}# after all\n`);
  await until(dev, () => active() > before.active);
  expect(told()).toBe(before.told + 1);
});

test('reset restarts nothing for a config with errors', async () => {
  writeFileSync(join(folder, 'wrong.yaml'), 'streams: { x: { query: SELECT FROM } }\n');
  const { status, stderr } = await headwater('reset', 'wrong.yaml');
  expect({ status, said: stderr.trimEnd().split('\n').at(-1) }).toEqual({
    status: 1,
    said: 'wrong.yaml has errors, so it was not deployed.',
  });
  expect(dev.out().match(/is ready at/g)).toHaveLength(2);
});

test('a second dev in the folder is refused, and does not disturb the first one', async () => {
  const record = join(folder, '.headwater/running.json');
  const before = readFileSync(record, 'utf8');
  expect(before).toContain(url);
  expect(await headwater('dev')).toMatchObject({ status: 150, stderr: expect.stringContaining('is in use') });
  expect(readFileSync(record, 'utf8')).toBe(before);
});

test('Ctrl-C ends the service, and the output contains no secret', async () => {
  dev.child.kill('SIGINT');
  expect(await dev.ended).toBe(0);
  const token = /PS_ADMIN_TOKEN=(.*)/.exec(readFileSync(join(folder, '.env'), 'utf8'))?.[1] ?? '';
  expect(token).not.toBe('');
  expect(dev.out() + dev.err()).not.toContain(token);
  expect(await headwater('probe', '--service', url)).toMatchObject({ status: 1 });
});

test('dev ends with its service, even during a deploy', async () => {
  const again = start(['dev', '--verbose']);
  await until(again, () => again.out().includes('ready'));
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, `${text}# once more\n`);
  await until(again, () => again.err().includes('/api/sync-rules/v1/deploy'));
  again.child.kill('SIGINT');
  expect(await again.ended).toBe(0);
});

describe('serve', () => {
  test('is restarted by reset, which reports a failed restart', async () => {
    const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-cli-')));
    const config = join(elsewhere, 'service.yaml');
    const sync = readFileSync(file, 'utf8');
    writeFileSync(join(elsewhere, 'schema.sql'), readFileSync(join(folder, 'schema.sql')));
    writeFileSync(join(elsewhere, 'sync.yaml'), sync);
    writeFileSync(
      config,
      'port: 0\nreplication: { connections: [{ type: embedded, schema: schema.sql }] }\napi: { tokens: [first] }\n',
    );
    const service = start(['serve'], elsewhere);
    await until(service, () => service.out().includes('is ready at'));
    const address = /http:\S+/.exec(service.out())?.[0] ?? '';
    writeFileSync(config, readFileSync(config, 'utf8').replace('first', 'second'));
    const reset = start(['reset'], elsewhere);
    expect({ status: await reset.ended, out: reset.out() }).toEqual({
      status: 0,
      out: expect.stringMatching(/^Config 1 is active\.\n$/),
    });
    const status = start(['status', '--service', address, '--check', '--quiet'], elsewhere, {
      ...environment,
      PS_ADMIN_TOKEN: 'second',
    });
    expect(await status.ended).toBe(0);
    writeFileSync(config, 'port: high\n');
    const failed = start(['reset'], elsewhere);
    expect({ status: await failed.ended, err: failed.err() }).toEqual({
      status: 1,
      err: 'Restarting the service …\nThe service did not start again. The output of headwater dev or serve shows the reason.\n',
    });
    expect(await service.ended).toBe(150);
    const gone = start(['reset', '--quiet'], elsewhere);
    expect({ status: await gone.ended, err: gone.err() }).toEqual({
      status: 2,
      err: 'Neither headwater dev nor serve is running in this folder. Start one of them, or use --compose to restart a compose deployment.\n',
    });
    rmSync(elsewhere, { recursive: true });
  });

  test('runs without any config, and writes only to one folder', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'headwater-cli-'));
    const service = start(['serve', '--port', '0', '--json'], empty);
    await until(service, () => service.out().includes('\n'));
    expect(JSON.parse(service.out())).toMatchObject({
      ready: true,
      database: expect.stringMatching(/^postgresql:\/\/postgres:[\w-]+@127\.0\.0\.1:\d+\/postgres$/),
    });
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(readdirSync(empty)).toEqual(['.headwater']);
    rmSync(empty, { recursive: true });
  });

  test('starts as many workers as --workers names', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'headwater-cli-'));
    writeFileSync(join(empty, 'service.yaml'), 'api: { tokens: [of-the-workers] }\n');
    const service = start(['serve', '--port', '0', '--workers', '2'], empty);
    await until(service, () => service.out().includes('ready at'));
    const address = /http:\S+/.exec(service.out())?.[0];
    const answer = await fetch(`${address}/api/admin/v1/diagnostics`, {
      method: 'POST',
      headers: { authorization: 'Bearer of-the-workers', 'content-type': 'application/json' },
      body: '{}',
    });
    expect(await answer.json()).toMatchObject({ data: { workers: [{}, {}] } });
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    const refused = start(['serve', '--workers', 'many'], empty);
    expect(await refused.ended).toBe(2);
    expect(refused.err()).toContain('many is not a number of workers');
    rmSync(empty, { recursive: true });
  });

  test('stops its service even when it is killed', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'headwater-cli-'));
    const killed = start(['serve', '--port', '0'], empty);
    await until(killed, () => killed.out().includes('ready at'));
    killed.child.kill('SIGKILL');
    // Standard error is closed when the last process that holds it ends, and that is the service.
    expect(await killed.ended).toBe(null);
    expect(killed.err()).toContain('The service is stopping');
    rmSync(empty, { recursive: true });
  });

  test('passes on the exit code of a service whose config is invalid', async () => {
    const config = join(folder, 'odd.yaml');
    writeFileSync(config, 'port: high\n');
    const service = start(['serve', '-c', 'odd.yaml']);
    expect(await service.ended).toBe(150);
    expect(service.err()).toContain('odd.yaml');
  });
});

test('lsp speaks the protocol of editors', async () => {
  const server = start(['lsp', '--stdio']);
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.child.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  send({ id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } });
  await until(server, () => server.out().includes('"hoverProvider"'));
  send({ id: 2, method: 'shutdown' });
  send({ method: 'exit' });
  expect(await server.ended).toBe(0);
});
