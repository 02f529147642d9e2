/** The console of a service with an external PostgreSQL. The console reads and explains rows, but does not change them. */
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
import { postgresPrograms, startPostgres, type TestPostgres } from '../support/processes/postgres.ts';

const chromium = await findChromium();

describe.skipIf(chromium === undefined || postgresPrograms.kind === 'missing')(
  'The console of a service with an external PostgreSQL',
  () => {
    let postgres: TestPostgres;
    let service: ConsoleService;
    let open: ConsolePage;

    beforeAll(async () => {
      postgres = await startPostgres();
      await postgres.query(`CREATE TABLE lists (id text PRIMARY KEY, owner text, name text);
      INSERT INTO lists VALUES ('l1', 'ada', 'one'), ('l2', 'bob', 'two');
      CREATE PUBLICATION powersync FOR ALL TABLES`);
      service = await startConsoleService({
        settings: { connection: postgres.connection({ debugApi: true }) },
        config: `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE owner = auth.user_id() AND name IS NOT NULL
`,
      });
      open = await openConsolePage(chromium ?? '', service);
    });
    afterAll(async () => {
      await open?.close();
      await service?.stop();
      await postgres?.stop();
    });

    test('shows the address of the source without its password, and that everything is in sync', async () => {
      const { page } = open;
      await page.getByText('In sync', { exact: true }).waitFor();
      await page.getByText(new RegExp(`postgresql://127\\.0\\.0\\.1:${postgres.port}`)).waitFor();
      expect(await page.content()).not.toMatch(/sesame/);
      await showScreen(page, 'map');
      await page.locator('[data-id="table lists"] .entry-facts', { hasText: '2 rows' }).waitFor();
    });

    test('shows a newly committed row on the device, and explains why another row is absent', async () => {
      const { page } = open;
      const app = await openApp({ port: service.port, token: signToken('ada', clientSecret) });
      await app.until('SELECT name FROM lists', [{ name: 'one' }]);
      await page.evaluate(() => {
        location.hash = '#/devices?user=ada';
      });
      const grid = page.getByRole('grid', { name: 'lists on the device of ada' });
      await grid.getByText('one', { exact: true }).waitFor();
      await postgres.query(`INSERT INTO lists VALUES ('l3', 'ada', 'three')`);
      await grid.getByText('three').waitFor();
      await app.until('SELECT name FROM lists ORDER BY name', [{ name: 'one' }, { name: 'three' }]);
      await page.evaluate(() => {
        location.hash = '#/devices?user=ada&view=source&table=lists&find=l2';
      });
      const why = page.getByRole('region', { name: 'Why ada does not have l2' });
      await why.locator('mark', { hasText: 'owner = auth.user_id()' }).waitFor();
      const conditions = await why.getByRole('listitem').allInnerTexts();
      expect(conditions.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
        "✗ owner = auth.user_id() this row: 'bob' · ada: 'ada'",
        "✓ name IS NOT NULL name is 'two'",
      ]);
    });

    test('shows the rows of the source, and offers no changes', async () => {
      const { page } = open;
      await showScreen(page, 'data');
      await page.getByText('Read-only, because the database does not belong to the service.').waitFor();
      await page.getByRole('gridcell', { name: 'two', exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Delete');
      expect(await page.locator('.cell-editor').count()).toBe(0);
      expect(await page.getByRole('button', { name: 'New row' }).count()).toBe(0);
      const row = { schema: 'public', table: 'lists', change: 'insert', values: { id: 'l4' } };
      await expect(service.ask('/api/admin/v1/write-row', row)).rejects.toThrow('SVC_S4107');
      expect(await postgres.query('SELECT count(*)::int AS n FROM lists')).toEqual([{ n: 3 }]);
    });

    test('shows that the source cannot be reached, and does not offer to reset it', async () => {
      const { page } = open;
      await showScreen(page, 'service');
      await postgres.halt();
      await page.locator('.state-title', { hasText: 'Source not reachable' }).waitFor();
      expect(await page.getByRole('button', { name: /Reset|Apply/ }).count()).toBe(0);
      await postgres.resume();
      await page.getByText('In sync', { exact: true }).waitFor();
    });
  },
);
