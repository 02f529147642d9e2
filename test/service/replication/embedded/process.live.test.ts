/** The life of the embedded database's process: it owns its folder, and it always ends with the service. */
import { fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runSql } from '../../../../client/cli/sql/runSql.ts';
import { root } from '../../../../scripts/root.ts';
import { systemClock } from '../../../../server/service/ground/clock.ts';
import { lockFolder, waitForFolder } from '../../../../server/service/ground/folderLock.ts';
import { type Log, silentLog } from '../../../../server/service/ground/log.ts';
import type { Clock } from '../../../../server/service/ground/world.ts';
import { startDatabase } from '../../../../server/service/replication/embedded/child.ts';
import { passwordVariable } from '../../../../server/service/replication/embedded/database/protocol.ts';
import { prepareFolder } from '../../../../server/service/replication/embedded/resetOrder.ts';
import { openEmbeddedSource } from '../../../../server/service/replication/embedded/source.ts';
import { eventually, untilTrue } from '../../../support/house/eventually.ts';
import { type ServiceProcess, startServiceProcess } from '../../../support/processes/serviceProcess.ts';

const world = { log: silentLog, clock: systemClock, env: {}, fetch };
/** A clock whose sleeps end at once. */
const hasty: Clock = { ...systemClock, sleep: () => turn() };
const { signal: never } = new AbortController();

let folder: string;
let data: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-process-'));
  data = join(folder, 'data/source');
});
const services: ServiceProcess[] = [];
afterEach(async () => {
  // A test that failed may have left services.
  for (const service of services.splice(0)) await service.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function serve(config: string): Promise<ServiceProcess> {
  const service = await startServiceProcess(config);
  services.push(service);
  return service;
}

const holderOf = (path: string): number => Number(readFileSync(join(path, 'owner.pid'), 'utf8'));

/** Whether a process is running. A process that has ended stays in the list, as `Z`, until its parent has collected its status. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z]/.test(stdout.trim());
}

const databaseOf = (service: ServiceProcess): string =>
  JSON.parse(service.output().match(/^\{"ready.*$/m)?.[0] ?? '').database;

/** Runs a statement on the database of a service, and returns the id of the database's process. */
async function keepBusy(service: ServiceProcess, statement: string): Promise<number> {
  const database = databaseOf(service);
  expect(await firstAnswer(database)).toMatchObject([{ rows: [['1']] }]);
  runSql(database, statement, never).catch(() => undefined);
  // The statement must have started, so that a second client has to wait for its turn.
  await new Promise((resolve) => setTimeout(resolve, 500));
  return holderOf(data);
}

/** The first client starts the database, which may take longer than a client waits: half a minute on a busy machine. */
const firstAnswer = (database: string) => eventually(() => runSql(database, 'SELECT 1 AS n', never));

/** Runs a program with its own mounts, which end with the program. */
const ownMounts = ['unshare', '-rm'] as const;
const canMount = spawnSync(ownMounts[0], [ownMounts[1], 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0;

test.skipIf(!canMount)('A disk that is too small for a new database is reported as full', async () => {
  const config = join(folder, 'service.yaml');
  writeFileSync(config, 'port: 0\nstorage: { type: embedded, path: /mnt/data }\napi: { tokens: [admin] }\n');
  const service = await startServiceProcess(config, {
    runner: ownMounts,
    within: 'mount -t tmpfs -o size=4m none /mnt',
  });
  services.push(service);
  const post = (path: string, body: string, type: string) =>
    fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer admin', 'content-type': type },
      body,
    }).then((response) => response.text());
  expect(await post('/api/admin/v1/schema', '{}', 'application/json')).toContain(
    'The disk with the embedded database is full: free some space.',
  );
  const streams = '{ a: { auto_subscribe: true, query: SELECT * FROM a } }';
  expect(
    await post(
      '/api/sync-rules/v1/deploy',
      `config: { edition: 3 }\nstreams: ${streams}`,
      'application/yaml',
    ),
  ).toContain('Its disk is full. Free some space, and try again.');
});

const statements = [
  ['sleeps', 'SELECT pg_sleep(100)'],
  ['is busy', 'SELECT count(*) FROM generate_series(1, 100000000000)'],
  ['is idle', 'SELECT 1'],
] as const;

test.each(statements)('a database that %s ends if its service is killed or stopped', async (_, statement) => {
  const config = join(folder, 'service.yaml');
  writeFileSync(config, `port: 0\nstorage: { type: embedded, path: ${join(folder, 'data')} }\n`);
  const killed = await serve(config);
  const first = await keepBusy(killed, statement);
  expect(isRunning(first)).toBe(true);
  await killed.kill();
  // Another service can be started at once. It waits 10 s for the database to end, which takes longer on a busy machine.
  const stopped = await eventually(() => serve(config));
  expect(isRunning(first)).toBe(false);
  const second = await keepBusy(stopped, statement);
  expect(await stopped.stop()).toBe(0);
  await untilTrue(() => !isRunning(second));
});

test('a database that is just starting ends with its source, and can be started again', async () => {
  const settings = { type: 'embedded', id: 'a', tag: 'a', debugApi: false } as const;
  const source = await openEmbeddedSource(settings, data, world);
  const health = source.health();
  await untilTrue(() => existsSync(join(data, 'owner.pid')));
  await source.close();
  expect(await health).toMatchObject({ connected: false });
  expect(existsSync(join(data, 'headwater.making'))).toBe(true);
  const again = await openEmbeddedSource(settings, data, world);
  await expect.poll(() => again.health()).toEqual({ connected: true, problems: [] });
  expect(existsSync(join(data, 'headwater.making'))).toBe(false);
  await again.close();
});

test('the time that a database needs to open does not count as silence', async () => {
  const parent = pathToFileURL(join(root, 'server/service/replication/embedded/database/parent.ts')).href;
  const program = join(folder, 'opening.mjs');
  writeFileSync(
    program,
    `import { liveWithParent } from ${JSON.stringify(parent)};
    const workplace = liveWithParent();
    setTimeout(() => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000);
      workplace.open();
      console.log('It is open.');
      setInterval(() => {}, 1_000);
    }, 700);`,
  );
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit', 'ignore', 'pipe'] });
  try {
    const pulses = child.stdio[4] as Readable;
    let told = '';
    pulses.on('data', (bytes: Buffer) => {
      told += bytes;
    });
    await once(child.stdout as Readable, 'data');
    await once(pulses, 'data');
    const blocked = told
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).blocked);
    expect(Math.max(...blocked)).toBeLessThan(2_000);
  } finally {
    child.kill('SIGKILL');
  }
});

