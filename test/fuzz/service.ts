/** Runs a service on a real PostgreSQL in this process, so that resources that it does not release can be counted. */
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
  /** The token of a user. It always has the same length. */
  readonly userToken: string;
  /** Returns the log lines since the last call that report a mistake of the service, not of a client. */
  complaints(): readonly string[];
  /**
   * Returns the resources that are still open some time after all clients have left, and were not open before the first
   * one.
   */
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

/** How many bytes a service may keep of all that it has received. */
const mostKept = 64 * 2 ** 20;

/** Returns the memory in use after a garbage collection. */
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

/** Counts the sockets of clients and of the service, and the timers, by kind. */
function openHandles(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** The tolerated difference, because the number of resources of the service itself varies over time. */
const slack = 5;

function moreThan(before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): readonly string[] {
  return [...now].flatMap(([kind, count]) => {
    const more = count - (before.get(kind) ?? 0);
    return more > slack ? [`${more} × ${kind}`] : [];
  });
}
