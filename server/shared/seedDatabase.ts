/** Runs the SQL files of access tests in a separate database. The database is loaded only when there are such files. */
import type { RunSeeds } from '../engine/index.ts';

export function seedDatabase(): RunSeeds {
  let opened: Promise<RunSeeds> | undefined;
  return async (question, signal) => {
    opened ??= import('../service/replication/rehearsal/index.ts').then(({ openSeedDatabase }) =>
      openSeedDatabase(),
    );
    return (await opened)(question, signal);
  };
}
