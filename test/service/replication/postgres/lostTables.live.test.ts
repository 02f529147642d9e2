/** The service reads changes of tables that the source has dropped, renamed or replaced in the meantime. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningService, startService } from '../../../../server/service/assembly/service.ts';
import { systemClock } from '../../../../server/service/ground/clock.ts';
import { silentLog } from '../../../../server/service/ground/log.ts';
import { clientAuth, clientToken } from '../../../support/clients/clientAuth.ts';
import { openApp } from '../../../support/clients/sdk.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../../support/processes/postgres.ts';
import { adminToken, serviceSettings } from '../../../support/service/serviceSettings.ts';

const columns = '(id text PRIMARY KEY, list text, title text)';

/** Changes of tables, each of which has a row with its own name as id. The statements run while the service is stopped. */
const histories: readonly {
  readonly table: string;
  readonly sql: readonly string[];
  readonly ids: readonly string[];
}[] = [
  { table: 'dropped', sql: ['DROP TABLE dropped'], ids: [] },
  { table: 'renamed', sql: ['ALTER TABLE renamed RENAME TO renamed_2'], ids: ['renamed'] },
  { table: 'moved', sql: ['ALTER TABLE moved RENAME TO other'], ids: [] },
  {
    table: 'replaced',
    sql: [
      'DROP TABLE replaced',
      `CREATE TABLE replaced ${columns}`,
      `INSERT INTO replaced VALUES ('replaced', 'ben', 'of another user')`,
    ],
    ids: [],
  },
  {
    table: 'rekeyed',
    sql: [
      'ALTER TABLE rekeyed RENAME COLUMN id TO key',
      'ALTER TABLE rekeyed ADD COLUMN id text',
      'UPDATE rekeyed SET id = key',
    ],
    ids: ['rekeyed'],
  },
  {
    table: 'unkeyed',
    sql: ['ALTER TABLE unkeyed DROP CONSTRAINT unkeyed_pkey', 'ALTER TABLE unkeyed REPLICA IDENTITY FULL'],
    ids: ['unkeyed'],
  },
  {
    table: 'dropped',
    sql: [
      `CREATE TABLE dropped_2 ${columns}`,
      `INSERT INTO dropped_2 VALUES ('dropped_2', 'ada', 'new')`,
      'DROP TABLE dropped_2',
    ],
    ids: [],
  },
];
const tables = [...new Set(histories.map(({ table }) => table))];

const config = `config:
  edition: 3
streams:
  everything:
    auto_subscribe: true
    queries:
      - SELECT id, name FROM lists
${tables.map((table) => `      - SELECT id, list, title FROM "${table}%" AS todos WHERE list = 'ada'`).join('\n')}
`;

describe.skipIf(postgresPrograms.kind === 'missing')('changes of lost tables', () => {
  let postgres: TestPostgres;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-lost-'));
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('neither stop replication nor leave rows behind', async () => {
    const database = await postgres.createDatabase();
    const run = (text: string) => postgres.query(text, [], database);
    const start = () =>
      startService(
        serviceSettings({
          connection: postgres.connection({ database }),
          storage: { type: 'embedded', path: join(folder, 'data') },
          clientAuth: { keys: clientAuth.jwks.keys, audience: clientAuth.audience },
        }),
        folder,
        { clock: systemClock, log: silentLog, env: {}, fetch },
      );
    await run('CREATE TABLE lists (id text PRIMARY KEY, name text)');
    for (const table of tables) {
      await run(`CREATE TABLE ${table} ${columns}`);
      // The log leaves such a value out of changes of other columns, so the service has to read the row again.
      await run(`ALTER TABLE ${table} ALTER COLUMN title SET STORAGE EXTERNAL`);
      await run(`INSERT INTO ${table} SELECT '${table}', NULL, repeat('title ', 1000)`);
    }
    await run('CREATE PUBLICATION powersync FOR ALL TABLES');
    let service = await start();
    await call(service, '/api/sync-rules/v1/deploy', { content: config });
    const diagnosis = async () => JSON.stringify(await call(service, '/api/admin/v1/diagnostics', {}));
    await expect.poll(diagnosis).toMatch(/"active_sync_rules":.*"initial_replication_done":true/);
    await service.stop();

    for (const table of tables) await run(`UPDATE ${table} SET list = 'ada'`);
    for (const { sql } of histories) for (const statement of sql) await run(statement);
    await run(`INSERT INTO lists VALUES ('l', 'after all of them')`);
    service = await start();
    const app = await openApp({ port: service.port ?? 0, token: await clientToken('ada') });
    await app.until('SELECT name FROM lists', [{ name: 'after all of them' }]);
    const ids = histories.flatMap((history) => history.ids).sort();
    await app.until(
      'SELECT id FROM todos ORDER BY id',
      ids.map((id) => ({ id })),
    );
    await service.stop();
  });
});

async function call({ url }: RunningService, path: string, body: object): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${adminToken}` },
    body: JSON.stringify(body),
  });
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json();
}
