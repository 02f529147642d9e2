/** A new embedded database gets the rows of the project's seed files, and an existing one does not. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '../../../../server/service/assembly/service.ts';
import { systemClock } from '../../../../server/service/ground/clock.ts';
import { recordLog } from '../../../support/processes/http.ts';
import { serviceSettings } from '../../../support/service/serviceSettings.ts';

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'headwater-seeded-'));
  mkdirSync(join(project, 'supabase/migrations'), { recursive: true });
  writeFileSync(
    join(project, 'supabase/migrations/1.sql'),
    `CREATE TABLE notes (id text PRIMARY KEY, owner uuid REFERENCES auth.users);`,
  );
  writeFileSync(
    join(project, 'supabase/seed.sql'),
    `INSERT INTO auth.users (id, email) VALUES ('00000000-0000-0000-0000-000000000001', 'ann@example.com');
     INSERT INTO notes VALUES ('n1', '00000000-0000-0000-0000-000000000001');`,
  );
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Runs the service on data of this name, and returns the notes; then runs the statement. */
async function notesIn(data: string, seed?: boolean, statement = ''): Promise<readonly string[]> {
  const path = join(project, 'supabase/migrations');
  const settings = serviceSettings({
    connection: {
      type: 'embedded',
      id: 'default',
      tag: 'default',
      debugApi: false,
      schema: [{ path, name: 'supabase/migrations', folder: project }],
      ...(seed !== undefined && { seed }),
    },
    storage: { type: 'embedded', path: join(project, data) },
  });
  const world = { clock: systemClock, log: recordLog(), env: {}, fetch };
  const service = await startService(settings, project, world);
  const client = new pg.Client({ connectionString: service.database });
  try {
    await client.connect();
    const { rows } = await client.query('SELECT id FROM notes');
    if (statement !== '') await client.query(statement);
    return rows.map(({ id }) => id);
  } finally {
    await client.end();
    await service.stop();
  }
}

test('A new database has the rows of the seeds, and rows that were deleted stay deleted', async () => {
  expect(await notesIn('one', undefined, 'DELETE FROM notes')).toEqual(['n1']);
  expect(await notesIn('one')).toEqual([]);
});

test('A database that exists is not seeded later', async () => {
  expect(await notesIn('two', false)).toEqual([]);
  expect(await notesIn('two', true)).toEqual([]);
});