describe('a database that does not answer', () => {
  const settings = { type: 'embedded', id: 'a', tag: 'a', debugApi: false } as const;
  const long = { interval: 500 };

  test('because of a statement is reported with the statement and its duration', async () => {
    const source = await openEmbeddedSource(settings, data, world);
    await source.health();
    runSql(source.clientUri ?? '', 'SELECT count(*) FROM generate_series(1, 100000000000)', never).catch(
      () => undefined,
    );
    // A statement of the start may be reported first if the machine is busy.
    const message = expect.stringMatching(
      /running a statement for \d+ s, .*: SELECT count\(\*\) FROM generate_series/,
    );
    await expect
      .poll(() => source.health(), long)
      .toMatchObject({ connected: true, problems: [{ level: 'warning', message }] });
    await source.close();
  });

  test('because its process is suspended is reported as disconnected until it answers again', async () => {
    const source = await openEmbeddedSource(settings, data, world);
    await source.health();
    const pid = holderOf(data);
    process.kill(pid, 'SIGSTOP');
    const problem = { kind: 'silence', message: expect.stringContaining(`(${pid}) has not answered`) };
    await expect
      .poll(() => source.health(), long)
      .toMatchObject({ connected: false, problems: [problem] })
      .finally(() => process.kill(pid, 'SIGCONT'));
    await expect.poll(() => source.health(), long).toEqual({ connected: true, problems: [] });
    await source.close();
  });

  test('makes its service unready until it answers again, and the log says so', async () => {
    const config = join(folder, 'service.yaml');
    writeFileSync(config, `port: 0\nstorage: { type: embedded, path: ${join(folder, 'data')} }\n`);
    const service = await serve(config);
    const pid = await keepBusy(service, 'SELECT 1');
    const readiness = async () => (await fetch(`${service.url}/probes/readiness`)).status;
    // The database may have been silent while it started on a busy machine.
    await expect.poll(readiness, long).toBe(200);
    process.kill(pid, 'SIGSTOP');
    await expect
      .poll(readiness, long)
      .toBe(400)
      .finally(() => process.kill(pid, 'SIGCONT'));
    expect(service.output()).toContain('The embedded database does not answer, so the service is not ready.');
    await expect.poll(readiness, long).toBe(200);
  });
});

