/** The stage of benches of the entire path: a table of items, the built service over it, and clients that only count. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientAuth, clientToken } from '../support/clients/clientAuth.ts';
import { freePort } from '../support/processes/freePort.ts';
import { connectionConfig, type TestPostgres } from '../support/processes/postgres.ts';
import { type ServiceProcess, startServiceProcess } from '../support/processes/serviceProcess.ts';

const admin = 'bench';
const owners = 100;

export const streams = {
  owner: 'SELECT * FROM items WHERE owner_id = auth.user_id()',
  global: 'SELECT * FROM items',
} as const;

export type StreamName = keyof typeof streams;

export type BenchService = Pick<ServiceProcess, 'url' | 'port' | 'pid' | 'kill'>;

export interface Stage {
  readonly service: BenchService;
  readonly query: (sql: string) => Promise<unknown>;
  readonly peak: () => number;
  readonly close: () => Promise<void>;
}

export interface ServicePlace {
  /** The path of the service config. */
  readonly config: string;
  readonly port: number;
}

export type StartService = (place: ServicePlace) => Promise<BenchService>;

interface StageChoices extends Pick<ServiceChoices, 'storage'> {
  /** Default: the built service. */
  readonly start?: StartService;
}

/** The deploy has just been answered when it resolves. */
export async function openStage(
  postgres: TestPostgres,
  name: StreamName,
  rows: number,
  { storage, start }: StageChoices = {},
): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'));
  const database = await postgres.createDatabase();
  const client = await postgres.client(database);
  const query = (sql: string) => client.query(sql);
  await query(`CREATE TABLE items (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), owner_id text, title text,
    done boolean, created_at timestamptz DEFAULT now());
    CREATE PUBLICATION powersync FOR ALL TABLES; ${insert(rows)}; ANALYZE items`);
  const config = join(folder, 'service.yaml');
  // The built service reports the port that it has found.
  const port = start === undefined ? 0 : await freePort();
  writeFileSync(config, serviceConfig(postgres, database, folder, { storage, port }));
  const service = await (start?.({ config, port }) ?? startServiceProcess(config));
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(service.pid));
  }, 50);
  await deploy(service, configOf(name));
  return {
    service,
    query,
    peak: () => peak,
    close: async () => {
      clearInterval(timer);
      await client.end();
      await service.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function insert(rows: number): string {
  return `INSERT INTO items (owner_id, title, done)
    SELECT 'owner-' || n % ${owners}, 'A title of some thirty letters ' || n, n % 2 = 0 FROM generate_series(1, ${rows}) n`;
}

export interface ServiceChoices {
  /** The limits of clients: `api.parameters`. */
  readonly limits?: Readonly<Record<string, number>>;
  /** A server that has nothing else to do, with the storage in its database `postgres`; default: the embedded storage. */
  readonly storage?: TestPostgres | undefined;
  readonly verification?: { readonly percent_of_time: number };
  /** Default: any free port. */
  readonly port?: number;
}

export function serviceConfig(
  postgres: TestPostgres,
  database: string,
  folder: string,
  { limits = {}, storage, verification, port = 0 }: ServiceChoices = {},
): string {
  return JSON.stringify({
    replication: {
      // The console reads rows of the source.
      connections: [{ ...connectionConfig(postgres, database), debug_api: true }],
    },
    storage:
      storage === undefined
        ? { type: 'embedded', path: join(folder, 'storage') }
        : connectionConfig(storage, 'postgres'),
    ...(verification && { verification }),
    port,
    api: { tokens: [admin], parameters: limits },
    client_auth: clientAuth,
  });
}

function configOf(name: StreamName): string {
  return `config:\n  edition: 3\nstreams:\n  ${name}:\n    auto_subscribe: true\n    query: ${streams[name]}\n`;
}

export async function deploy(service: Pick<BenchService, 'url'>, content: string): Promise<void> {
  const answer = await post(service, '/api/sync-rules/v1/deploy', JSON.stringify({ content }));
  if (!answer.ok) throw new Error(await answer.text());
}

export function post({ url }: Pick<ServiceProcess, 'url'>, path: string, body: string): Promise<Response> {
  const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json' };
  return fetch(url + path, { method: 'POST', headers, body });
}

/** @param content which one serves; by default any */
export async function isActive({ service }: Pick<Stage, 'service'>, content?: string): Promise<boolean> {
  const asked = JSON.stringify({ sync_rules_content: content !== undefined });
  const { data } = (await (await post(service, '/api/admin/v1/diagnostics', asked)).json()) as {
    data: { active_sync_rules?: { content?: string } };
  };
  const active = data.active_sync_rules;
  return active !== undefined && (content === undefined || active.content === content);
}

export interface CountingClient {
  /** Returns the operations of the first checkpoint. Later ones are not counted, because counting costs time. */
  readonly ops: () => number;
  readonly completed: () => Promise<void>;
  readonly saw: (text: string) => Promise<void>;
  /** The service has ended the stream, as it does when another config serves. */
  readonly ended: Promise<void>;
  readonly close: () => void;
}

/** The length in bytes of a searched text, which may arrive in two pieces. */
const longest = 100;

/** Looks for bytes and reads nothing: it costs little beside the service. */
export async function openStream(
  { port }: Pick<BenchService, 'port'>,
  user: string,
): Promise<CountingClient> {
  const token = await clientToken(user);
  let ops = 0;
  const waiting: { readonly bytes: Buffer; readonly found: () => void }[] = [];
  const wait = (text: string) =>
    new Promise<void>((found) => {
      waiting.push({ bytes: Buffer.from(text), found });
    });
  let isFirst = true;
  const first = wait('"checkpoint_complete"').then(() => {
    isFirst = false;
  });
  const sent = request({
    port,
    path: '/sync/stream',
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  sent.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => sent.once('close', () => resolve()));
  let end: Buffer = Buffer.alloc(0);
  sent.on('response', (response) => {
    response.on('error', () => undefined);
    response.on('data', (bytes: Buffer) => {
      const edge = Buffer.concat([end, bytes.subarray(0, longest)]);
      end = Buffer.concat([end, bytes.subarray(-longest)]).subarray(-longest);
      if (isFirst)
        for (let at = bytes.indexOf('"op_id"'); at >= 0; at = bytes.indexOf('"op_id"', at + 7)) ops += 1;
      for (const each of [...waiting]) {
        if (!bytes.includes(each.bytes) && !edge.includes(each.bytes)) continue;
        waiting.splice(waiting.indexOf(each), 1);
        each.found();
      }
    });
  });
  sent.end(JSON.stringify({ raw_data: true, buckets: [] }));
  return { ops: () => ops, completed: () => first, saw: wait, ended, close: () => sent.destroy() };
}

export function residentMegabytes(pid: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}

/** Returns the milliseconds of all threads of a process. `/proc/PID/stat` has steps of 10 ms, which is too coarse here. */
export function processorTime(pid: number): number {
  const threads = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(threads).map((thread) => {
    const [time] = readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ');
    return Number(time);
  });
  return nanoseconds.reduce((sum, time) => sum + time, 0) / 1e6;
}

/** Files, sockets and pipes that a process has open. */
export function handlesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
