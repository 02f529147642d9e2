/** Both kinds of sources, for tests that must hold for each of them. */
import { postgresPrograms, startPostgres } from '../../support/processes/postgres.ts';
import type { SourceRig } from './contract/rig.ts';
import { openEmbeddedDatabase } from './embedded/support.ts';
import { openDatabase, type TestDatabase } from './postgres/support.ts';

/** Whatever runs for it ends with its `close`. */
export type OpenSource = (setup: string) => Promise<TestDatabase & SourceRig>;

const openServer: OpenSource = async (setup) => {
  const postgres = await startPostgres();
  const database = await openDatabase(postgres, setup);
  // One session, because transactions consist of several calls.
  let client = await postgres.client(database.name);
  return {
    ...database,
    sql: async (text, args) => (await client.query(text, [...(args ?? [])])).rows ?? [],
    mistakes: ['DROP PUBLICATION powersync', "ALTER PUBLICATION powersync SET (publish = 'insert')"],
    crash: postgres.halt,
    recover: async () => {
      await postgres.resume();
      client = await postgres.client(database.name);
    },
    close: async () => {
      await client.end();
      await database.close();
      await postgres.stop();
    },
  };
};

export const sources: readonly (readonly [kind: string, open: OpenSource])[] = [
  ...(postgresPrograms.kind === 'missing' ? [] : [['PostgreSQL', openServer] as const]),
  ['the embedded database', openEmbeddedDatabase],
];
