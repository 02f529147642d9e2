/** A database with what the benches of scale need, and the built service over it. */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientToken } from '../../support/clients/clientAuth.ts';
import type { TestPostgres } from '../../support/processes/postgres.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/processes/serviceProcess.ts';
import { deploy, isActive, pause, processorTime, type ServiceChoices, serviceConfig } from '../stage.ts';

export interface World {
  readonly service: ServiceProcess;
  /** The database of the source. */
  readonly database: string;
  readonly query: (sql: string) => Promise<unknown>;
  /** Deploys, and returns the milliseconds until the config is active. */
  readonly deploy: (content: string) => Promise<number>;
  /** Bytes of the files of its storage. */
  readonly stored: () => number;
  readonly close: () => Promise<void>;
}

export interface WorldOptions extends Pick<ServiceChoices, 'storage' | 'verification'> {
  readonly tables: string;
  /** Another build to compare with. */
  readonly program?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  /** Processes that serve clients; absent: the service itself does. */
  readonly workers?: number;
}

/** Limits far above the measured amounts. The limits themselves are measured elsewhere. */
export const limits = {
  max_concurrent_connections: 20_000,
  max_buckets_per_connection: 20_000,
  max_parameter_query_results: 20_000,
};

export async function openWorld(
  postgres: TestPostgres,
  { tables, program, env, workers = 0, ...choices }: WorldOptions,
): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'));
  const database = await postgres.createDatabase();
  const client = await postgres.client(database);
  const query = (sql: string) => client.query(sql);
  await query(`CREATE PUBLICATION powersync FOR ALL TABLES; ${tables}`);
  // A transaction of its own is needed: the statistics would count its inserted rows as later changes.
  await query('ANALYZE');
  const config = join(folder, 'service.yaml');
  writeFileSync(config, serviceConfig(postgres, database, folder, { limits, ...choices }));
  const service = await startServiceProcess(config, {
    ...(program && { program }),
    ...(env && { env }),
    ...(workers > 0 && { args: ['--workers', String(workers)] }),
  });
  return {
    service,
    database,
    query,
    deploy: async (content) => {
      const start = performance.now();
      await deploy(service, content);
      const elapsed = () => performance.now() - start;
      // Each look takes the service some milliseconds: of a long copy, a small part of its time.
      while (!(await isActive({ service }, content))) await pause(Math.max(20, elapsed() / 100));
      return elapsed();
    },
    stored: () =>
      readdirSync(join(folder, 'storage')).reduce(
        (sum, file) => sum + statSync(join(folder, 'storage', file)).size,
        0,
      ),
    close: async () => {
      await client.end();
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the request of a client for one stream. */
export async function requestOf({ port }: ServiceProcess, user: string, stream: string): Promise<string> {
  const subscriptions = [{ stream, parameters: null, override_priority: null }];
  const streams = { include_defaults: false, subscriptions };
  const body = JSON.stringify({ raw_data: true, client_id: `client of ${user}`, buckets: [], streams });
  return [
    'POST /sync/stream HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${await clientToken(user)}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

export function requestsOf(service: ServiceProcess, users: readonly string[], stream: string) {
  return Promise.all(users.map((user) => requestOf(service, user, stream)));
}

export const complete = '{"checkpoint_complete"';

/** Milliseconds of the service's processor that something takes. */
export async function processorFor({ service }: World, work: () => Promise<unknown>): Promise<number> {
  const before = processorTime(service.pid);
  await work();
  return processorTime(service.pid) - before;
}
