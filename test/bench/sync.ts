/**
 * The whole path: a real PostgreSQL, the built service with its embedded storage, clients that count what they get.
 * The yardstick is the reference service on a machine of two cores, with PostgreSQL as its storage.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { startPostgres, superuser, type TestPostgres } from '../support/postgres.ts';
import { type ServiceProcess, startServiceProcess } from '../support/serviceProcess.ts';
import { percentile, printTable } from './measure.ts';

const ADMIN = 'bench';
const SECRET = 'a secret that only this bench knows, and that is long enough';
const ROWS = 100_000;
const OWNERS = 100;

const streams = {
  owner: 'SELECT * FROM items WHERE owner_id = auth.user_id()',
  global: 'SELECT * FROM items',
} as const;

type StreamName = keyof typeof streams;

export async function bench(): Promise<void> {
  const postgres = await startPostgres();
  try {
    const rows: string[][] = [];
    for (const name of ['owner', 'global'] as const) rows.push(...(await measure(postgres, name)));
    printTable('From the source to clients', ['what', 'ours', 'reference', 'ratio', 'target'], rows);
  } finally {
    await postgres.stop();
  }
}

/** Of the reference, per second or in milliseconds. */
const yardsticks = {
  copy: { owner: 10_100, global: 13_200 },
  stream: { owner: 11_900, global: 14_600 },
  firstSync: 36_200,
  latency: { p50: 9.3, p95: 12.8 },
  memory: 634,
} as const;

async function measure(postgres: TestPostgres, name: StreamName): Promise<string[][]> {
  const bench = await open(postgres, name);
  try {
    const lines = [await copied(bench, name), await streamed(bench, name)];
    if (name === 'global') {
      for (const clients of [1, 10, 100]) lines.push(await downloaded(bench, clients));
      lines.push(...(await latencies(bench)));
    }
    return [...lines, memoryLine(bench, name)];
  } finally {
    await bench.close();
  }
}

interface Bench {
  readonly service: ServiceProcess;
  readonly query: (sql: string) => Promise<unknown>;
  readonly peak: () => number;
  readonly close: () => Promise<void>;
}

