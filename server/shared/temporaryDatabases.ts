/**
 * Runs SQL files in separate databases: those of access tests, and those of a project to learn its tables. The code is loaded only
 * when there is a question.
 */
import type { RunScripts, RunSeeds } from '../engine/index.ts';

export function seedDatabase(): RunSeeds {
  return onDemand(async () => (await load()).openSeedDatabase());
}

export function scriptDatabase(): RunScripts {
  return onDemand(async () => (await load()).openTablesOfScripts());
}

function load() {
  return import('../service/replication/rehearsal/index.ts');
}

type Ask<Question, Answer> = (question: Question, signal: AbortSignal) => Promise<Answer>;

function onDemand<Question, Answer>(open: () => Promise<Ask<Question, Answer>>): Ask<Question, Answer> {
  let opened: Promise<Ask<Question, Answer>> | undefined;
  return async (question, signal) => {
    opened ??= open();
    return (await opened)(question, signal);
  };
}
