/** Runs `headwater dev` on Windows: one service with its embedded database, which all commands and outside clients ask. */
import { renameSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type WindowsProcess, windowsPath } from '../support/windows/machine.ts';
import { openProject, type WindowsProject, windows } from '../support/windows/project.ts';

const schema = `create table lists (id uuid primary key default gen_random_uuid(), owner text, name text);\r
insert into lists (owner, name) values ('ada', 'Groceries');\r
`;
const sync = `config:\r
  edition: 3\r
streams:\r
  lists:\r
    auto_subscribe: true\r
    query: SELECT id, owner FROM lists WHERE owner = auth.user_id()\r
`;
const ofName = sync.replace('id, owner', 'id, name');
const ofAll = sync.replace('id, owner', '*');

let project: WindowsProject;
let dev: WindowsProcess;
let url: string;

async function develop(more: { readonly cwd?: string } = {}): Promise<void> {
  dev = project.start(['dev', '--port', '0'], more);
  [, url = ''] = await dev.shows(/ready at (http:\S+)/);
}

beforeAll(async () => {
  project = openProject({ 'schema.sql': schema, 'sync.yaml': sync });
  await develop();
  await dev.shows(/is active/);
});

afterAll(async () => {
  dev.send({ kind: 'press', key: 'Ctrl-C' });
  await dev.ended;
  project.remove();
});

const statusOf = (path: string): Promise<number> => fetch(`${url}${path}`).then(({ status }) => status);

async function isGone(): Promise<void> {
  await expect.poll(() => statusOf('/probes/liveness').catch(() => 'gone')).toBe('gone');
}

/** Returns the path of the folder in different letter case, as another user may spell it. */
const spelledOtherwise = (): string => {
  const [drive = '', ...names] = windowsPath(project.folder).split('\\');
  return [drive.toLowerCase(), ...names.slice(0, -1), names.at(-1)?.toUpperCase()].join('\\');
};

async function lists(user: string): Promise<string> {
  return (await project.headwater(['preview', '--user', user, '--service', url])).out;
}

describe('the running service', () => {
  test('is healthy for outside clients', async () => {
    expect(await statusOf('/probes/liveness')).toBe(200);
    await expect.poll(() => statusOf('/probes/readiness')).toBe(200);
  });

  test('refuses a request without a token', async () => {
    const asked = await fetch(`${url}/api/admin/v1/diagnostics`, { method: 'POST', body: '{}' });
    expect(asked.status).toBe(401);
  });

  test('is found by commands in its folder', async () => {
    const { code, out } = await project.headwater(['status', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ active: { copied: true } });
  });

  test('is found by commands in its folder in different letter case', async () => {
    const { code, err } = await project.headwater(['probe', '--kind', 'readiness'], {
      cwd: spelledOtherwise(),
    });
    expect(`${code} ${err}`).toBe('0 ');
  });

  test('has the tables and rows of the project', async () => {
    expect(await lists('ada')).toContain('"owner":"ada"');
    expect(await lists('eve')).not.toContain('"owner"');
  });

  test('syncs rows that are written to its database', async () => {
    const statement = "INSERT INTO lists (owner, name) VALUES ('bob', 'Zürich 日本')";
    expect(await project.headwater(['sql', statement])).toEqual({ code: 0, out: 'INSERT: 1 row\n', err: '' });
    expect(await lists('bob')).toContain('"owner":"bob"');
  });

  test('passes the checks of doctor', async () => {
    const { code, out } = await project.headwater(['doctor']);
    expect(`${code} ${out}`).toMatch(/^0 .*No problems found\./s);
  });

  test('serves the file with its line endings', async () => {
    expect((await project.headwater(['current'])).out).toBe(sync);
    expect((await project.headwater(['diff'])).code).toBe(0);
  });

  test('is compared with its source by verify', async () => {
    const { code, out } = await project.headwater(['verify']);
    expect(`${code} ${out}`).toMatch(/^0 .*public\.lists: 2 in the source, 2 stored: no differences/s);
  });
});