async function open(postgres: TestPostgres, name: StreamName): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'));
  const database = await postgres.createDatabase();
  const client = await postgres.client(database);
  const query = (sql: string) => client.query(sql);
  await query(`CREATE TABLE items (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), owner_id text, title text,
    done boolean, created_at timestamptz DEFAULT now());
    CREATE PUBLICATION powersync FOR ALL TABLES; ${insert(ROWS)}; ANALYZE items`);
  const config = join(folder, 'service.yaml');
  writeFileSync(config, serviceConfig(postgres, database, folder));
  const service = await startServiceProcess(config);
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(service.pid));
  }, 50);
  await deploy(service, name);
  return {
    ...{ service, query, peak: () => peak },
    close: async () => {
      clearInterval(timer);
      await client.end();
      await service.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function insert(rows: number): string {
  return `INSERT INTO items (owner_id, title, done)
    SELECT 'owner-' || n % ${OWNERS}, 'A title of some thirty letters ' || n, n % 2 = 0 FROM generate_series(1, ${rows}) n`;
}

function serviceConfig({ port }: TestPostgres, database: string, folder: string): string {
  const { user: username, password } = superuser;
  const k = Buffer.from(SECRET).toString('base64url');
  return JSON.stringify({
    replication: {
      connections: [
        { type: 'postgresql', hostname: '127.0.0.1', port, database, username, password, sslmode: 'disable' },
      ],
    },
    storage: { type: 'embedded', path: join(folder, 'storage') },
    port: 0,
    api: { tokens: [ADMIN] },
    client_auth: { audience: ['bench'], jwks: { keys: [{ kty: 'oct', alg: 'HS256', kid: 'one', k }] } },
  });
}

async function deploy(service: ServiceProcess, name: StreamName): Promise<void> {
  const content = `config:\n  edition: 3\nstreams:\n  ${name}:\n    auto_subscribe: true\n    query: ${streams[name]}\n`;
  const answer = await post(service, '/api/sync-rules/v1/deploy', JSON.stringify({ content }));
  if (!answer.ok) throw new Error(await answer.text());
}

function post({ url }: ServiceProcess, path: string, body: string): Promise<Response> {
  const headers = { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' };
  return fetch(url + path, { method: 'POST', headers, body });
}

/** From the deploy until it is active. */
async function copied(bench: Bench, name: StreamName): Promise<string[]> {
  const start = performance.now();
  while (!(await isActive(bench))) await pause(20);
  return rateLine(`initial replication, ${name}`, ROWS, performance.now() - start, yardsticks.copy[name], 4);
}

async function isActive({ service }: Bench): Promise<boolean> {
  const { data } = (await (await post(service, '/api/admin/v1/diagnostics', '{}')).json()) as {
    data: { active_sync_rules?: unknown };
  };
  return data.active_sync_rules !== undefined;
}

/** 50,000 inserts in transactions of 100, until the last one is at a client. */
async function streamed(bench: Bench, name: StreamName): Promise<string[]> {
  const client = await openStream(bench.service, 'owner-0');
  await client.completed();
  const start = performance.now();
  for (let n = 0; n < 500; n += 1) await bench.query(insert(100));
  await bench.query(`INSERT INTO items (owner_id, title) VALUES ('owner-0', 'the very last')`);
  await client.saw('the very last');
  const elapsed = performance.now() - start;
  client.close();
  return rateLine(`streaming, ${name}`, 50_000, elapsed, yardsticks.stream[name], 4);
}

async function downloaded({ service }: Bench, clients: number): Promise<string[]> {
  const start = performance.now();
  const opened = await Promise.all(Array.from({ length: clients }, () => openStream(service, 'owner-0')));
  await Promise.all(opened.map(({ completed }) => completed()));
  const elapsed = performance.now() - start;
  const ops = opened.reduce((sum, { ops: count }) => sum + count(), 0);
  for (const client of opened) client.close();
  return rateLine(`first sync, ${clients} clients`, ops, elapsed, yardsticks.firstSync, 8);
}

async function latencies({ service, query }: Bench): Promise<string[][]> {
  const client = await openStream(service, 'owner-0');
  await client.completed();
  const { rows } = (await query('SELECT id FROM items LIMIT 1')) as { rows: { id: string }[] };
  const id = rows[0]?.id;
  const times: number[] = [];
  for (let n = 0; n < 300; n += 1) {
    const text = `latency ${n} of the run`;
    const seen = client.saw(text);
    // Its execution counts, too: nobody outside sees the moment of its commit.
    const start = performance.now();
    await Promise.all([query(`UPDATE items SET title = '${text}' WHERE id = '${id}'`), seen]);
    times.push(performance.now() - start);
    await pause(10);
  }
  client.close();
  return (['p50', 'p95'] as const).map((name) => {
    const time = percentile(times, Number(name.slice(1)));
    const reference = yardsticks.latency[name];
    const target = name === 'p50' ? '≤ 5 ms' : '≤ 8 ms';
    return [
      `commit to client, ${name}`,
      `${time.toFixed(1)} ms`,
      `${reference} ms`,
      `${(reference / time).toFixed(1)} ×`,
      target,
    ];
  });
}

interface CountingClient {
  readonly ops: () => number;
  readonly completed: () => Promise<void>;
  readonly saw: (text: string) => Promise<void>;
  readonly close: () => void;
}

/** Looks for bytes and reads nothing: it costs little beside the service. */
async function openStream({ port }: ServiceProcess, user: string): Promise<CountingClient> {
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .setSubject(user)
    .setAudience('bench')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(Buffer.from(SECRET));
  let ops = 0;
  const waiting: { readonly bytes: Buffer; readonly found: () => void }[] = [];
  const wait = (text: string) =>
    new Promise<void>((found) => {
      waiting.push({ bytes: Buffer.from(text), found });
    });
  const first = wait('"checkpoint_complete"');
  const sent = request({
    port,
    path: '/sync/stream',
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  sent.on('error', () => undefined);
  sent.on('response', (response) => {
    response.on('error', () => undefined);
    response.on('data', (bytes: Buffer) => {
      for (let at = bytes.indexOf('"op_id"'); at >= 0; at = bytes.indexOf('"op_id"', at + 7)) ops += 1;
      for (const each of [...waiting]) {
        if (!bytes.includes(each.bytes)) continue;
        waiting.splice(waiting.indexOf(each), 1);
        each.found();
      }
    });
  });
  sent.end(JSON.stringify({ raw_data: true, buckets: [] }));
  return { ops: () => ops, completed: () => first, saw: wait, close: () => sent.destroy() };
}

function rateLine(what: string, count: number, elapsed: number, reference: number, target: number): string[] {
  const rate = (count / elapsed) * 1000;
  const shown = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;
  return [what, shown(rate), shown(reference), `${(rate / reference).toFixed(1)} ×`, `≥ ${target} ×`];
}

function memoryLine({ peak }: Bench, name: StreamName): string[] {
  const ratio = `${(yardsticks.memory / peak()).toFixed(1)} ×`;
  return [
    `memory at its peak, ${name}`,
    `${peak().toFixed(0)} MB`,
    `${yardsticks.memory} MB`,
    ratio,
    '≥ 3 ×',
  ];
}

function residentMegabytes(pid: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
