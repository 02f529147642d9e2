/** Both kinds of sources, for tests that must hold for each of them. */
import { postgresPrograms, startPostgres } from '../../support/processes/postgres.ts';
import { openEmbeddedDatabase } from './embedded/support.ts';
import { openDatabase, type TestDatabase } from './postgres/support.ts';

/** Whatever runs for it ends with its `close`. */
export type OpenSource = (setup: string) => Promise<TestDatabase>;

const openServer: OpenSource = async (setup) => {
  const postgres = await startPostgres();
  const database = await openDatabase(postgres, setup);
  return {
    ...database,
    close: async () => {
      await database.close();
      await postgres.stop();
    },
  };
};

export const sources: readonly (readonly [kind: string, open: OpenSource])[] = [
  ...(postgresPrograms.kind === 'missing' ? [] : [['PostgreSQL', openServer] as const]),
  ['the embedded database', openEmbeddedDatabase],
];
