/**
 * The same chains of configs over the storages that users have. `HEADWATER_PAIRS=2000 HEADWATER_SEED=7` tries more, and others.
 * See `chains.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../server/service/ground/clock.ts';
import { silentLog } from '../../../server/service/ground/log.ts';
import { openEmbeddedStorage } from '../../../server/service/storage/embedded/storage.ts';
import { openPostgresStorage } from '../../../server/service/storage/postgres/storage.ts';
import { casesOf } from '../../support/house/share.ts';
import {
  postgresPrograms,
  startPostgres,
  type TestPostgres,
  usualBatch,
} from '../../support/processes/postgres.ts';
import { contentsOf, tryChains } from './chains.ts';

const pairs = Number(process.env.HEADWATER_PAIRS ?? casesOf(40));
const firstSeed = Number(process.env.HEADWATER_SEED ?? 1);
test(`${pairs} random chains of configs over the embedded storage`, async () => {
  const kinds = await tryChains({ pairs, firstSeed }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'headwater-pairs-'));
    const storage = await openEmbeddedStorage(folder, { log: silentLog });
    const close = async () => {
      await storage.close();
      rmSync(folder, { recursive: true });
    };
    return { storage, contents: contentsOf(storage), close };
  });
  expectAllKinds(kinds);
});

describe.skipIf(postgresPrograms.kind === 'missing')('in PostgreSQL', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  test(`${pairs} random chains of configs`, async () => {
    const kinds = await tryChains({ pairs, firstSeed }, async () => {
      const database = await postgres.createDatabase();
      const settings = { ...postgres.connection({ database }), batch: usualBatch };
      const storage = await openPostgresStorage(settings, { clock: systemClock, log: silentLog });
      const close = async () => {
        await storage.close();
        await postgres.query(`DROP DATABASE ${database} WITH (FORCE)`);
      };
      return { storage, contents: contentsOf(storage), close };
    });
    expectAllKinds(kinds);
  });
});

/** All must be tried, or the test shows nothing. */
function expectAllKinds(kinds: Readonly<Record<string, number>>): void {
  for (const count of Object.values(kinds)) expect(count).toBeGreaterThan(pairs / 10);
}
