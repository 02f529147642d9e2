import { afterAll, beforeAll, describe } from 'vitest';
import { systemClock } from '../../../server/service/clock.ts';
import { silentLog } from '../../../server/service/log.ts';
import { openPostgresStorage } from '../../../server/service/storage/postgres/storage.ts';
import type { Storage } from '../../../server/service/storage/storage.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { describeStorage } from './contract.ts';

describe.skipIf(postgresPrograms.kind === 'missing')('a storage in PostgreSQL', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  }, 60_000);
  afterAll(() => postgres.stop());

  describeStorage(
    'PostgreSQL',
    async () => {
      let opened: Storage | undefined;
      return {
        open: async () => {
          opened = await openPostgresStorage(postgres.connection(), { clock: systemClock, log: silentLog });
          return opened;
        },
        dispose: async () => {
          await opened?.close();
          await postgres.query('DROP SCHEMA headwater CASCADE');
        },
      };
    },
    12,
  );
});