test('A database that is being stopped is not reported as silent', async () => {
  const database = await startDatabase({ folder: data, password: 'secret' }, { ...world, clock: hasty });
  const pid = holderOf(data);
  process.kill(pid, 'SIGSTOP');
  await expect.poll(() => database.problem()?.message).toContain('has not answered');
  const stopped = database.stop();
  expect(database.problem()).toBeUndefined();
  process.kill(pid, 'SIGCONT');
  await stopped;
});

test("V8 does not optimise PostgreSQL's parser during a start, which would need 600 MB", async () => {
  mkdirSync(data, { recursive: true });
  const child = fork(join(root, 'server/service/replication/embedded/database/main.ts'), [data, '60000'], {
    execArgv: ['--trace-wasm-compilation-times'],
    env: { ...process.env, [passwordVariable]: 'secret' },
    stdio: ['pipe', 'pipe', 'ignore', 'ipc', 'pipe'],
  });
  let trace = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    trace += text;
  });
  child.once('message', () => child.kill('SIGTERM'));
  await once(child, 'close');
  const compiled = [...trace.matchAll(/ using (\w+), took .* bodysize (\d+) /g)];
  const largest = (compiler: string) =>
    Math.max(...compiled.flatMap(([, used, size]) => (used === compiler ? [Number(size)] : [])));
  // The parser is the largest function that runs.
  expect(largest('Liftoff')).toBeGreaterThan(100_000);
  expect(largest('TurboFan')).toBeLessThan(100_000);
});

describe('the folder of a database', () => {
  test('is refused with a remedy while another process uses it', async () => {
    const database = await startDatabase({ folder: data, password: 'secret' }, world);
    const pid = holderOf(data);
    await expect(waitForFolder(data, 0, systemClock)).rejects.toThrow(
      `${data} is in use by process ${pid}. Stop the service that runs there, or choose another folder: storage.path.`,
    );
    const lines: string[] = [];
    const log: Log = { write: (_, message) => lines.push(message) };
    await expect(
      openEmbeddedSource({ type: 'embedded', id: 'a', tag: 'a', debugApi: false }, data, {
        ...world,
        log,
        clock: hasty,
      }),
    ).rejects.toThrow(/is in use by process \d+/);
    expect(lines).toEqual([`Waiting up to 60 s for process ${pid} to release the embedded database`]);
    await database.stop();
    await waitForFolder(data, 0, systemClock);
  });

  test.each([
    ['kept', 'Waiting for the embedded database to start'],
    ['new', 'Waiting for the embedded database to be created'],
  ] as const)('that is %s: a slow start of its database is logged', async (content, sentence) => {
    const lines: string[] = [];
    const log: Log = { write: (level, message) => level !== 'debug' && lines.push(message) };
    const database = await startDatabase(
      { folder: data, password: 'secret', content },
      { log, clock: hasty },
    );
    expect(lines).toEqual([sentence]);
    await database.stop();
  });

  test('does not belong to a process that merely has the id of an earlier one', async () => {
    mkdirSync(data, { recursive: true });
    for (const name of ['headwater.lock', 'owner.pid']) writeFileSync(join(data, name), `${process.ppid}\n`);
    const database = await startDatabase({ folder: data, password: 'secret' }, world);
    expect(holderOf(data)).not.toBe(process.ppid);
    await database.stop();
  });

  test('is not emptied if the process that was making its database has finished', async () => {
    mkdirSync(data, { recursive: true });
    for (const name of ['headwater.making', 'PG_VERSION']) writeFileSync(join(data, name), '');
    const script = `
      import { rmSync } from 'node:fs';
      import { lockFolder } from '${pathToFileURL(join(root, 'server/service/ground/folderLock.ts'))}';
      lockFolder(${JSON.stringify(data)}, 0);
      setTimeout(() => rmSync(${JSON.stringify(join(data, 'headwater.making'))}), 1_000);
      setTimeout(() => {}, 2_000);`;
    const maker = spawn(process.execPath, ['--input-type=module', '-e', script]);
    const ended = once(maker, 'exit');
    await untilTrue(() => existsSync(join(data, 'owner.pid')));
    expect(await prepareFolder(data)).toEqual({ order: undefined, isNew: false });
    expect(existsSync(join(data, 'PG_VERSION'))).toBe(true);
    expect(existsSync(join(data, 'headwater.making'))).toBe(false);
    expect(await ended).toEqual([0, null]);
  });

  test('is free again as soon as it is released', () => {
    const release = lockFolder(data, 0);
    expect(() => lockFolder(data, 0)).toThrow(/in use/);
    release();
    lockFolder(data, 0)();
  });
});
