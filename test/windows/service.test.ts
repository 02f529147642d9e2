/** The service on Windows, asked from outside: its life without signals, its locks and its data. */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type WindowsProcess, windowsPath } from '../support/windows/machine.ts';
import { openProject, program, type WindowsProject, windows } from '../support/windows/project.ts';

const config = (query: string) => `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: ${query}
`;
const good = config('SELECT * FROM lists');
const schema =
  "CREATE TABLE lists (id text PRIMARY KEY, name text);\r\nINSERT INTO lists VALUES ('1', 'Groceries');\r\n";
const service = `replication:
  connections:
    - type: embedded
      schema: db\\migrations
storage:
  type: embedded
  path: .data
api:
  tokens: [secret-token]
port: 0
`;

let project: WindowsProject;
let running: WindowsProcess[];

beforeEach(() => {
  running = [];
  project = openProject({
    'service.yaml': service.replaceAll('\n', '\r\n'),
    'sync.yaml': good.replaceAll('\n', '\r\n'),
    'db/migrations/1_lists.sql': schema,
  });
});

afterEach(async () => {
  for (const each of running) {
    each.send({ kind: 'kill', signal: 'SIGKILL' });
    await each.ended;
  }
  project.remove();
});

function start(...args: readonly string[]): WindowsProcess {
  const started = project.start(args);
  running.push(started);
  return started;
}

async function urlOf(started: WindowsProcess): Promise<string> {
  return (await started.shows(/http:\/\/127\.0\.0\.1:\d+/))[0];
}

async function ask(url: string, path: string, body?: unknown, token = 'secret-token'): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

const deploy = (url: string, content: string) => ask(url, '/api/sync-rules/v1/deploy', { content });

async function active(url: string): Promise<unknown> {
  for (let left = 100; left > 0; left--) {
    const answer = await ask(url, '/api/admin/v1/diagnostics', {});
    const { data } = (await answer.json()) as { data: { active_sync_rules?: unknown } };
    if (data.active_sync_rules !== undefined) return data.active_sync_rules;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('Nothing becomes active.');
}

/** As the parent of a service does: its channel ends. */
async function startService(...args: readonly string[]): Promise<WindowsProcess> {
  const started = windows.start({
    args: [program('service.js'), 'start', ...args],
    cwd: windowsPath(project.folder),
    channel: true,
  });
  running.push(started);
  await started.shows(/"ready":true/);
  return started;
}

describe('headwater serve', () => {
  test('answers its probes, refuses and takes a deployment, and has its rows', async () => {
    const url = await urlOf(start('serve', '--json'));
    expect((await fetch(`${url}/probes/liveness`)).status).toBe(200);
    expect((await ask(url, '/api/admin/v1/diagnostics', {}, 'wrong')).status).toBe(401);
    expect((await deploy(url, 'streams: 1')).status).toBe(422);
    expect((await deploy(url, good)).status).toBe(200);
    expect(JSON.stringify(await active(url))).toContain('"lists"');
  });

  test('refuses a data folder that another one uses, and names it as Windows does', async () => {
    await urlOf(start('serve', '--json'));
    const { code, err } = await project.headwater(['serve', '--json']);
    expect(code).not.toBe(0);
    expect(err).toMatch(/My app é 日本\\.data is in use by process \d+/);
  });

  test('has its data after it was killed', async () => {
    const first = await startService();
    const url = (await first.shows(/http:\/\/127\.0\.0\.1:\d+/))[0];
    await deploy(url, good);
    await active(url);
    first.send({ kind: 'kill', signal: 'SIGKILL' });
    await first.ended;
    const again = await startService();
    const next = (await again.shows(/http:\/\/127\.0\.0\.1:\d+/))[0];
    expect(JSON.stringify(await active(next))).toContain('"lists"');
  });

  test('ends in order with its parent, and says so', async () => {
    const started = await startService();
    started.send({ kind: 'disconnect' });
    const { code, err } = await started.ended;
    expect(code).toBe(0);
    expect(err).toContain('The service is stopping');
  });

  test('closes its database in order', async () => {
    const first = await startService();
    const url = (await first.shows(/http:\/\/127\.0\.0\.1:\d+/))[0];
    await deploy(url, good);
    await active(url);
    first.send({ kind: 'disconnect' });
    await first.ended;
    // PostgreSQL keeps this file until it is shut down in order.
    expect(project.read('.data/source/postmaster.pid').length >= 0).toBe(true);
  });

  test('leaves its folder so that it can be renamed and deleted', async () => {
    const first = await startService();
    first.send({ kind: 'disconnect' });
    await first.ended;
    renameSync(project.path('.data'), project.path('.moved'));
    rmSync(project.path('.moved'), { recursive: true });
  });

  test('keeps its data in a folder of more than 260 letters', async () => {
    const deep = Array.from({ length: 10 }, (_, index) => `folder number ${index} of a path`).join('\\');
    mkdirSync(project.path(deep.replaceAll('\\', '/')), { recursive: true });
    project.write('service.yaml', service.replace('.data', deep));
    const url = await urlOf(start('serve', '--json'));
    expect((await deploy(url, good)).status).toBe(200);
    expect(JSON.stringify(await active(url))).toContain('"lists"');
  });

  test('says where its config is wrong, with the code of a config that cannot be run', async () => {
    project.write(
      'service.yaml',
      service.replace('type: embedded\n      schema', 'type: nonsense\n      schema'),
    );
    const { code, err } = await project.headwater(['serve', '--json']);
    expect(code).toBe(150);
    expect(err).toMatch(/service\.yaml:3:\d+/);
  });

  test('says which port is taken', async () => {
    const url = await urlOf(start('serve', '--json'));
    project.write('service.yaml', service.replace('.data', '.other'));
    const { code, err } = await project.headwater(['serve', '--json', '--port', new URL(url).port]);
    expect(code).not.toBe(0);
    expect(err).toMatch(/[Pp]ort \d+ .*in use/);
  });

  test('finds no schema where there is none, and names it', async () => {
    project.write('service.yaml', service.replace('db\\migrations', 'db\\gone'));
    const started = start('serve', '--json');
    await started.shows(/db\/gone does not exist/);
  });

  test('is reset from another window of the same folder, written otherwise', async () => {
    const started = start('serve', '--json');
    await urlOf(started);
    const other = windowsPath(project.folder).toLowerCase().replace('z:', 'Z:');
    const { err } = await windows.run({
      args: [program('cli.js'), 'reset', '--yes'],
      cwd: other,
    });
    expect(err).not.toContain('No headwater dev or serve runs in this folder.');
  });
});

describe('headwater dev', () => {
  test('deploys what is saved, in whatever letters its name is typed', async () => {
    const url = await urlOf(start('dev', '--source', 'config', 'SYNC.yaml'));
    await active(url);
    project.write('sync.yaml', config('SELECT id FROM lists').replaceAll('\n', '\r\n'));
    for (let left = 60; left > 0; left--) {
      if (JSON.stringify(await active(url)).includes('SELECT id')) return;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    throw new Error('It is not deployed.');
  });
});
