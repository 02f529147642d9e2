/** Apps with the real client SDK. Each app has its own database in its own folder. */
import {
  column,
  type PowerSyncBackendConnector,
  Schema,
  type SyncOptions,
  SyncStreamConnectionMethod,
  Table,
} from '@powersync/common';
import type { PowerSyncDatabase } from '@powersync/node';
import { onTestFinished } from 'vitest';
import { patient } from '../../../scripts/run/patience.ts';
import type { Row } from '../../../server/engine/plan/evaluate/scope.ts';
import type { MemorySource } from '../service/memorySource.ts';
import { openSdkDatabase } from './sdkDatabase.ts';

export const schema = new Schema({
  lists: new Table({ owner: column.text, name: column.text }),
  todos: new Table({ list: column.text, title: column.text }),
});

export interface App {
  readonly database: PowerSyncDatabase;
  rows(sql: string): Promise<readonly unknown[]>;
  /** Waits until the query returns the expected rows. Runs the query again whenever the tables change. */
  until(sql: string, expected: readonly unknown[]): Promise<void>;
  /** Disconnects from the service, and connects to the service at another port. */
  moveTo(port: number): Promise<void>;
  readonly tokensFetched: number;
}

export interface AppOptions {
  readonly port: number;
  readonly token?: string;
  readonly transport?: 'http' | 'websocket';
  readonly options?: SyncOptions;
  /** The source to which the app's backend writes. */
  readonly backend?: MemorySource;
  /** The app's backend for a real source. */
  readonly upload?: (changes: readonly Upload[]) => Promise<void>;
  readonly expiresAt?: Date;
}

const patience = patient(30_000);

export async function openApp({ token = 'user1', ...more }: AppOptions): Promise<App> {
  let { port } = more;
  const { database, close } = openSdkDatabase(schema);
  onTestFinished(close);
  let tokensFetched = 0;
  const connector: PowerSyncBackendConnector = {
    fetchCredentials: async () => {
      tokensFetched += 1;
      return { endpoint: `http://127.0.0.1:${port}`, token };
    },
    uploadData: async (db) => {
      const batch = await db.getCrudBatch();
      if (batch === null) return;
      upload(more.backend, batch.crud);
      await more.upload?.(batch.crud);
      await batch.complete();
    },
  };
  const connectionMethod =
    more.transport === 'websocket' ? SyncStreamConnectionMethod.WEB_SOCKET : SyncStreamConnectionMethod.HTTP;
  const connect = () =>
    database.connect(connector, {
      retryDelayMs: 100,
      crudUploadThrottleMs: 20,
      connectionMethod,
      ...more.options,
    });
  void connect();
  return {
    database,
    rows: (sql) => database.getAll(sql),
    until: (sql, expected) => until(database, sql, expected),
    moveTo: async (next) => {
      await database.disconnect();
      port = next;
      void connect();
    },
    get tokensFetched() {
      return tokensFetched;
    },
  };
}

export interface Upload {
  readonly op: string;
  readonly table: string;
  readonly id: string;
  readonly opData?: Readonly<Record<string, unknown>>;
}

function upload(backend: MemorySource | undefined, changes: readonly Upload[]): void {
  backend?.commit((transaction) => {
    for (const { op, table, id, opData } of changes) {
      if (op === 'DELETE') transaction.remove(table, id);
      else transaction.put(table, id, { id, ...opData } as Row);
    }
  });
}

async function until(database: PowerSyncDatabase, sql: string, expected: readonly unknown[]): Promise<void> {
  const late = AbortSignal.timeout(patience);
  const wanted = JSON.stringify(expected);
  let seen = '';
  const options = { tables: ['lists', 'todos'], signal: late, triggerImmediate: true };
  for await (const _ of database.onChange(options)) {
    seen = JSON.stringify(await database.getAll(sql));
    if (seen === wanted) return;
  }
  throw new Error(`waited in vain for ${wanted}, last seen was ${seen}`);
}
