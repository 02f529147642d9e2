/** Stored data is changed without replication. The comparison with the source reports it, and a real client gets the right rows. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningService, startService } from '../../../server/service/assembly/service.ts';
import { systemClock } from '../../../server/service/ground/clock.ts';
import { silentLog } from '../../../server/service/ground/log.ts';
import { clientAuth, clientToken } from '../../support/clients/clientAuth.ts';
import { type App, openApp } from '../../support/clients/sdk.ts';
import {
  postgresPrograms,
  startPostgres,
  type TestPostgres,
  usualBatch,
} from '../../support/processes/postgres.ts';
import { adminToken, serviceSettings } from '../../support/service/serviceSettings.ts';

const config = `config:
  edition: 3
streams:
  mine:
    auto_subscribe: true
    queries:
      - SELECT id, owner, name FROM lists WHERE owner = auth.user_id()
      - SELECT id, list, title FROM todos WHERE list IN (SELECT id FROM lists WHERE owner = auth.user_id())
`;

interface Verification {
  readonly id: number;
  readonly done: boolean;
  readonly tables: readonly {
    readonly table: string;
    readonly rows: number;
    readonly missing: number;
    readonly stale: number;
    readonly extra: number;
    readonly unjudged: number;
    readonly repaired: number;
    readonly definition_changes?: readonly string[];
    readonly copied_again?: boolean;
    readonly skipped?: string;
    readonly examples: readonly { readonly difference: string; readonly row: string }[];
  }[];
  readonly damaged: readonly string[];
  readonly new_slot_name?: string;
  readonly failure?: string;
}

const rowCount = 40;

/** The time since the start, which a test can slow down. */
const steadily = {
  rate: 1,
  changedAt: 0,
  passed: 0,
  now(): number {
    return Math.floor(this.passed + (systemClock.steady() - this.changedAt) * this.rate);
  },
  speed(rate: number): void {
    [this.passed, this.changedAt, this.rate] = [this.now(), systemClock.steady(), rate];
  },
};
const clock: typeof systemClock = { ...systemClock, steady: () => steadily.now() };

