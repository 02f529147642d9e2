/** Runs the SQL files of a project to learn their tables. The database is loaded only when there is a question. */
import type { RunScripts } from '../engine/index.ts';

export function scriptDatabase(): RunScripts {
  let opened: Promise<RunScripts> | undefined;
  return async (schema, signal) => {
    opened ??= import('../service/replication/rehearsal/index.ts').then(({ openTablesOfScripts }) =>
      openTablesOfScripts(),
    );
    return (await opened)(schema, signal);
  };
}