describe('a deployment', () => {
  test('is refused for a config with an error, whose place is named', async () => {
    project.write('wrong.yaml', sync.replace('query', 'qery'));
    const { code, err } = await project.headwater(['deploy', 'wrong.yaml']);
    expect(code).toBe(1);
    expect(err).toContain('wrong.yaml has errors, so it was not deployed.');
    expect(err).toMatch(/wrong\.yaml:6:\d/);
    expect((await project.headwater(['current'])).out).toBe(sync);
  });

  test('is refused by the service for an unknown token', async () => {
    const { code, err } = await project.headwater(
      ['deploy', windowsPath(project.path('sync.yaml')), '--service', url],
      {
        cwd: 'C:\\',
        env: { PS_ADMIN_TOKEN: 'wrong' },
      },
    );
    expect(code).toBe(2);
    expect(err).toContain('does not accept the token');
  });

  test('starts when the file is saved in place', async () => {
    project.write('sync.yaml', ofName);
    await expect.poll(async () => (await project.headwater(['current'])).out).toBe(ofName);
    expect(await lists('ada')).toContain('"name":"Groceries"');
  });

  test('starts when an editor replaces the file', async () => {
    writeFileSync(project.path('sync.yaml.tmp'), ofAll);
    renameSync(project.path('sync.yaml.tmp'), project.path('sync.yaml'));
    await expect.poll(async () => (await project.headwater(['current'])).out).toBe(ofAll);
  });

  test('does not start for a file with an error, and the previous config stays active', async () => {
    project.write('sync.yaml', sync.replace('query', 'qery'));
    await dev.shows(/has errors, so it was not deployed\. Config \d+ stays active/);
    project.write('sync.yaml', ofAll);
    expect((await project.headwater(['current'])).out).toBe(ofAll);
  });

  test('can be started by a command', async () => {
    project.write('other.yaml', ofName);
    const { code, out } = await project.headwater(['deploy', 'other.yaml', '--quiet']);
    expect(`${code} ${out}`).toMatch(/^0 Config \d+ is active\.\n$/);
    expect((await project.headwater(['deploy', 'sync.yaml', '--quiet'])).code).toBe(0);
  });
});

describe('a folder belongs to one service', () => {
  test.each([
    ['a second start is refused', () => windowsPath(project.folder)],
    ['a second start in different letter case is refused', spelledOtherwise],
  ])('%s, with a message', async (_, cwd) => {
    const { code, err } = await project.headwater(['dev', '--port', '0'], { cwd: cwd() });
    expect(code).toBe(150);
    expect(err).toMatch(/is in use by process \d+\. Stop the service that runs there/);
    expect(await statusOf('/probes/liveness')).toBe(200);
    expect((await project.headwater(['status'])).code).toBe(0);
  });
});

describe('dev', () => {
  test('is restarted by reset with a new database, at the same address', async () => {
    const { code, err } = await project.headwater(['reset', '--database'], { cwd: spelledOtherwise() });
    expect(`${code} ${err}`).toMatch(/^0 /);
    await expect.poll(() => statusOf('/probes/readiness')).toBe(200);
    await expect.poll(() => lists('ada')).toContain('Groceries');
    expect(await lists('bob')).not.toContain('"owner":"bob"');
  });

  test('stops the service and the database when it is killed, and loses nothing', async () => {
    const statement = "INSERT INTO lists (owner, name) VALUES ('cyd', 'kept')";
    expect((await project.headwater(['sql', statement])).code).toBe(0);
    dev.send({ kind: 'kill', signal: 'SIGKILL' });
    await dev.ended;
    await isGone();
    await develop();
    await expect.poll(() => lists('cyd')).toContain('kept');
  });

  test('stops cleanly on Ctrl-C, and starts again with its data', async () => {
    dev.send({ kind: 'press', key: 'Ctrl-C' });
    expect((await dev.ended).code).toBe(0);
    await isGone();
    expect(project.read('.headwater/running.json')).not.toContain('http');
    await develop();
    await expect.poll(() => lists('cyd')).toContain('kept');
  });
});

test('commands report that nothing is running any more', async () => {
  dev.send({ kind: 'press', key: 'Ctrl-C' });
  await dev.ended;
  const { code, err } = await project.headwater(['status', '--service', url]);
  expect(code).toBe(2);
  expect(err).toContain('nothing listens there');
  expect((await windows.run({ args: ['--version'] })).code).toBe(0);
});
