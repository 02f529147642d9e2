/** Apps with the real client SDK that count the operations that they get. */
import { column, Schema, Table } from '@powersync/common';
import { clientToken } from '../../support/clients/clientAuth.ts';
import { openSdkDatabase } from '../../support/clients/sdkDatabase.ts';
import { pause } from '../stage.ts';
import { tableNames } from './rows.ts';

export interface CountingApp {
  /** Returns the number of downloaded operations by table, whether they changed anything or not. */
  operations(): Promise<ReadonlyMap<string, number>>;
  bucketNames(): Promise<readonly string[]>;
  /** Asks a question again and again until it has this answer. */
  until(sql: string, answer: unknown): Promise<void>;
  close(): Promise<void>;
}

/** The time limit in milliseconds. */
const patience = 120_000;

const item = () =>
  new Table({ project: column.text, title: column.text, done: column.integer, created_at: column.text });
const schema = new Schema({
  ...Object.fromEntries(tableNames.map((name) => [name, item()])),
  notes: new Table({ owner: column.text, body: column.text }),
});

export async function openCountingApp(endpoint: string, user: string): Promise<CountingApp> {
  const token = await clientToken(user, '2h');
  const { database, close } = openSdkDatabase(schema);
  // The SDK stores each operation there, before anything else happens to it.
  await database.execute('CREATE TABLE counted (row_type TEXT PRIMARY KEY, n INTEGER)');
  await database.execute(`CREATE TRIGGER count_operations AFTER INSERT ON ps_oplog BEGIN
    INSERT INTO counted VALUES (NEW.row_type, 1) ON CONFLICT DO UPDATE SET n = n + 1; END`);
  void database.connect(
    { fetchCredentials: async () => ({ endpoint, token }), uploadData: async () => {} },
    { retryDelayMs: 100 },
  );
  return {
    operations: async () => {
      const rows = await database.getAll<{ row_type: string; n: number }>('SELECT row_type, n FROM counted');
      return new Map(rows.map(({ row_type, n }) => [row_type, n]));
    },
    bucketNames: async () =>
      (await database.getAll<{ name: string }>('SELECT name FROM ps_buckets ORDER BY name')).map(
        ({ name }) => name,
      ),
    until: async (sql, answer) => {
      const late = AbortSignal.timeout(patience);
      for (;;) {
        const [row] = await database.getAll<Record<string, unknown>>(sql);
        const found = Object.values(row ?? {})[0];
        if (found === answer) return;
        if (late.aborted)
          throw new Error(`${user} has ${String(found)} instead of ${String(answer)}: ${sql}`);
        await pause(50);
      }
    },
    close,
  };
}
