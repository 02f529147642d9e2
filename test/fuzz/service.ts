/** A service on a real PostgreSQL in this very process, so that what it does not clean up can be counted. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../server/service/assembly/service.ts';
import { systemClock } from '../../server/service/ground/clock.ts';
import type { Log } from '../../server/service/ground/log.ts';
import { collectGarbage } from '../bench/measure.ts';
import { secret, token } from '../support/clients/tokens.ts';
import { startPostgres } from '../support/processes/postgres.ts';
import { adminToken, serviceSettings } from '../support/service/serviceSettings.ts';

export interface FuzzedService {
  readonly port: number;
  readonly adminToken: string;
  /** Always of the same length. */
  readonly userToken: string;
  /** Lines of the log since the last call that say that the service, not a client, made a mistake. */
  complaints(): readonly string[];
  /** What is still open some time after all clients have gone, beyond what was open before the first. */
  leftovers(): Promise<string | undefined>;
  stop(): Promise<void>;
}

const config = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE owner = auth.user_id()
  todos:
    query: SELECT * FROM todos WHERE list = subscription.parameter('list')
`;

export async function startFuzzedService(): Promise<FuzzedService> {
  const postgres = await startPostgres();
  const database = await postgres.createDatabase();
  await postgres.query(
    `CREATE TABLE lists (id text PRIMARY KEY, owner text, name text);
     CREATE TABLE todos (id text PRIMARY KEY, list text, title text);
     INSERT INTO lists VALUES ('l1', 'user1', 'one'); INSERT INTO todos VALUES ('t1', 'l1', 'first');
     CREATE PUBLICATION powersync FOR ALL TABLES`,
    undefined,
    database,
  );
  const folder = mkdtempSync(join(tmpdir(), 'headwater-fuzz-'));
  const { log, complaints } = recordComplaints();
  const signer = secret('a secret that only tests know, and that is long enough', { kid: 'one' });
  const settings = serviceSettings({
    connection: postgres.connection({ database }),
    storage: { type: 'embedded', path: join(folder, 'data') },
    clientAuth: { keys: [signer.jwk] },
  });
  const world = { clock: systemClock, log, env: {}, fetch };
  const limits = { maxConcurrentConnections: 200 };
  const own = { api: { ...settings.api, ...limits }, probes: { http: true, files: false } };
  const service = await startService({ ...settings, ...own }, folder, world);
  const port = service.port ?? 0;
  await deploy(port);
  complaints();
  const before = openHandles();
  const heapBefore = heapInUse();
  const seconds = Math.floor(Date.now() / 1000);
  return {
    port,
    adminToken,
    complaints,
    userToken: token(signer, { iat: seconds, exp: seconds + 36_000 }),
    leftovers: async () => {
      for (let tries = 0; tries < 100; tries += 1) {
        const grew = heapInUse() - heapBefore;
        if (moreThan(before, openHandles()).length === 0)
          return grew > mostKept ? `${Math.round(grew / 2 ** 20)} MiB are still in use` : undefined;
        await systemClock.sleep(100);
      }
      return `still open after 10 s: ${moreThan(before, openHandles()).join(', ')}`;
    },
    stop: async () => {
      await service.stop();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Bytes: what a service may remember of all that came. */
const mostKept = 64 * 2 ** 20;

/** After a collection of garbage. */
function heapInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function recordComplaints(): { readonly log: Log; readonly complaints: () => readonly string[] } {
  let lines: string[] = [];
  return {
    log: {
      write: (level, message, facts) => {
        if (level === 'error') lines.push(`${message} ${JSON.stringify(facts ?? {})}`);
      },
    },
    complaints: () => {
      const taken = lines;
      lines = [];
      return taken;
    },
  };
}

async function deploy(port: number): Promise<void> {
  const call = async (path: string, body: object): Promise<{ data?: Record<string, unknown> }> => {
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${port}${path}`;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as { data?: Record<string, unknown> };
  };
  await call('/api/sync-rules/v1/deploy', { content: config });
  for (let tries = 0; tries < 600; tries += 1) {
    if ((await call('/api/admin/v1/diagnostics', {})).data?.active_sync_rules !== undefined) return;
    await systemClock.sleep(50);
  }
  throw new Error('The sync config does not become active.');
}

/** Sockets of clients and of ours, and timers, by kind. */
function openHandles(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** The service itself has a few more or fewer at different times. */
const slack = 5;

function moreThan(before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): readonly string[] {
  return [...now].flatMap(([kind, count]) => {
    const more = count - (before.get(kind) ?? 0);
    return more > slack ? [`${more} × ${kind}`] : [];
  });
}