describe.skipIf(postgresPrograms.kind === 'missing')('stored data', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
    await postgres.query(`CREATE ROLE copier LOGIN REPLICATION PASSWORD 'x'`);
  });
  afterAll(() => postgres?.stop());

  describe.each(['embedded', 'postgresql'] as const)('in the %s storage', (type) => {
    let folder: string;
    let source: string;
    let store: string;
    let service: RunningService;
    let app: App;
    const run = (sql: string) => postgres.query(sql, [], source);

    beforeEach(async () => {
      steadily.speed(1);
      folder = mkdtempSync(join(tmpdir(), 'headwater-verify-'));
      source = await postgres.createDatabase();
      store = await postgres.createDatabase();
      await run('CREATE TABLE lists (id text PRIMARY KEY, owner text, name text)');
      await run('CREATE TABLE todos (id int, part int, list text, title text, PRIMARY KEY (id, part))');
      await run('GRANT SELECT ON lists, todos TO copier');
      await run('CREATE PUBLICATION powersync FOR TABLE lists, todos');
      await run(`INSERT INTO lists VALUES ('a', 'ada', 'first list'), ('b', 'ben', 'second list')`);
      await run(
        `INSERT INTO todos SELECT i, 0, CASE i % 2 WHEN 0 THEN 'a' ELSE 'b' END, 'title ' || i FROM generate_series(1, ${rowCount}) i`,
      );
      const storage =
        type === 'embedded'
          ? ({ type, path: join(folder, 'data') } as const)
          : { ...postgres.connection({ database: store }), type, batch: usualBatch };
      const connection = postgres.connection({ database: source, username: 'copier', password: 'x' });
      const keys = clientAuth.jwks.keys;
      service = await startService(
        serviceSettings({ connection, storage, clientAuth: { keys, audience: clientAuth.audience } }),
        folder,
        { clock, log: silentLog, env: {}, fetch },
      );
      await call('/api/sync-rules/v1/deploy', { content: config });
      await expect.poll(serving).toBeDefined();
      app = await openApp({ port: service.port ?? 0, token: await clientToken('ada') });
      await app.until('SELECT count(*) AS n FROM todos', [{ n: rowCount / 2 }]);
    });
    afterEach(async () => {
      await service?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    async function call(path: string, body: object): Promise<unknown> {
      const response = await fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${adminToken}` },
        body: JSON.stringify(body),
      });
      expect(response.status, await response.clone().text()).toBe(200);
      return ((await response.json()) as { data: unknown }).data;
    }

    /** Returns the slot of the deployment that serves clients. */
    async function serving(): Promise<string | undefined> {
      const { active_sync_rules: active } = (await call('/api/admin/v1/diagnostics', {})) as {
        active_sync_rules?: { connections: { slot_name: string }[] };
      };
      return active?.connections[0]?.slot_name;
    }

    async function verify(repair: boolean): Promise<Verification> {
      let latest = (await call('/api/admin/v1/verify', { repair })) as Verification;
      const { id } = latest;
      const ask = async () => {
        latest = (await call('/api/admin/v1/verify', { id })) as Verification;
        return latest.done;
      };
      await expect.poll(ask).toBe(true);
      expect(latest.failure).toBeUndefined();
      return latest;
    }

    /** Runs statements directly in the storage. */
    async function behindItsBack(sql: {
      readonly embedded: string;
      readonly postgresql: string;
    }): Promise<void> {
      if (type === 'postgresql') await postgres.query(sql.postgresql, [], store);
      else {
        const database = new DatabaseSync(join(folder, 'data', 'data.sqlite'));
        database.exec(sql.embedded);
        database.close();
      }
    }

    const tableOf = ({ tables }: Verification, name: string) =>
      tables.find(({ table }) => table === `public.${name}`);
    const nothing = { missing: 0, stale: 0, extra: 0, unjudged: 0, examples: [] };

    test('is reported as equal to the source, and nothing is written', async () => {
      const verification = await verify(true);
      expect(verification).toMatchObject({ damaged: [] });
      expect(tableOf(verification, 'todos')).toMatchObject({
        ...nothing,
        rows: rowCount,
        stored: rowCount,
        repaired: 0,
      });
      expect(tableOf(verification, 'lists')).toMatchObject({ ...nothing, rows: 2, stored: 2 });
    });

    test('is compared although one of its tables cannot be read', async () => {
      await run(`INSERT INTO todos VALUES (100, 0, 'a', 'new')`);
      await app.until("SELECT title FROM todos WHERE title = 'new'", [{ title: 'new' }]);
      await run('REVOKE SELECT ON lists FROM copier');
      const verification = await verify(false);
      expect(tableOf(verification, 'lists')?.skipped).toBe(
        'it cannot be read: The user "copier" lacks a right: permission denied for table lists.',
      );
      expect(tableOf(verification, 'todos')).toMatchObject({ ...nothing, rows: rowCount + 1 });
    });

    test('is repaired if changes have not arrived', async () => {
      // The service compares the tables every ten seconds, and could be faster than this test.
      steadily.speed(0.001);
      await run('ALTER PUBLICATION powersync DROP TABLE todos');
      await run(`UPDATE todos SET title = 'changed' WHERE id = 2`);
      await run('DELETE FROM todos WHERE id = 4');
      await run(`INSERT INTO todos VALUES (100, 0, 'a', 'new'), (101, 0, 'b', 'of another')`);
      await run(`UPDATE todos SET list = 'b' WHERE id = 6`);
      await run('ALTER PUBLICATION powersync ADD TABLE todos');
      const found = await verify(false);
      const wrong = { missing: 2, stale: 2, extra: 1, unjudged: 0, repaired: 0 };
      expect(tableOf(found, 'todos')).toMatchObject(wrong);
      const examples = tableOf(found, 'todos')?.examples ?? [];
      expect(examples.map(({ difference, row }) => `${difference} ${row}`).sort()).toEqual([
        'extra todos/4',
        ...['missing id=100, part=0', 'missing id=101, part=0'],
        ...['stale id=2, part=0', 'stale id=6, part=0'],
      ]);
      expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(/^headwater_wrong_rows_total 5$/m);
      const status = JSON.stringify(await call('/api/admin/v1/diagnostics', {}));
      expect(status).toContain('5 stored rows differ from the source');
      expect(status).toMatch(/"verified":\{"at":"[^"]+","rows":41,"missing":2,"stale":2,"extra":1/);
      expect(tableOf(await verify(true), 'todos')).toMatchObject({ ...wrong, repaired: 5 });
      await app.until('SELECT title FROM todos WHERE CAST(id AS int) IN (2, 4, 6, 100, 101) ORDER BY title', [
        { title: 'changed' },
        { title: 'new' },
      ]);
      expect(tableOf(await verify(false), 'todos')).toMatchObject({ ...nothing, rows: rowCount + 1 });
    });

    test('is copied again if a table has another definition', async () => {
      // The service compares the tables every ten seconds, and could be faster than this test.
      steadily.speed(0.001);
      await run(`ALTER TABLE todos ALTER COLUMN title TYPE varchar(50) USING title || '!'`);
      const found = await verify(false);
      const changes = ['"title" changed from text to character varying(50)'];
      const wrong = { stale: rowCount, missing: 0, extra: 0, definition_changes: changes };
      expect(tableOf(found, 'todos')).toMatchObject({ ...wrong, repaired: 0, copied_again: false });
      expect(tableOf(found, 'lists')).not.toHaveProperty('definition_changes');
      expect(JSON.stringify(await call('/api/admin/v1/diagnostics', {}))).toContain(
        `${rowCount} stored rows differ from the source (0 missing, ${rowCount} stale, 0 extra), because \\"title\\" changed`,
      );
      const repaired = { ...wrong, repaired: rowCount, copied_again: true };
      expect(tableOf(await verify(true), 'todos')).toMatchObject(repaired);
      await app.until(`SELECT count(*) AS n FROM todos WHERE title LIKE 'title %!'`, [{ n: rowCount / 2 }]);
      const after = tableOf(await verify(false), 'todos');
      expect(after).toMatchObject(nothing);
      expect(after).not.toHaveProperty('definition_changes');
    });

    test('is repaired if the buckets of rows are lost', async () => {
      const sql = 'DELETE FROM current_rows';
      await behindItsBack({
        embedded: `${sql}; DELETE FROM row_places; DELETE FROM new_places; DELETE FROM displaced_rows`,
        postgresql: 'DELETE FROM headwater.current_rows',
      });
      const found = await verify(true);
      expect(tableOf(found, 'todos')).toMatchObject({ stale: rowCount, repaired: rowCount });
      expect(found.new_slot_name).toBeUndefined();
      await run('DELETE FROM todos WHERE id > 2');
      await app.until('SELECT title FROM todos', [{ title: 'title 2' }]);
    });

    test('is repaired if lookups are lost', async () => {
      await behindItsBack({ embedded: 'DELETE FROM lookups', postgresql: 'DELETE FROM headwater.lookups' });
      expect(tableOf(await verify(true), 'lists')).toMatchObject({ stale: 2, repaired: 2 });
      const other = await openApp({ port: service.port ?? 0, token: await clientToken('ben') });
      await other.until('SELECT count(*) AS n FROM todos', [{ n: rowCount / 2 }]);
    });

    test.each([
      ['gone', { embedded: 'DELETE FROM runs', postgresql: 'DELETE FROM headwater.ops' }],
      [
        'changed',
        {
          embedded: `UPDATE runs SET json = replace(json, 'title 2', 'title X')`,
          postgresql: `UPDATE headwater.ops SET json = replace(json, 'title 2', 'title X')`,
        },
      ],
    ])('is copied again if operations are %s', async (_, sql) => {
      await behindItsBack(sql);
      const found = await verify(true);
      expect(found.new_slot_name).toMatch(/^powersync_2_/);
      await expect.poll(serving).toMatch(/^powersync_2_/);
      const fresh = await openApp({ port: service.port ?? 0, token: await clientToken('ada') });
      for (const each of [app, fresh]) {
        await each.until("SELECT count(*) AS n, sum(title LIKE '%X%') AS wrong FROM todos", [
          { n: rowCount / 2, wrong: 0 },
        ]);
      }
      expect(tableOf(await verify(false), 'todos')).toMatchObject(nothing);
    });

    test.runIf(type === 'embedded')(
      'is never sent if the disk has changed it, and is copied again automatically',
      async () => {
        const changed = `UPDATE runs SET json = replace(json, 'title 2', 'title X')`;
        await behindItsBack({ embedded: changed, postgresql: '' });
        const fresh = await openApp({ port: service.port ?? 0, token: await clientToken('ada') });
        await expect.poll(serving).toMatch(/^powersync_2_/);
        await fresh.until(`SELECT count(*) AS n, sum(title LIKE '%X%') AS wrong FROM todos`, [
          { n: rowCount / 2, wrong: 0 },
        ]);
      },
    );

    test('is repaired while it changes', async () => {
      // The service compares the tables every ten seconds, and could be faster than this test.
      steadily.speed(0.001);
      await run('ALTER PUBLICATION powersync DROP TABLE todos');
      await run(`UPDATE todos SET title = 'changed', list = 'a' WHERE id % 4 < 2`);
      await run('DELETE FROM todos WHERE id % 5 = 0');
      await run(`INSERT INTO todos SELECT i, 0, 'a', 'new' FROM generate_series(2000, 2050) i`);
      await run('ALTER PUBLICATION powersync ADD TABLE todos');
      let isOver = false;
      const change = async () => {
        for (let i = 0; !isOver; i += 1) {
          await run(`UPDATE todos SET title = 'round ${i}' WHERE id % 7 = ${i % 7}`);
          await run(`DELETE FROM todos WHERE id = ${2000 + (i % 50)}`);
          await run(`INSERT INTO todos VALUES (${i % 40}, ${i}, 'a', 'also new')`);
        }
      };
      const changing = change();
      try {
        await verify(true);
        await verify(true);
      } finally {
        isOver = true;
        await changing;
      }
      expect(tableOf(await verify(true), 'todos')).toMatchObject({ unjudged: 0 });
      expect(tableOf(await verify(false), 'todos')).toMatchObject(nothing);
      // Two rows of the source may have the same id. Clients then show one of them.
      const [{ n } = { n: 0 }] = await postgres.query<{ n: number }>(
        `SELECT count(DISTINCT id)::int AS n FROM todos WHERE list = 'a'`,
        [],
        source,
      );
      await app.until('SELECT count(*) AS n FROM todos', [{ n }]);
    });

    test('is not reported as wrong while it changes', async () => {
      let isOver = false;
      const change = async () => {
        for (let i = 0; !isOver; i += 1) {
          await run(
            `UPDATE todos SET title = 'round ${i}', list = CASE list WHEN 'a' THEN 'b' ELSE 'a' END WHERE id % 3 = ${i % 3}`,
          );
          await run(`DELETE FROM todos WHERE id = ${1000 + i - 1}`);
          await run(`INSERT INTO todos VALUES (${1000 + i}, 0, 'a', 'comes and goes')`);
        }
      };
      const changing = change();
      try {
        for (let round = 0; round < 5; round += 1) {
          const compacted = call('/api/admin/v1/compact', {});
          const { tables, damaged } = await verify(false);
          await compacted;
          expect(damaged).toEqual([]);
          for (const { missing, stale, extra, examples } of tables)
            expect({ missing, stale, extra, examples }).toEqual({
              missing: 0,
              stale: 0,
              extra: 0,
              examples: [],
            });
        }
      } finally {
        isOver = true;
        await changing;
      }
      expect(tableOf(await verify(false), 'todos')).toMatchObject(nothing);
    });
  });
});
