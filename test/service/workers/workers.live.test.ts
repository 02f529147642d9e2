/** The built service with two workers, a real PostgreSQL and real clients. The workers must behave like a single process. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { root } from '../../../scripts/root.ts';
import { patient } from '../../../scripts/run/patience.ts';
import { clientAuth, clientToken } from '../../support/clients/clientAuth.ts';
import { openApp, type Upload } from '../../support/clients/sdk.ts';
import { openStream, type SyncStream } from '../../support/clients/syncStream.ts';
import { pageHeader, signInWith } from '../../support/console/session.ts';
import { connectionConfig, postgresPrograms, startPostgres } from '../../support/processes/postgres.ts';
import {
  runService,
  type ServiceProcess,
  startServiceProcess,
} from '../../support/processes/serviceProcess.ts';

const admin = 'admin-token-of-the-test';

const config = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE owner = auth.user_id()
`;

const ddl = `CREATE TABLE lists (id text PRIMARY KEY, owner text, name text);
INSERT INTO lists VALUES ('l1', 'ada', 'one'), ('l2', 'ben', 'two');
CREATE PUBLICATION powersync FOR ALL TABLES`;

const listsQuery = 'SELECT id, name FROM lists ORDER BY id';

describe.skipIf(postgresPrograms.kind === 'missing').each(['embedded', 'postgresql'] as const)(
  'two workers over the %s storage',
  (storage) => {
    test('serve all clients, even after a worker was killed', async () => {
      const stage = await open(storage);
      const [first, second] = await stage.streamOfEachWorker();
      await stage.sql(`INSERT INTO lists VALUES ('l3', 'ada', 'three')`);
      for (const stream of [first, second]) await stream.until(shows('l3'), 'the new row');

      const apps = [await stage.app('http'), await stage.app('websocket')] as const;
      for (const app of apps) {
        await app.until(listsQuery, [
          { id: 'l1', name: 'one' },
          { id: 'l3', name: 'three' },
        ]);
      }
      await apps[0].database.execute(
        `INSERT INTO lists (id, owner, name) VALUES ('l4', 'ada', 'of the app')`,
      );
      for (const app of apps)
        await app.until(`SELECT name FROM lists WHERE id = 'l4'`, [{ name: 'of the app' }]);

      const { workers, connected_clients } = await stage.diagnose();
      expect(workers.map(({ clients }) => clients).reduce((sum, clients) => sum + clients)).toBe(4);
      expect(connected_clients).toHaveLength(4);
      expect(connected_clients.map(({ user_id }) => user_id)).toEqual(['ada', 'ada', 'ada', 'ada']);

      const killed = (await stage.workerOf(first)).pid;
      process.kill(killed, 'SIGKILL');
      expect(await first.ended).toBe('broken');
      await stage.sql(`INSERT INTO lists VALUES ('l5', 'ada', 'after the kill')`);
      await second.until(shows('l5'), 'the row after the kill');
      for (const app of apps)
        await app.until(`SELECT name FROM lists WHERE id = 'l5'`, [{ name: 'after the kill' }]);
      await expect.poll(() => stage.servingPids()).toHaveLength(2);
      expect(await stage.servingPids()).not.toContain(killed);
      const [third, fourth] = await stage.streamOfEachWorker();
      for (const stream of [third, fourth]) await stream.until(shows('l5'), 'everything from the new worker');

      // No worker listens for a moment, until new workers have started.
      const all = await stage.servingPids();
      for (const pid of all) process.kill(pid, 'SIGKILL');
      const others = () => newPids(stage.servingPids(), all);
      await expect.poll(others).toHaveLength(2);
    });

    test('answer admins in the same way', async () => {
      const stage = await open(storage);
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => stage.post('/api/sync-rules/v1/deploy', { content: config })),
      );
      for (const { status } of answers) expect([200, 409]).toContain(status);
      await stage.untilActive();
      // A link can be used only once, and its session is valid for both workers.
      const { data } = (await stage.post('/api/admin/v1/console-link', {})).json as {
        data: { path: string };
      };
      const link = `${stage.service.url}${data.path}`;
      const { cookie, secret } = await signInWith(link);
      await expect(signInWith(link)).rejects.toThrow('SVC_S2108');
      const inPage = { [pageHeader]: secret, origin: stage.service.url, cookie };
      for (let n = 0; n < 4; n += 1)
        expect((await ask(stage.service, '/api/admin/v1/history', inPage)).status).toBe(200);
      const cookieAlone = { ...inPage, [pageHeader]: '1' };
      expect((await ask(stage.service, '/api/admin/v1/history', cookieAlone)).status).toBe(401);
      const sent = () => stage.metric('powersync_operations_synced_total');
      const [first, second] = await stage.streamOfEachWorker();
      for (const stream of [first, second]) await stream.until(shows('l1'), 'the first row');
      await expect.poll(sent).toBeGreaterThanOrEqual(2);
      expect(await stage.metric('powersync_concurrent_connections')).toBe(2);
      const { kind, clients } = (await stage.firstEvent()) as { kind: string; clients: readonly unknown[] };
      expect([kind, clients.length]).toEqual(['picture', 2]);
      expect((await ask(stage.service, '/nowhere', {})).status).toBe(404);
      expect((await ask(stage.service, '/api/admin/v1/diagnostics', {})).status).toBe(401);
    });

    test('share one limit for the number of clients', async () => {
      const stage = await open(storage, { max_concurrent_connections: 2 });
      const streams = await stage.streamOfEachWorker();
      const third = async () => {
        const stream = await stage.stream();
        const { status } = stream;
        stream.close();
        return status;
      };
      for (let n = 0; n < 4; n += 1) expect(await third()).toBe(429);
      streams[0].close();
      await expect.poll(third).toBe(200);
    });

    test('end when the process that started them is stopped or killed', async () => {
      const stage = await open(storage);
      const [first, second] = await stage.streamOfEachWorker();
      const pids = await stage.servingPids();
      expect(await stage.service.stop()).toBe(0);
      expect(pids.filter(isRunning)).toEqual([]);
      for (const { ended } of [first, second]) await ended;

      const restarted = await stage.restart();
      const others = await stage.servingPids();
      expect(others).toHaveLength(2);
      await restarted.kill();
      await expect.poll(() => others.filter(isRunning)).toEqual([]);
    });
  },
);

describe('--workers', () => {
  test('must be a number, and the process must serve clients', async () => {
    const wrong = await runService(['start', '--workers', 'many']);
    expect(wrong).toMatchObject({
      code: 2,
      output: expect.stringContaining('many is not a number of workers'),
    });
    const path = join(temporaryFolder(), 'service.yaml');
    writeFileSync(path, JSON.stringify({ api: { tokens: [admin] }, client_auth: clientAuth }));
    const idle = await runService(['start', '-c', path, '--role', 'sync', '--workers', '2']);
    expect(idle).toMatchObject({ code: 150, output: expect.stringContaining('serves no clients') });
  });

  test.each([
    ['another process', []],
    ['another service with workers', ['--workers', '2']],
  ])('ends all processes with an error if the port is taken by %s', async (_, args) => {
    const folder = temporaryFolder();
    const occupied = await startServiceProcess(writeConfig(folder, 'a', { port: 0 }), { args });
    onTestFinished(occupied.kill);
    const refused = await runService(
      ['start', '-c', writeConfig(folder, 'b', { port: occupied.port }), '--workers', '2'],
      { killAfter: 60_000 },
    );
    expect(refused.code).toBe(150);
    expect(refused.output).toContain(`Port ${occupied.port} on 127.0.0.1 is taken`);
  });
});

describe('a client that connects while a worker ends', () => {
  test('does not wait forever if its connection was being passed to this worker', async () => {
    const service = await startWithWorkers();
    const [standing = 0] = await servingPids(service);
    process.kill(standing, 'SIGSTOP');
    const visitors = openVisitors(service.port);
    for (let n = 0; n < 4; n += 1) void visitors.visit();
    // The other worker answers all requests but the one that was passed to the suspended worker.
    await expect.poll(() => visitors.ends().length).toBeGreaterThanOrEqual(3);
    process.kill(standing, 'SIGKILL');
    await expect.poll(() => visitors.ends().length).toBe(4);
  });

  test('gets an answer or loses its connection, however often workers are killed', async () => {
    const service = await startWithWorkers();
    const visitors = openVisitors(service.port);
    let isOver = false;
    const visitAgain = async (): Promise<void> => {
      while (!isOver) await visitors.visit();
    };
    for (let n = 0; n < 4; n += 1) void visitAgain();
    // Each worker is killed as soon as it serves. The pauses before new workers start grow, so the test kills only a few.
    const killed = new Set<number>();
    while (killed.size < 6) {
      for (const pid of await newPids(servingPids(service), [...killed])) {
        process.kill(pid, 'SIGKILL');
        killed.add(pid);
      }
    }
    isOver = true;
    await expect.poll(visitors.waiting).toBe(0);
    expect(visitors.ends()).toContain('answered');
  });
});

test('a worker that the system cannot start counts as ended', () => {
  const source = pathToFileURL(join(root, 'server/service/workers/processes.ts'));
  const program = `
    import { closeSync, openSync } from 'node:fs';
    const { startClusterWorker } = await import('${source}');
    const files = [];
    try { for (;;) files.push(openSync('/dev/null')); } catch {}
    const { ended } = startClusterWorker();
    for (const file of files) closeSync(file);
    console.log(await ended);`;
  const shell = `ulimit -n 256; exec "$0" --input-type=module -e "$1" program`;
  const { stdout } = spawnSync('sh', ['-c', shell, process.execPath, program], { encoding: 'utf8' });
  expect(stdout).toContain('EMFILE');
});

test('the port of killed workers becomes free, even if Node does not report the ends of their channels', () => {
  const program = join(temporaryFolder(), 'program.mjs');
  const source = pathToFileURL(join(root, 'server/service/workers/processes.ts'));
  writeFileSync(
    program,
    `import { ChildProcess } from 'node:child_process';
    import cluster from 'node:cluster';
    import { once } from 'node:events';
    import { createServer } from 'node:net';
    import { setTimeout } from 'node:timers/promises';
    if (cluster.isPrimary) {
      const { startClusterWorker } = await import('${source}');
      const { emit } = ChildProcess.prototype;
      const unreported = new WeakSet();
      ChildProcess.prototype.emit = function (name, ...values) {
        if (name !== 'disconnect' || unreported.has(this)) return emit.call(this, name, ...values);
        unreported.add(this);
        return false;
      };
      const workers = [startClusterWorker(), startClusterWorker()];
      const ports = await Promise.all(workers.map(({ channel }) => new Promise((resolve) => channel.listen(resolve))));
      for (const { channel } of workers) channel.send('end');
      // Both workers end meanwhile. Their ends are noticed together, so the second one before the end of its channel.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
      await Promise.all(workers.map(({ ended }) => ended));
      for (let tries = 0; tries < 100; tries += 1) {
        const server = createServer().listen(ports[0], '127.0.0.1');
        const isFree = await once(server, 'listening').then(() => true, () => false);
        if (isFree) console.log('free');
        if (isFree) process.exit();
        await setTimeout(50);
      }
      console.log('taken');
      process.exit();
    } else {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      process.once('message', async () => {
        if (cluster.worker.id === 2) await setTimeout(300);
        process.send('a message that is still in the channel', () => process.kill(process.pid, 'SIGKILL'));
      });
      process.send(server.address().port);
    }`,
  );
  const { stdout } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  expect(stdout).toBe('free\n');
});

interface WorkerState {
  readonly number: number;
  readonly state: string;
  readonly pid: number;
  readonly clients: number;
}

interface Diagnosis {
  readonly workers: readonly WorkerState[];
  readonly connected_clients: readonly { readonly user_id: string }[];
  readonly active_sync_rules?: unknown;
  readonly deploying_sync_rules?: unknown;
}

function shows(id: string): (stream: SyncStream) => boolean {
  return ({ client }) => client.rows.has(`lists/${id}`);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-workers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function startWithWorkers(): Promise<ServiceProcess> {
  const service = await startServiceProcess(writeConfig(temporaryFolder(), 'a', { port: 0 }), {
    args: ['--workers', '2'],
  });
  onTestFinished(service.kill);
  return service;
}

async function servingPids(service: ServiceProcess): Promise<readonly number[]> {
  const { text } = await ask(service, '/api/admin/v1/diagnostics', { authorization: `Bearer ${admin}` });
  const { workers } = (JSON.parse(text) as { readonly data: Diagnosis }).data;
  return workers.filter(({ state }) => state === 'serving').map(({ pid }) => pid);
}

/** Returns the ids of processes that were not serving before. Returns no ids while the service does not answer. */
async function newPids(
  serving: Promise<readonly number[]>,
  before: readonly number[],
): Promise<readonly number[]> {
  return serving.then(
    (pids) => pids.filter((pid) => !before.includes(pid)),
    () => [],
  );
}

