/** A real service, somebody hostile, and beside them: a probe, the memory of the process, and clients with a token. */
import { type ChildProcess, execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { WebSocket } from 'ws';
import { percentile } from '../bench/measure.ts';
import { openPostgres } from '../consistency/source.ts';
import { clientAuth, clientToken } from '../support/clients/clientAuth.ts';
import { openStream, type SyncStream } from '../support/clients/syncStream.ts';
import { type ServiceProcess, startServiceProcess } from '../support/processes/serviceProcess.ts';
import type { AttackName, Target } from './attacks.ts';
import { endOf, favoured, last, messageOf, startBeside } from './beside.ts';
import { requestFrame, setupFrame } from './frames.ts';

export interface HostileReport {
  readonly attempts: number;
  /** With a token, that the attack was among. */
  readonly clients: number;
  /** MB of the service's process. */
  readonly peakMemory: number;
  readonly probes: Times;
  /** Of a server that does nothing, asked meanwhile: what the machine takes. */
  readonly idle: Times;
  /** Changes that came to a client with a token that was connected all the time. */
  readonly served: number;
  /** Clients with a token that came meanwhile, and got everything. */
  readonly connected: number;
  readonly complaints: readonly string[];
}

/** In milliseconds. */
export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

const execute = promisify(execFile);

const admin = 'admin-token-of-the-test';
const mostMemory = 300;
/** MB, of each client that an attack is among: 5,000 that connect at once leave 26 KB each to the collector. */
const memoryOfClient = 0.032;
/** Beside other tests, garbage is collected late; without a bound it would be gigabytes. */
const unboundedMemory = 400;
/** In milliseconds, where the machine is not the reason: the server that does nothing answers in a third of the time. */
const longestProbe = 100;
const longestRatio = 3;

/** What must not be, at any speed of the machine: a client that is not served, or memory without bound. */
export function complaintsIn({
  complaints,
  clients,
  peakMemory,
  probes,
  served,
  connected,
}: HostileReport): readonly string[] {
  return [
    ...complaints,
    ...(peakMemory > unboundedMemory + clients * memoryOfClient
      ? [`The service took ${Math.round(peakMemory)} MB of memory.`]
      : []),
    ...(probes.count === 0 ? ['No probe was answered.'] : []),
    ...(served === 0 ? ['A client with a token got no changes.'] : []),
    ...(connected === 0 ? ['No client with a token could connect.'] : []),
  ];
}

export function failuresIn(report: HostileReport): readonly string[] {
  const { probes, idle, peakMemory, clients } = report;
  const most = mostMemory + clients * memoryOfClient;
  const large = peakMemory > most ? [`The service took more than ${Math.round(most)} MB of memory.`] : [];
  const times = [probes.max, idle.max].map(Math.round);
  const late =
    probes.max > Math.max(longestProbe, longestRatio * idle.max)
      ? [`A probe took ${times[0]} ms. A server that does nothing took up to ${times[1]} ms.`]
      : [];
  return [...complaintsIn(report), ...large, ...late];
}

/** What the service has to allow beside its defaults. */
const limits: Partial<Record<AttackName, string>> = {
  'a-byte-a-second-among-many': 'max_concurrent_connections: 6000',
};

/** How large an attack is. */
export interface AttackSize {
  /** Those that an attack is among. */
  readonly clients: number;
  /** Idle sockets, of the attack that opens more than there is room for. */
  readonly sockets: number;
}

export const usualSize: AttackSize = { clients: 5_000, sockets: 15_000 };

export async function runHostile(
  name: AttackName,
  seconds: number,
  size: AttackSize = usualSize,
): Promise<HostileReport> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-hostile-'));
  const source = await openPostgres();
  let service: ServiceProcess | undefined;
  let database: pg.Client | undefined;
  try {
    database = await source.client();
    await database.query(rows);
    service = await startServiceProcess(writeConfig(folder, source.connection, limits[name] ?? ''), {
      runner: favoured,
      within: 'true',
    });
    await deploy(service);
    return await measure(name, { seconds, ...size }, service, database);
  } finally {
    await database?.end();
    await service?.kill();
    await source.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeConfig(folder: string, connection: string, parameters: string): string {
  const path = join(folder, 'service.yaml');
  writeFileSync(
    path,
    `replication: { connections: [${connection}] }
storage: { type: embedded, path: ${join(folder, 'storage')} }
port: 0
api: { tokens: [${admin}], parameters: { ${parameters} } }
client_auth: ${JSON.stringify(clientAuth)}
healthcheck: { probes: { use_http: true } }
`,
  );
  return path;
}

/** 20 MB for the user in whose name is attacked, so that a client that does not read is stuck; little for others. */
const rows = `
INSERT INTO lists SELECT 'l' || n, repeat('x', 100) FROM generate_series(1, 200) n;
INSERT INTO items SELECT 'i' || n, 'user1', 'title', repeat('x', 10000) FROM generate_series(1, 2000) n;`;

const syncConfig = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT id, title FROM lists
  items:
    auto_subscribe: true
    query: SELECT id, body FROM items WHERE list_id = auth.user_id()
`;

async function deploy({ url, port }: ServiceProcess): Promise<void> {
  const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/yaml' };
  const answer = await fetch(`${url}/api/sync-rules/v1/deploy`, {
    method: 'POST',
    headers,
    body: syncConfig,
  });
  if (!answer.ok) throw new Error(await answer.text());
  for (let tries = 0; tries < 200; tries += 1) {
    const stream = await openStream(port, { token: await clientToken('honest') });
    stream.close();
    if (stream.status === 200) return;
    await pause(100);
  }
  throw new Error('The sync config does not become active.');
}

async function measure(
  name: AttackName,
  { seconds, clients, sockets }: AttackSize & { readonly seconds: number },
  service: ServiceProcess,
  database: pg.Client,
): Promise<HostileReport> {
  const complaints: string[] = [];
  const note = (child: ChildProcess): void => {
    child.on('message', (message: { readonly complaint?: string }) => {
      if (message.complaint !== undefined) complaints.push(message.complaint);
    });
  };
  const honest = await connect(service);
  const yardstick = startBeside('./yardstick.ts', {}, favoured);
  const { port: idlePort } = await messageOf<{ readonly port: number }>(yardstick, 'listening');
  const urls = [`${service.url}/probes/liveness`, `http://127.0.0.1:${idlePort}/`];
  const prober = startBeside('./prober.ts', urls, favoured);
  await messageOf(prober, 'ready');
  const among = name in limits ? clients : 0;
  const target: Target = { port: service.port, seed: Date.now() % 100_000, clients, sockets };
  const attacker = startBeside('./attacker.ts', { name, target }, last);
  note(attacker);
  note(prober);
  void messageOf(attacker, 'begun').then(
    () => prober.send('begin again'),
    () => undefined,
  );
  try {
    const numbers = await serveMeanwhile(service, database, honest, seconds, complaints);
    const results = Promise.all([
      messageOf<{ readonly times: readonly (readonly number[])[] }>(prober, 'times'),
      messageOf<{ readonly attempts: number }>(attacker, 'attempts'),
    ]);
    prober.send('stop');
    attacker.send('stop');
    const [{ times }, { attempts }] = await results;
    const [probes = [], idle = []] = times;
    return { ...numbers, complaints, attempts, clients: among, probes: timesOf(probes), idle: timesOf(idle) };
  } finally {
    honest.close();
    await Promise.all([yardstick, attacker, prober].map(endOf));
  }
}

async function serveMeanwhile(
  service: ServiceProcess,
  database: pg.Client,
  honest: SyncStream,
  seconds: number,
  complaints: string[],
): Promise<Pick<HostileReport, 'peakMemory' | 'served' | 'connected'>> {
  const numbers = { peakMemory: 0, served: 0, connected: 0 };
  const end = Date.now() + seconds * 1000;
  const untilEnd = async (act: () => Promise<void>, every: number): Promise<void> => {
    while (Date.now() < end) {
      await act().catch((error: Error) => complaints.push(error.message));
      await pause(every);
    }
  };
  await Promise.all([
    untilEnd(async () => {
      numbers.peakMemory = Math.max(numbers.peakMemory, await memoryOf(service.pid));
    }, 500),
    untilEnd(async () => {
      const id = `change${numbers.served}`;
      await database.query('INSERT INTO lists VALUES ($1, $2)', [id, 'x']);
      await honest.until(({ client }) => client.rows.has(`lists/${id}`), id);
      numbers.served += 1;
    }, 300),
    untilEnd(async () => {
      (await connect(service)).close();
      await connectSocket(service);
      numbers.connected += 1;
    }, 1_000),
  ]);
  return numbers;
}

/** MB: the most that it ever took where the system tells (Linux), else what it takes now. */
async function memoryOf(pid: number): Promise<number> {
  if (process.platform === 'linux') {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  }
  const { stdout } = await execute('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) / 1024;
}

function timesOf(values: readonly number[]): Times {
  return {
    count: values.length,
    p50: percentile(values, 50),
    p99: percentile(values, 99),
    max: Math.max(0, ...values),
  };
}

/** Resolves when it has everything. */
async function connect({ port }: ServiceProcess): Promise<SyncStream> {
  const stream = await openStream(port, { token: await clientToken('honest') });
  if (stream.status !== 200) throw new Error(`A client with a token got ${stream.status}.`);
  await stream.until(({ completed }) => completed.length > 0, 'the first checkpoint');
  return stream;
}

/** As SDKs do over WebSocket; resolves when the first line has come. */
async function connectSocket({ port }: ServiceProcess): Promise<void> {
  const token = await clientToken('honest');
  const socket = new WebSocket(`ws://127.0.0.1:${port}/sync/stream`);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.on('open', () => {
        socket.send(setupFrame(token));
        socket.send(requestFrame(1));
      });
      socket.on('message', (data: Buffer) => {
        if (data.readUInt16BE(4) >> 10 === payload) resolve();
        else reject(new Error('A client with a token was refused over WebSocket.'));
      });
      const end = (reason: unknown) =>
        reject(new Error(`A client with a token was cut off over WebSocket: ${String(reason)}`));
      socket.on('error', end).on('close', end);
    });
  } finally {
    socket.terminate();
  }
}

/** A frame's type. */
const payload = 0x0a;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
