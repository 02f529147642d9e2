/** Apps with two versions of the real SDK. One of their streams exceeds the limit; the others sync, and the SDK logs the reason. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as newest from '@powersync/node';
import * as older from 'powersync-node-0.18';
import { expect, onTestFinished, test } from 'vitest';
import { ownLists, type Syncing, startSyncing } from '../../support/clients/syncing.ts';

const config = `${ownLists}  todos:
    auto_subscribe: true
    query: SELECT * FROM todos WHERE list IN (SELECT id FROM lists WHERE owner = auth.user_id())
`;

interface App {
  readonly database: {
    readonly getAll: (sql: string) => Promise<readonly unknown[]>;
    readonly close: () => Promise<void>;
    readonly currentStatus: { readonly hasSynced?: boolean | undefined };
  };
  /** The log of the SDK. */
  readonly log: readonly string[];
}

const retryDelayMs = 100;

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-app-'));
  const database = { dbFilename: `${basename(folder)}.db`, dbLocation: folder };
  return { folder, database: { ...database, implementation: { type: 'node:sqlite' as const } } };
}

function endWithTest(folder: string, database: App['database']): void {
  onTestFinished(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

const credentials = (port: number) => ({
  fetchCredentials: async () => ({ endpoint: `http://127.0.0.1:${port}`, token: 'user1' }),
  uploadData: async () => {},
});

function openNewest(port: number): App {
  const log: string[] = [];
  const { folder, database: at } = place();
  const { column, Schema, Table } = newest;
  const schema = new Schema({
    lists: new Table({ owner: column.text, name: column.text }),
    todos: new Table({ list: column.text }),
  });
  const logger = { log: (record: { readonly message: string }) => void log.push(record.message) };
  const database = new newest.PowerSyncDatabase({ schema, database: at, logger });
  endWithTest(folder, database);
  void database.connect(credentials(port), { retryDelayMs });
  return { database, log };
}

function openOlder(port: number): App {
  const log: string[] = [];
  const { folder, database: at } = place();
  const { column, Schema, Table } = older;
  const schema = new Schema({
    lists: new Table({ owner: column.text, name: column.text }),
    todos: new Table({ list: column.text }),
  });
  const logger = older.createLogger(folder, { logLevel: older.LogLevel.TRACE });
  older.createBaseLogger().setHandler((messages) => void log.push(Array.from(messages).join(' ')));
  const database = new older.PowerSyncDatabase({ schema, database: at, logger });
  endWithTest(folder, database);
  void database.connect(credentials(port), { retryDelayMs });
  return { database, log };
}

const versions = [
  { version: 'the newest', open: openNewest },
  { version: '0.18', open: openOlder },
];

/** The user has five buckets, one more than the limit: one with the lists, and one with the todos of each of the four lists. */
async function startOverLimit(): Promise<Syncing> {
  const syncing = await startSyncing({ config, settings: { maxBucketsPerConnection: 4 } });
  syncing.source.commit((t) => {
    for (const n of [1, 2, 3, 4]) {
      t.insert('lists', { id: `l${n}`, owner: 'user1', name: 'first' });
      t.insert('todos', { id: `t${n}`, list: `l${n}` });
    }
  });
  return syncing;
}

test.each(versions)(
  'the SDK ($version) syncs the streams within the limit, and logs the error of the other stream',
  async ({ open }) => {
    const { source, server } = await startOverLimit();
    const { database, log } = open(server.port);
    const until = (sql: string, rows: readonly unknown[]) =>
      expect.poll(() => database.getAll(sql)).toEqual(rows);
    await until('SELECT count(*) AS n FROM lists', [{ n: 4 }]);
    expect(await database.getAll('SELECT count(*) AS n FROM todos')).toEqual([{ n: 0 }]);
    await expect.poll(() => database.currentStatus.hasSynced).toBe(true);
    await expect.poll(() => log.join('\n')).toMatch(/todos has errors: .*limit of one client is 4/);
    source.commit((t) => t.update('lists', 'l1', { name: 'changed' }));
    await until("SELECT id FROM lists WHERE name = 'changed'", [{ id: 'l1' }]);
    source.commit((t) => t.remove('lists', 'l4'));
    await until('SELECT count(*) AS n FROM todos', [{ n: 3 }]);
  },
);
