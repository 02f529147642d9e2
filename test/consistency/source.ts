/** The two kinds of source that a run may have. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../support/processes/freePort.ts';
import { connectionConfig, type ServerSettings, startPostgres } from '../support/processes/postgres.ts';
import { ddl, published } from './scenario.ts';

export interface TestSource {
  /** A connection of `service.yaml`, as JSON. */
  readonly connection: string;
  client(): Promise<pg.Client>;
  /** Absent if the source starts and ends with the service. */
  restart?(whileDown: () => Promise<void>): Promise<void>;
  /** Absent if the source starts and ends with the service. */
  keepCopy?(): Promise<void>;
  putBack?(): Promise<void>;
  /** Restarts the server as a standby that takes over. */
  promote?(): Promise<void>;
  stop(): Promise<void>;
}

export async function openPostgres(settings?: ServerSettings): Promise<TestSource> {
  const postgres = await startPostgres(settings);
  const database = await postgres.createDatabase();
  await postgres.query(`${ddl} CREATE PUBLICATION powersync FOR TABLE ${published};`, undefined, database);
  return {
    connection: JSON.stringify(connectionConfig(postgres, database)),
    client: () => postgres.client(database),
    restart: async (whileDown) => {
      await postgres.halt();
      await whileDown();
      await postgres.resume();
    },
    keepCopy: () => postgres.keepCopy(),
    putBack: () => postgres.putBack(),
    promote: postgres.promote,
    stop: () => postgres.stop(),
  };
}

/** Opens an embedded database, which listens while the service runs. */
export async function openEmbedded(folder: string): Promise<TestSource> {
  const port = await freePort();
  const schema = join(folder, 'schema.sql');
  writeFileSync(schema, ddl);
  return {
    connection: JSON.stringify({ type: 'embedded', schema, port, password: 'consistent' }),
    client: async () => {
      const client = new pg.Client({
        host: '127.0.0.1',
        port,
        user: 'postgres',
        password: 'consistent',
        database: 'postgres',
      });
      client.on('error', () => undefined);
      await client.connect();
      return client;
    },
    stop: async () => {},
  };
}
