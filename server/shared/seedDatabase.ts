/** Runs the SQL files of access tests in a database of its own: loaded only for those who have such files. */
import type { RunSeeds } from '../engine/index.ts';

export function seedDatabase(): RunSeeds {
  let opened: Promise<RunSeeds> | undefined;
  return async (question, signal) => {
    opened ??= import('../service/replication/embedded/seeds/seedRows.ts').then(({ openSeedDatabase }) =>
      openSeedDatabase(),
    );
    return (await opened)(question, signal);
  };
}
