/**
 * Returns the tables that the scripts of a project create. They run in a temporary database in memory, so the tables are the same as
 * with `headwater dev`, whatever the scripts contain.
 */
import { createHash } from 'node:crypto';
import { openTurns } from '../../../shared/turns.ts';
import type { SchemaPath } from '../../config/settings.ts';
import { describeSource } from '../describeSource.ts';
import { catalogOf, listTables } from '../embedded/listing.ts';
import type { SkippedStep } from '../embedded/loading/run.ts';
import { readSkippedSteps } from '../embedded/scripts/ledgerTables.ts';
import { type ProjectScripts, readProjectScripts } from '../embedded/scripts/projectScripts.ts';
import {
  inTemporaryDatabase,
  prepareScripts,
  type TemporaryLimits,
  temporaryLimits,
} from '../embedded/temporary.ts';

interface TablesOfScripts {
  /** The answer of a service with this database as its source (`POST /api/admin/v1/schema`). */
  readonly answer: unknown;
  /** The statements that did not run, so that their effect is unknown. */
  readonly skipped: readonly Pick<SkippedStep, 'script' | 'start' | 'line' | 'statement'>[];
}

/** The maximum number of cached answers, for the projects that are currently being edited. */
const mostAnswers = 4;

/**
 * Returns a function that runs scripts, one database at a time, and only once for the same texts. It resolves to undefined if the
 * database cannot run or read the scripts, and rejects only when the signal is aborted.
 */
export function openTablesOfScripts(limits: TemporaryLimits = temporaryLimits) {
  const turns = openTurns();
  const answers = new Map<string, TablesOfScripts>();
  return (schema: readonly SchemaPath[], signal: AbortSignal): Promise<TablesOfScripts | undefined> =>
    turns.run(async () => {
      const project = await readProjectScripts(schema);
      if (project.problems.length > 0) return undefined;
      const key = keyOf(project);
      const answer = answers.get(key) ?? (await tablesOf(project, signal, limits));
      if (answer === undefined) return undefined;
      // Moves the answer to the end, because the first one is removed first.
      answers.delete(key);
      answers.set(key, answer);
      for (const oldest of [...answers.keys()].slice(0, -mostAnswers)) answers.delete(oldest);
      return answer;
    });
}

function keyOf({ scripts }: ProjectScripts): string {
  const hash = createHash('sha256');
  return hash.update(JSON.stringify(scripts.map(({ name, hash: own }) => [name, own]))).digest('hex');
}

async function tablesOf(
  { scripts, includes }: ProjectScripts,
  signal: AbortSignal,
  limits: TemporaryLimits,
): Promise<TablesOfScripts | undefined> {
  const outcome = await inTemporaryDatabase(
    async (database, fatal): Promise<TablesOfScripts> => {
      const { query, run } = await prepareScripts(
        database,
        { scripts, includes },
        { fatal, longest: limits.longest },
      );
      await run(scripts);
      const tables = await listTables(catalogOf(query));
      return { answer: describeSource(source, tables), skipped: await readSkippedSteps(query) };
    },
    limits,
    signal,
  );
  return outcome.kind === 'answer' ? outcome.answer : undefined;
}

const source = { id: 'scripts', tag: 'default', defaultSchema: 'public' };