/** Opens clients without a token, each with its own connection. A worker answers such a client itself. */
function openVisitors(port: number) {
  const ends: string[] = [];
  let waiting = 0;
  return {
    /** The outcomes of all visits that have ended: `answered`, or the code of an error. */
    ends: (): readonly string[] => ends,
    waiting: () => waiting,
    visit: (): Promise<void> =>
      new Promise((resolve) => {
        let end = 'answered';
        waiting += 1;
        request({ host: '127.0.0.1', port, path: '/sync/stream', method: 'POST', agent: false })
          .on('response', (answer) => answer.resume())
          .on('error', (error: NodeJS.ErrnoException) => {
            end = error.code ?? error.message;
          })
          .on('close', () => {
            waiting -= 1;
            ends.push(end);
            resolve();
          })
          .end('{}');
      }),
  };
}

/** Writes a service config with embedded databases, which are never created because no test uses them. */
function writeConfig(folder: string, name: string, { port }: { readonly port: number }): string {
  const path = join(folder, `${name}.yaml`);
  const storage = { type: 'embedded', path: join(folder, name) };
  const settings = { port, storage, api: { tokens: [admin] }, client_auth: clientAuth };
  writeFileSync(path, JSON.stringify(settings));
  return path;
}

async function open(storage: 'embedded' | 'postgresql', parameters = {}) {
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'headwater-workers-'));
  const database = await postgres.createDatabase();
  const sql = (text: string, args?: readonly unknown[]) => postgres.query(text, args, database);
  await sql(ddl);
  const stored =
    storage === 'embedded'
      ? { type: 'embedded', path: join(folder, 'storage') }
      : connectionConfig(postgres, await postgres.createDatabase());
  const path = join(folder, 'service.yaml');
  writeFileSync(
    path,
    JSON.stringify({
      replication: { connections: [connectionConfig(postgres, database)] },
      storage: stored,
      port: 0,
      api: { tokens: [admin], parameters },
      client_auth: clientAuth,
    }),
  );
  const start = () => startServiceProcess(path, { args: ['--workers', '2'] });
  let service: ServiceProcess = await start();
  const streams: SyncStream[] = [];
  onTestFinished(async () => {
    for (const stream of streams) stream.close();
    await service.kill();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const post = async (route: string, body: object) => {
    // Each request has its own connection, so that both workers get requests.
    const answer = await ask(
      service,
      route,
      { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      JSON.stringify(body),
    );
    return { status: answer.status, json: JSON.parse(answer.text) as unknown };
  };
  const diagnose = async (): Promise<Diagnosis> => {
    const { json } = await post('/api/admin/v1/diagnostics', { connected_clients: true });
    return (json as { data: Diagnosis }).data;
  };
  const untilActive = async (): Promise<void> => {
    const state = async (): Promise<boolean> => {
      const { active_sync_rules: active, deploying_sync_rules: pending } = await diagnose();
      return active !== undefined && pending === undefined;
    };
    await expect.poll(state).toBe(true);
  };
  const stream = async (): Promise<SyncStream> => {
    const opened = await openStream(service.port, { token: await clientToken('ada') });
    streams.push(opened);
    return opened;
  };
  const workers = async () => (await diagnose()).workers;
  const found = new Map<SyncStream, number>();
  const workerOf = async (one: SyncStream): Promise<WorkerState> => {
    const worker = (await workers()).find(({ number }) => number === found.get(one));
    if (worker === undefined) throw new Error('It is not known whose client it is.');
    return worker;
  };
  /** Opens streams one after the other until each worker serves one. Returns one stream for each worker. */
  const streamOfEachWorker = async (): Promise<readonly [SyncStream, SyncStream]> => {
    const own = new Map<number, SyncStream>();
    while (own.size < 2) {
      const before = await workers();
      const opened = await stream();
      await opened.until(({ lines }) => lines.length > 0, 'a first line');
      const isMore = ({ number, clients }: WorkerState) =>
        clients > (before.find((one) => one.number === number)?.clients ?? 0);
      await expect.poll(async () => (await workers()).some(isMore)).toBe(true);
      const number = (await workers()).find(isMore)?.number ?? 0;
      if (own.has(number)) opened.close();
      else own.set(number, opened);
      found.set(opened, number);
      if (own.get(number) !== opened)
        await expect
          .poll(async () => (await workers()).find((one) => one.number === number)?.clients, {
            timeout: patient(30_000),
          })
          .toBe(before.find((one) => one.number === number)?.clients);
    }
    return [own.get(1), own.get(2)] as [SyncStream, SyncStream];
  };
  await post('/api/sync-rules/v1/deploy', { content: config });
  await untilActive();
  return {
    sql,
    post,
    diagnose,
    untilActive,
    stream,
    streamOfEachWorker,
    workerOf,
    get service() {
      return service;
    },
    servingPids: async () =>
      (await workers()).filter(({ state }) => state === 'serving').map(({ pid }) => pid),
    /** Returns the first line of the event stream, and closes the stream. */
    firstEvent: async (): Promise<unknown> => {
      const over = new AbortController();
      const answer = await fetch(`${service.url}/api/admin/v1/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
        body: '{}',
        signal: over.signal,
      });
      let text = '';
      for await (const part of answer.body ?? []) {
        text += Buffer.from(part as Uint8Array).toString('utf8');
        if (text.includes('\n')) break;
      }
      over.abort();
      return JSON.parse(text.slice(0, text.indexOf('\n')));
    },
    metric: async (name: string): Promise<number> => {
      const { text } = await ask(service, '/metrics', { authorization: `Bearer ${admin}` }, undefined);
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    },
    app: async (transport: 'http' | 'websocket') =>
      openApp({
        port: service.port,
        token: await clientToken('ada'),
        transport,
        upload: async (changes) => {
          for (const { id, opData } of changes as readonly Upload[]) {
            const { owner, name } = opData as { owner: string; name: string };
            await sql('INSERT INTO lists VALUES ($1, $2, $3)', [id, owner, name]);
          }
        },
      }),
    restart: async () => {
      service = await start();
      return service;
    },
  };
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Sends a POST, or a GET for the metrics. */
function ask(
  { port }: ServiceProcess,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined = '{}',
): Promise<Answer> {
  const method = path === '/metrics' ? 'GET' : 'POST';
  const type = method === 'POST' && { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port, path, method, agent: false, headers: { ...type, ...headers } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
        answer.on('error', reject);
      },
    );
    call.on('error', reject).end(method === 'POST' ? body : undefined);
  });
}
