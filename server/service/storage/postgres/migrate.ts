import { StorageFailure } from '../storageFailure.ts';
import type { Database } from './database.ts';
import { migrations, schema } from './schema.ts';

/** Migrates the layout. If several processes start at the same time, only one of them migrates. */
export async function migrateLayout(database: Database): Promise<void> {
  await database.transaction(async (run) => {
    await run(`SELECT pg_advisory_xact_lock(hashtext('${schema} migrations'))`);
    const [found] = await run<{ found: boolean }>(
      `SELECT to_regclass('${schema}.version') IS NOT NULL AS found`,
    );
    if (!found?.found) {
      await run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
      await run(`CREATE TABLE ${schema}.version (version integer PRIMARY KEY)`);
      await run(`INSERT INTO ${schema}.version VALUES (0)`);
    }
    const [{ version = 0 } = {}] = await run<{ version: number }>(`SELECT version FROM ${schema}.version`);
    if (version > migrations.length) throw tooNew();
    for (const migration of migrations.slice(version)) await run(migration);
    if (version < migrations.length)
      await run(`UPDATE ${schema}.version SET version = $1`, [migrations.length]);
  });
}

/** Throws if the layout is not that of this version, for deployments whose migrations are run manually. */
export async function requireMigrated(database: Database): Promise<void> {
  const [found] = await database.run<{ found: boolean }>(
    `SELECT to_regclass('${schema}.version') IS NOT NULL AS found`,
  );
  const [{ version = 0 } = {}] = found?.found
    ? await database.run<{ version: number }>(`SELECT version FROM ${schema}.version`)
    : [];
  if (version === migrations.length) return;
  if (version > migrations.length) throw tooNew();
  throw new StorageFailure(
    'other',
    `The storage's schema "${schema}" is not of this version, and migrations.disable_auto_migration is set. Run \`migrate up\`.`,
  );
}

function tooNew(): StorageFailure {
  return new StorageFailure(
    'newer',
    `The storage's schema "${schema}" was created by a newer version. Update, or choose another database.`,
  );
}
