/** The costs of a deploy: the rows read, according to the statistics of the source, and the rows that the real SDK downloads. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { openApi } from '../../../client/api/api.ts';
import { patient } from '../../../scripts/run/patience.ts';
import { clientToken } from '../../support/clients/clientAuth.ts';
import { type App, openApp } from '../../support/clients/sdk.ts';
import { postgresPrograms } from '../../support/processes/postgres.ts';
import { type StorageType, startServiceOverPostgres } from '../../support/processes/serviceOverPostgres.ts';

const rows = 2_000;

const ddl = `CREATE TABLE lists (id text PRIMARY KEY, owner text, name text);
CREATE TABLE todos (id text PRIMARY KEY, list text, title text);
CREATE TABLE notes (id text PRIMARY KEY);
INSERT INTO lists SELECT 'l' || n, CASE WHEN n <= 5 THEN 'ada' ELSE 'ben' END, 'list' FROM generate_series(1, ${rows}) n;
INSERT INTO todos SELECT 't' || n, 'l' || n % 5 + 1, 'todo' FROM generate_series(1, ${rows}) n;
ANALYZE;
CREATE PUBLICATION powersync FOR ALL TABLES`;

const lists = `  lists:
    auto_subscribe: true
    query: SELECT id, owner, name FROM lists WHERE owner = auth.user_id()
`;
const todos = `  todos:
    auto_subscribe: true
    with:
      own: SELECT id FROM lists WHERE owner = auth.user_id()
    query: SELECT id, list, title FROM todos WHERE list IN own
`;
const configOf = (...streams: readonly string[]) => `config:\n  edition: 3\nstreams:\n${streams.join('')}`;
const first = configOf(lists, todos);

describe.skipIf(postgresPrograms.kind === 'missing').each(['embedded', 'postgresql'] as const)(
  'with a storage of type %s',
  (storage) => {
    test('a deploy reads no row if all of its rows are stored, and clients download nothing if the config means the same', async () => {
      const { deploy, readOf, connectionAfter, sql, open, api } = await start(storage);
      const slot = await deploy(first);
      const app = await open();
      await app.until('SELECT count(*) AS n FROM todos', [{ n: rows }]);
      expect(await readOf(['lists', 'todos'], { least: rows })).toEqual([rows, rows]);
      const downloaded = await downloadedBy(app);

      for (const text of [
        `# A comment\n${first}`,
        first.replace(' FROM lists WHERE', '\n      FROM lists\n      WHERE'),
        configOf(todos.replaceAll(/\bown\b/g, 'mine'), lists),
        configOf(todos.replace('SELECT id FROM lists', 'SELECT l.id FROM lists AS l'), lists),
      ]) {
        expect(await api.plan(text)).toMatchObject({ outcome: 'at_once', tables: [] });
        expect(await deploy(text)).toBe(slot);
        expect(await api.plan(text)).toMatchObject({ outcome: 'nothing', tables: [] });
      }
      await sql(`INSERT INTO lists VALUES ('new', 'ada', 'new')`);
      await app.until(`SELECT id FROM lists WHERE id = 'new'`, [{ id: 'new' }]);
      expect(downloaded.operations).toHaveLength(5 + rows);
      expect(await downloadedBy(app)).toEqual(downloaded);

      // These configs only remove, rename or restore a stream, or change its priority. All rows that they need are stored.
      const urgent = configOf(lists, todos.replace('  todos:', '  todos:\n    priority: 1'));
      for (const text of [configOf(lists), urgent.replace('  todos:', '  tasks:'), first])
        expect(await deploy(text)).toBe(slot);
      await app.until('SELECT count(*) AS n FROM todos', [{ n: rows }]);
      expect((await downloadedBy(app)).buckets).toEqual(downloaded.buckets);

      // The statistics are delayed but in order: once they include the following reads, they include all earlier ones.
      const before = await downloadedBy(app);
      const copied = configOf(lists.replace('id, owner', 'owner, id'), todos);
      expect(await api.plan(copied)).toEqual({
        outcome: 'copy',
        replacesPending: false,
        streams: [
          { name: 'lists', change: 'rows', downloaded: true },
          { name: 'todos', change: 'kept', downloaded: false },
        ],
        tables: [{ schema: 'public', name: 'lists', rows }],
      });
      // According to the statistics, this table is still empty.
      await sql(`INSERT INTO notes SELECT 'n' || n FROM generate_series(1, 300) n`);
      const more = configOf(lists, todos, '  notes:\n    query: SELECT * FROM notes\n');
      expect((await api.plan(more))?.tables).toEqual([{ schema: 'public', name: 'notes', rows: 300 }]);
      const former = await connectionAfter(undefined);
      const [deployed, copying] = await Promise.all([deploy(copied), connectionAfter(former)]);
      expect(deployed).toBe(slot);
      const ofTodos = (items: readonly unknown[]) =>
        items.filter((item) => JSON.stringify(item).includes('todos'));
      await app.until(`SELECT count(*) AS n FROM ps_buckets WHERE name LIKE '%.%#lists%'`, [{ n: 1 }]);
      const after = await downloadedBy(app);
      expect(ofTodos(after.buckets)).toEqual(ofTodos(before.buckets));
      expect(ofTodos(after.operations)).toEqual(ofTodos(before.operations));
      expect(ofTodos(after.operations)).toHaveLength(rows);
      // The copy read the rows of one table only, and used the existing slot.
      expect(await readOf(['lists'], { least: 2 * rows })).toEqual([2 * rows + 1]);
      expect(await readOf(['todos'], { least: 0 })).toEqual([rows]);
      expect(await sql('SELECT slot_name FROM pg_replication_slots')).toEqual([{ slot_name: slot }]);
      // The connection that read the copy also activates the config and deletes the replaced rows.
      expect(await connectionAfter(former)).toBe(copying);
    });
  },
);

async function start(storage: StorageType) {
  const { admin, service, post, sql } = await startServiceOverPostgres(storage, ddl);
  /** Deploys the content, and returns its slot once it is active. */
  const deploy = async (content: string): Promise<string> => {
    await post('/api/sync-rules/v1/deploy', { content });
    const late = AbortSignal.timeout(patience);
    for (;;) {
      const diagnosis = await post<Diagnostics>('/api/admin/v1/diagnostics', { sync_rules_content: true });
      const { active_sync_rules: active } = diagnosis;
      if (active?.content === content) return active.connections[0]?.slot_name ?? '';
      if (late.aborted) throw new Error(`It does not become active.\n${service().output()}`);
      await pause();
    }
  };
  /** Returns the number of rows read from each table since its creation, once each number is at least `least`. */
  const readOf = async (tables: readonly string[], { least }: { readonly least: number }) => {
    const late = AbortSignal.timeout(patience);
    for (;;) {
      const counts = await sql(
        `SELECT relname, (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS n FROM pg_stat_user_tables`,
      );
      const found = tables.map((table) => Number(counts.find(({ relname }) => relname === table)?.n));
      if (found.every((count) => count >= least)) return found;
      if (late.aborted) throw new Error(`Only ${found.join(', ')} rows were read, and not ${least}.`);
      await pause();
    }
  };
  /** Returns the id of the source's process that sends the log, once it differs from `former`. */
  const connectionAfter = async (former: number | undefined) => {
    const late = AbortSignal.timeout(patience);
    for (;;) {
      const [found] = await sql('SELECT active_pid AS pid FROM pg_replication_slots');
      if (typeof found?.pid === 'number' && found.pid !== former) return found.pid;
      if (late.aborted) throw new Error('Nobody reads the log.');
      await pause();
    }
  };
  const open = async () =>
    openApp({ port: Number(new URL(service().url).port), token: await clientToken('ada') });
  const api = openApi({ url: service().url, token: admin });
  onTestFinished(api.close);
  return { deploy, readOf, connectionAfter, sql, open, api };
}

const patience = patient(60_000);
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

interface Diagnostics {
  readonly active_sync_rules?: ActiveConfig;
}

interface ActiveConfig {
  readonly content: string;
  readonly connections: readonly { readonly slot_name: string }[];
}

/** Returns the buckets of the SDK, and the operation that put each row. */
async function downloadedBy({ rows: ask }: App) {
  const buckets = await ask('SELECT name FROM ps_buckets ORDER BY name');
  const operations = await ask(
    `SELECT op_id, row_type || '/' || row_id AS row FROM ps_oplog WHERE row_id <> 'new' ORDER BY op_id`,
  );
  return { buckets, operations };
}
