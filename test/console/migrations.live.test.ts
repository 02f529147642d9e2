/** A migration that failed is applied from the service screen, and its column arrives in an app with the real SDK. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApp } from '../support/clients/sdk.ts';
import {
  type ConsolePage,
  type ConsoleService,
  clientSecret,
  findChromium,
  openConsolePage,
  showScreen,
  startConsoleService,
} from '../support/console/console.ts';
import { signToken } from '../support/console/tokens.ts';

const config = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT id, name, owner FROM lists
`;

const chromium = await findChromium();

describe.skipIf(chromium === undefined)('Migrations', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-migrations-'));
  let service: ConsoleService;
  let open: ConsolePage;

  beforeAll(async () => {
    const path = join(folder, 'migrations');
    mkdirSync(path);
    writeFileSync(join(path, '0001_lists.sql'), `CREATE TABLE lists (id text PRIMARY KEY, name text);`);
    writeFileSync(join(path, '0002_owner.sql'), `ALTER TABLE lists ADD COLUMN owner person;`);
    service = await startConsoleService({ scripts: { path, name: 'migrations', folder }, config });
    await service.sql(`INSERT INTO lists VALUES ('l1', 'one')`);
    open = await openConsolePage(chromium ?? '', service);
  });
  afterAll(async () => {
    await open?.close();
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('that were left out can be applied when their prerequisites exist, and their columns reach the app', async () => {
    const { page } = open;
    const app = await openApp({ port: service.port, token: signToken('ada', clientSecret) });
    await app.until('SELECT name, owner FROM lists', [{ name: 'one', owner: null }]);
    await showScreen(page, 'service');
    const state = page.getByRole('region', { name: 'State of the service' });
    await state.getByText(/0002_owner\.sql:1.*type "person" does not exist/).waitFor();
    await service.sql(`CREATE TYPE person AS ENUM ('ada', 'bob')`);
    await state.getByRole('button', { name: 'Apply migrations' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Apply migrations' }).click();
    await page.getByText('The migrations were applied.').waitFor();
    await state.getByText('In sync', { exact: true }).waitFor();
    await service.sql(`UPDATE lists SET owner = 'ada'`);
    await app.until('SELECT name, owner FROM lists', [{ name: 'one', owner: 'ada' }]);
    expect(await service.ask('/api/admin/v1/scripts')).toMatchObject({
      connections: [{ scripts: { applied: 2, skipped: [] } }],
    });
    expect(open.complaints).toEqual([]);
  });

  test('are run only once, even if several requests apply them at the same time', async () => {
    writeFileSync(
      join(folder, 'migrations/0003_notes.sql'),
      `INSERT INTO lists VALUES (gen_random_uuid()::text, 'new');`,
    );
    await Promise.all(Array.from({ length: 4 }, () => service.ask('/api/admin/v1/apply-migrations')));
    expect(await service.sql(`SELECT count(*)::int AS n FROM lists WHERE name = 'new'`)).toEqual([{ n: 1 }]);
  });
});
