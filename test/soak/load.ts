/**
 * The load on a service: changes, clients that stay, clients that come and go, deploys, and the polling of editors, all at
 * once.
 */
import { column, Schema, SyncStreamConnectionMethod, Table } from '@powersync/common';
import { openApi } from '../../client/api/api.ts';
import { clientToken } from '../support/clients/clientAuth.ts';
import { openSdkDatabase } from '../support/clients/sdkDatabase.ts';
import type { TestPostgres } from '../support/processes/postgres.ts';

export interface Load {
  /** The number of successful actions so far, by kind. */
  readonly done: Readonly<Record<string, number>>;
  readonly complaints: readonly string[];
  /** Stops all changes. Clients that stay remain connected. */
  rest(): Promise<void>;
  /** Returns whether the clients of the SDK together have as many rows as the source. */
  isInSync(): Promise<boolean>;
  /** Closes the remaining clients. Call {@link rest} first. */
  close(): Promise<void>;
}

export interface LoadSettings {
  readonly url: string;
  readonly adminToken: string;
  readonly postgres: TestPostgres;
  readonly database: string;
}

const users = ['ada', 'ben', 'cleo', 'dan'];
const rows = 400;

export const ddl = `CREATE TABLE lists (id text PRIMARY KEY, owner text, name text);
CREATE TABLE todos (id text PRIMARY KEY, list text, title text);
INSERT INTO lists SELECT 'l' || n, (ARRAY['ada','ben','cleo','dan'])[n % 4 + 1], 'list ' || n FROM generate_series(0, ${rows - 1}) n;
INSERT INTO todos SELECT 't' || n, 'l' || n, repeat('title ', 20) FROM generate_series(0, ${rows - 1}) n;
CREATE PUBLICATION powersync FOR ALL TABLES`;

export function configNumber(n: number): string {
  return `# Revision ${n}
config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE owner = auth.user_id() AND name <> 'revision ${n}'
  todos:
    auto_subscribe: true
    query: SELECT * FROM todos WHERE list IN (SELECT id FROM lists WHERE owner = auth.user_id())
`;
}

export async function startLoad(settings: LoadSettings): Promise<Load> {
  const { url, adminToken, postgres, database } = settings;
  const done: Record<string, number> = {};
  const complaints: string[] = [];
  const stopping = new AbortController();
  const api = openApi({ url, token: adminToken });
  const source = await postgres.client(database);
  let revision = 1;

  /** Repeats an action until the load stops, with a pause in milliseconds after each time. */
  const repeat = async (kind: string, pause: number, act: () => Promise<unknown>): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await act();
        done[kind] = (done[kind] ?? 0) + 1;
      } catch (error) {
        if (!stopping.signal.aborted) complaints.push(`${kind}: ${(error as Error).message}`);
      }
      await sleep(pause, stopping.signal);
    }
  };
  const apps = await Promise.all(
    users.map((user, n) => openApp(url, user, n % 2 === 0 ? 'http' : 'websocket')),
  );
  const loops = [
    repeat('transactions', 20, () => source.query(nextChange(done.transactions ?? 0))),
    repeat('polls', 1_000, () => api.diagnose({ clients: true, buckets: true })),
    repeat('schemas', 5_000, () => api.schema()),
    repeat('validations', 3_000, () => api.validate(configNumber(0))),
    repeat('deploys', 20_000, () => api.deploy(configNumber(++revision))),
    ...users.map((user) => repeat('visits', 500, () => visit(url, user))),
    repeat('refusals', 300, () => refusal(url)),
  ];
  return {
    done,
    complaints,
    isInSync: async () => {
      const counts = await Promise.all(apps.map(({ count }) => count()));
      const { rows: found } = await source.query('SELECT count(*)::int AS n FROM todos');
      return counts.reduce((sum, count) => sum + count, 0) === found[0].n;
    },
    rest: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
    close: async () => {
      await Promise.all(apps.map(({ close }) => close()));
      await api.close();
      await source.end();
    },
  };
}

/** Returns a change that keeps the number of rows, so that the amount of stored data also stays the same. */
function nextChange(n: number): string {
  const id = n % rows;
  if (n % 3 === 0) return `UPDATE todos SET title = 'title ${n} ' || repeat('x', 100) WHERE id = 't${id}'`;
  if (n % 3 === 1)
    return `DELETE FROM todos WHERE id = 't${id}'; INSERT INTO todos VALUES ('t${id}', 'l${id}', 'again ${n}')`;
  return `UPDATE lists SET name = 'name ${n}' WHERE id = 'l${id}'`;
}

/** Reads up to the first complete checkpoint, and disconnects without notice. */
async function visit(url: string, user: string): Promise<void> {
  const gone = new AbortController();
  const response = await fetch(`${url}/sync/stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await clientToken(user)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ raw_data: true, client_id: `visitor-${user}` }),
    signal: AbortSignal.any([gone.signal, AbortSignal.timeout(20_000)]),
  });
  if (response.status !== 200 || response.body === null) throw new Error(`status ${response.status}`);
  for await (const text of response.body.pipeThrough(new TextDecoderStream()))
    if (text.includes('checkpoint_complete')) break;
  gone.abort();
}

async function refusal(url: string): Promise<void> {
  const response = await fetch(`${url}/sync/stream`, {
    method: 'POST',
    headers: { authorization: 'Bearer no' },
  });
  await response.text();
  if (response.status !== 401) throw new Error(`status ${response.status} for a wrong token`);
}

const schema = new Schema({
  lists: new Table({ owner: column.text, name: column.text }),
  todos: new Table({ list: column.text, title: column.text }),
});

interface App {
  readonly count: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Opens a database with the real SDK. */
async function openApp(url: string, user: string, transport: 'http' | 'websocket'): Promise<App> {
  const { HTTP, WEB_SOCKET } = SyncStreamConnectionMethod;
  const { database, close } = openSdkDatabase(schema);
  void database.connect(
    {
      fetchCredentials: async () => ({ endpoint: url, token: await clientToken(user) }),
      uploadData: async () => {},
    },
    { connectionMethod: transport === 'http' ? HTTP : WEB_SOCKET, retryDelayMs: 200 },
  );
  await database.waitForFirstSync(AbortSignal.timeout(60_000));
  return {
    count: async () => (await database.get<{ readonly n: number }>('SELECT count(*) AS n FROM todos')).n,
    close,
  };
}

export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, milliseconds);
    signal?.addEventListener('abort', finish, { once: true });
    function finish(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    }
  });
}
