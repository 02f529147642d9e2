/**
 * Returns the rows that SQL files create, for access tests. They are created in a temporary database in memory, which has the
 * same tables as with `headwater dev`. Values are those that replication would deliver.
 */
import { createHash } from 'node:crypto';
import type { ValueOptions } from '../../../../engine/plan/values/postgres/convert.ts';
import type { SqlValue } from '../../../../engine/plan/values/value.ts';
import { openTurns } from '../../../../shared/turns.ts';
import type { SchemaPath } from '../../../config/settings.ts';
import type { DatabaseProcess } from '../child.ts';
import { copyLines } from '../copy.ts';
import { toRowReader } from '../rows.ts';
import { type AskLedger, readSkippedSteps } from '../scripts/ledgerTables.ts';
import { type ProjectScripts, readProjectScripts, toSeedScript } from '../scripts/projectScripts.ts';
import { findTables, toTableInfo } from '../tables.ts';
import {
  inTemporaryDatabase,
  prepareScripts,
  type ScriptCare,
  type TemporaryLimits,
  temporaryLimits,
} from '../temporary.ts';
import { type RefusedStatement, refusedIn } from './refused.ts';

interface SeedQuestion {
  /** The scripts that create the tables. */
  readonly schema: readonly SchemaPath[];
  /** The scripts with rows, in the order in which they run. A script that has also created tables is not run again. */
  readonly seeds: readonly SeedScript[];
  /** The options of the sync config. */
  readonly options: ValueOptions;
}

interface SeedScript {
  /** The name for users: the path in the project. */
  readonly name: string;
  readonly text: string;
}

interface SeedRows {
  readonly tables: readonly SeedTable[];
  /** The statements that could not be run, and problems of reading rows. */
  readonly refused: readonly RefusedStatement[];
}

interface SeedTable {
  readonly schema: string;
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, SqlValue>>[];
}

/**
 * The answer if the process could not be started or has ended, possibly because of too little memory. It is not cached, so the
 * next call tries again.
 */
const noDatabase: SeedRows = {
  tables: [],
  refused: [{ message: 'the database that runs it has ended. It may need more memory than is available.' }],
};

/** The maximum number of cached answers, for the test files that are currently being edited. */
const mostAnswers = 4;

/**
 * Returns a function that creates the rows of seeds, one database at a time. The function rejects only when the signal is
 * aborted.
 */
export function openSeedDatabase(limits: TemporaryLimits = temporaryLimits) {
  const turns = openTurns();
  const answers = new Map<string, SeedRows>();
  return (question: SeedQuestion, signal: AbortSignal): Promise<SeedRows> =>
    turns.run(async () => {
      const project = await readProjectScripts(question.schema);
      const key = keyOf(question, project);
      const answer = answers.get(key) ?? (await rowsOf(question, project, signal, limits));
      if (answer === undefined) return noDatabase;
      // Moves the answer to the end, because the first one is removed first.
      answers.delete(key);
      answers.set(key, answer);
      for (const oldest of [...answers.keys()].slice(0, -mostAnswers)) answers.delete(oldest);
      return answer;
    });
}

function keyOf({ seeds, options }: SeedQuestion, { scripts, problems }: ProjectScripts): string {
  const hash = createHash('sha256');
  const parts = [scripts.map(({ name, hash: own }) => [name, own]), problems, seeds, options];
  return hash.update(JSON.stringify(parts)).digest('hex');
}

async function rowsOf(
  question: SeedQuestion,
  project: ProjectScripts,
  signal: AbortSignal,
  limits: TemporaryLimits,
): Promise<SeedRows | undefined> {
  const outcome = await inTemporaryDatabase(
    (database, fatal) => readRows(database, question, project, { fatal, longest: limits.longest }),
    limits,
    signal,
  );
  switch (outcome.kind) {
    case 'answer':
      return outcome.answer;
    case 'fatal':
      return { tables: [], refused: [{ message: outcome.message }] };
    case 'none':
      return undefined;
  }
}

async function readRows(
  database: DatabaseProcess,
  { seeds, options }: SeedQuestion,
  { scripts, includes, problems }: ProjectScripts,
  care: ScriptCare,
): Promise<SeedRows> {
  const names = new Set(scripts.map(({ name }) => name));
  const further = seeds.filter(({ name }) => !names.has(name));
  const toRun = [...scripts, ...further.map(({ name, text }) => toSeedScript({ path: name, text }))];
  const { query, run } = await prepareScripts(database, { scripts: toRun, includes }, care);
  await run(toRun);
  const refused: RefusedStatement[] = [
    ...problems.map((message) => ({ message })),
    ...refusedIn(await readSkippedSteps(query), new Set(seeds.map(({ name }) => name)), care.longest),
  ];
  const queryAsUser: AskLedger = (sql, parameters = []) =>
    database.ask({ kind: 'query', rights: 'user', sql, parameters });
  const copyOut = async (select: string): Promise<Buffer> => {
    const { lines = new Uint8Array() } = await database.ask({ kind: 'copy', select });
    return Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
  };
  const tables: SeedTable[] = [];
  for (const { sourceId, description } of await findTables({ query })) {
    const { schema, name } = description;
    const reader = toRowReader(description, options);
    const rows: SeedTable['rows'][number][] = [];
    for await (const { lines } of copyLines(
      { queryAsUser, copyOut },
      toTableInfo(sourceId, description),
      description,
      undefined,
    ))
      for (const line of lines) {
        const { values, failure } = reader.ofLine(line);
        if (failure === undefined) rows.push(values);
        else refused.push({ message: `A row of ${schema}.${name} is not synced: ${failure}` });
      }
    if (rows.length > 0) tables.push({ schema, name, rows });
  }
  return { tables, refused };
}
