import { StorageFailure } from '../failure.ts';
import type { Database } from './database.ts';
import { migrations, schema } from './schema.ts';

/** Several processes may start at once: one of them migrates. */
export async function migrate(database: Database): Promise<void> {
  await database.transaction(async (run) => {
    await run(`SELECT pg_advisory_xact_lock(hashtext('${schema} migrations'))`);
    const [found] = await run<{ found: boolean }>(
      `SELECT to_regclass('${schema}.version') IS NOT NULL AS found`,
    );
    if (!found?.found) {
      await run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
      await run(`CREATE TABLE ${schema}.version AS SELECT 0 AS version`);
    }
    const [{ version = 0 } = {}] = await run<{ version: number }>(`SELECT version FROM ${schema}.version`);
    if (version > migrations.length) {
      const sentence = `The storage's schema "${schema}" was made by a newer version. Update, or choose another database.`;
      throw new StorageFailure('newer', sentence);
    }
    for (const migration of migrations.slice(version)) await run(migration);
    if (version < migrations.length)
      await run(`UPDATE ${schema}.version SET version = $1`, [migrations.length]);
  });
}
