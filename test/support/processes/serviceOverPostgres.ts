/** A service with a PostgreSQL source and either kind of storage. All of its processes end with the test. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { clientAuth } from '../clients/clientAuth.ts';
import { connectionConfig, startPostgres } from './postgres.ts';
import { type ServiceProcess, startServiceProcess } from './serviceProcess.ts';

export type StorageType = 'embedded' | 'postgresql';

export interface ServiceOverPostgres {
  /** The folder of an embedded storage. */
  readonly storageFolder: string;
  /** The token of an admin. */
  readonly admin: string;
  /** Returns the current process of the service. */
  readonly service: () => ServiceProcess;
  /** Sends a POST as an admin, and returns the data of the answer. Throws if the request fails. */
  post<Data>(route: string, body: object): Promise<Data>;
  /** Runs a statement in the source. */
  sql(text: string): Promise<Record<string, unknown>[]>;
  /** Runs a statement in the database of a PostgreSQL storage. */
  storageSql(text: string): Promise<Record<string, unknown>[]>;
  /** Kills the service if it is running, and starts it again. */
  restart(): Promise<void>;
}

/** @param ddl statements that create the tables of the source */
export async function startServiceOverPostgres(
  storage: StorageType,
  ddl: string,
): Promise<ServiceOverPostgres> {
  const admin = 'admin';
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'headwater-over-postgres-'));
  const storageFolder = join(folder, 'data');
  const [source, beside] = [await postgres.createDatabase(), await postgres.createDatabase()];
  const sqlIn = (database: string) => (text: string) =>
    postgres.query<Record<string, unknown>>(text, undefined, database);
  const sql = sqlIn(source);
  await sql(ddl);
  const path = join(folder, 'service.yaml');
  const settings = {
    replication: { connections: [connectionConfig(postgres, source)] },
    storage:
      storage === 'postgresql'
        ? connectionConfig(postgres, beside)
        : { type: 'embedded', path: storageFolder },
    verification: { percent_of_time: 0 },
    port: 0,
    api: { tokens: [admin] },
    client_auth: clientAuth,
  };
  writeFileSync(path, JSON.stringify(settings));
  let service = await startServiceProcess(path);
  onTestFinished(async () => {
    await service.kill();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    storageFolder,
    admin,
    service: () => service,
    post: async <Data>(route: string, body: object) => {
      const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json' };
      const answer = await fetch(service.url + route, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return ((await answer.json()) as { data: Data }).data;
    },
    sql,
    storageSql: sqlIn(beside),
    restart: async () => {
      await service.kill();
      service = await startServiceProcess(path);
    },
  };
}
