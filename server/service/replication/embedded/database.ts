/** The embedded database. It is opened when it is first needed, and captures all changes from then on. */

import { openTurns } from '../../../shared/turns.ts';
import { laterOf, zeroLsn } from '../../ground/lsn.ts';
import { startAlone } from '../../ground/unattended.ts';
import type { World } from '../../ground/world.ts';
import type { ReadStatement } from '../postgres/reading.ts';
import {
  type ResetOptions,
  type ScriptReport,
  SourceFailure,
  type SourceLink,
  type SourceProblem,
} from '../source.ts';
import { type DatabaseProcess, StatementFailure } from './child.ts';
import type { Answer, Query } from './database/protocol.ts';
import { openHeartbeat } from './heartbeat.ts';
import type { DatabaseLimits } from './limits.ts';
import { openPrepared, type PasswordedConnection, type PreparedDatabase } from './prepare.ts';
import { orderReset } from './resetOrder.ts';
import { FatalStatement, openFatalStatements } from './scripts/fatalStatements.ts';
import { describeSkipped } from './scripts/ledger.ts';
import { readSkippedSteps } from './scripts/ledgerTables.ts';
import { loadProject, type ProjectState } from './scripts/loadProject.ts';
import { refuseUnreadable } from './scripts/projectScripts.ts';
import { openScriptRuns, type ScriptRuns } from './scripts/scriptRuns.ts';
import { lookAtFiles, watchScripts } from './scripts/scriptWatch.ts';
import { positionIn } from './slots.ts';

export interface EmbeddedDatabase {
  open(): Promise<DatabaseProcess>;
  /** Runs a query. Values are returned as text, and errors are {@link SourceFailure}s. */
  query(sql: string, parameters?: Query['parameters']): Promise<Answer>;
  /**
   * Runs a query with the rights of clients. Queries that read or write rows of the project need this, because they may run code
   * of the project.
   */
  queryAsUser(sql: string, parameters?: Query['parameters']): Promise<Answer>;
  /** Runs a statement of the user. It can only read, and has limits. */
  read(reading: ReadStatement, signal: AbortSignal): Promise<Answer>;
  /** Returns the rows of a statement as lines of `COPY`. */
  copyOut(select: string): Promise<Buffer>;
  /** Runs statements in one transaction, and notifies the streams. */
  execute(sql: string): Promise<void>;
  /** Resolves when clients have had more turns than this. */
  activity(after: number): Promise<void>;
  /** Returns undefined if the service config names no scripts. */
  scripts(): Promise<ScriptReport | undefined>;
  readonly scriptRuns: ScriptRuns['next'];
  /** Runs new scripts, and tries the omitted statements again. Fails if the scripts cannot run. */
  applyScripts(): Promise<void>;
  /** See `OwnDatabase`. */
  reset(options: ResetOptions, onGone: () => Promise<void>): Promise<void>;
  readonly link: SourceLink;
  /** Returns the reason why the database does not answer, or undefined if no reason is known. */
  problem(): SourceProblem | undefined;
  /** Stops a database that is still starting, immediately and permanently, because its content can be created again. */
  abandon(): Promise<void>;
  /** Closes the database permanently: later calls do not open it again. */
  close(): Promise<void>;
}

interface DatabaseParts {
  readonly connection: PasswordedConnection;
  readonly folder: string;
  readonly world: World;
  readonly limits: DatabaseLimits;
}

export function toDatabase({ connection, folder, world, limits }: DatabaseParts): EmbeddedDatabase {
  const { log, clock } = world;
  const { schema = [] } = connection;
  const fatal = openFatalStatements();
  const closing = new AbortController();
  let current: Promise<DatabaseProcess> | undefined;
  let running: DatabaseProcess | undefined;
  let project: ProjectState | undefined;
  // Loads take turns, because two loads at the same time would run a script twice.
  const loads = openTurns();
  const resets = openTurns();
  const runs = openScriptRuns();
  /** Present until the old database has been removed. Meanwhile, calls wait for the new one. */
  let emptying: Promise<void> | undefined;

  const open = async (): Promise<DatabaseProcess> => {
    heartbeat.begin();
    await emptying;
    if (closing.signal.aborted)
      throw new SourceFailure('closed', 'SVC_S1101', 'The embedded database is closed.');
    if (current !== undefined) return current;
    const opening = start();
    const forget = (): void => {
      if (current !== opening) return;
      current = undefined;
      running = undefined;
    };
    current = opening;
    opening.then(({ ended }) => ended.then(forget), forget);
    return opening;
  };
  const start = async (): Promise<DatabaseProcess> => {
    const signal = closing.signal;
    const prepared = await openPrepared({
      connection,
      folder,
      world,
      limits,
      fatal,
      closing: signal,
      onRun: runs.add,
    });
    project = prepared.project;
    running = prepared.process;
    if (schema.length > 0) watch(prepared);
    return prepared.process;
  };
  const watch = ({ process, seen }: PreparedDatabase): void => {
    const over = new AbortController();
    process.ended.then(() => over.abort());
    const paths = schema.map(({ path }) => path);
    const onChange = () => loads.run(() => update(process));
    const watched = { paths, known: seen, look: lookAtFiles, clock, onChange };
    startAlone('Watching the scripts', () => watchScripts(watched, over.signal));
  };
  /** Loads changed scripts. The database continues even if this fails. */
  const update = async (process: DatabaseProcess): Promise<void> => {
    try {
      const loading = { database: process, schema, fatal: fatal.places, log, onRun: runs.add } as const;
      project = await loadProject({ ...loading, age: 'new', rows: 'none', leftOut: 'as it is' });
    } catch (error) {
      if (error instanceof FatalStatement) await openWithout(error, process);
      else if (!closing.signal.aborted)
        log.write('warn', 'Could not run scripts of the project.', { error: (error as Error).message });
    }
  };
  /** Records the fatal statement and opens the database without it, after the process has ended because of the statement. */
  const openWithout = async (statement: FatalStatement, { ended }: DatabaseProcess): Promise<void> => {
    fatal.add(statement);
    log.write('error', statement.message);
    await ended;
    await open().catch(() => undefined);
  };
  const ask: DatabaseProcess['ask'] = async (request) => {
    const { ask: send } = await open();
    return send(request).catch(failWithCode);
  };
  const stop: DatabaseProcess['stop'] = async (reason) => {
    const running = await current?.catch(() => undefined);
    await running?.stop(reason);
  };
  const heartbeat = openHeartbeat({
    ask: () => ask({ kind: 'query', rights: 'owner', sql: 'SELECT 1', parameters: [] }),
    explain: () =>
      running === undefined
        ? 'It is starting.'
        : (running.problem()?.message ?? 'It is busy with other work.'),
    clock,
    log,
    signal: closing.signal,
  });
  const database: EmbeddedDatabase = {
    open,
    link: heartbeat,
    query: (sql, parameters = []) => ask({ kind: 'query', rights: 'owner', sql, parameters }),
    queryAsUser: (sql, parameters = []) => ask({ kind: 'query', rights: 'user', sql, parameters }),
    read: async (reading, signal) =>
      (await open()).read({ kind: 'read', ...reading }, signal).catch(failWithCode),
    copyOut: async (select) => {
      const { lines = new Uint8Array() } = await ask({ kind: 'copy', select });
      return Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
    },
    execute: async (sql) => void (await ask({ kind: 'execute', sql })),
    activity: async (after) => void (await ask({ kind: 'activity', after })),
    async scripts() {
      await open();
      if (project === undefined) return undefined;
      return { ...project, skipped: (await readSkippedSteps(database.query)).map(describeSkipped) };
    },
    scriptRuns: runs.next,
    async applyScripts() {
      if (schema.length === 0) return;
      const process = await open();
      await loads.run(async () => {
        try {
          const loading = { database: process, schema, fatal: fatal.places, log, onRun: runs.add } as const;
          project = await loadProject({ ...loading, age: 'new', rows: 'none', leftOut: 'once more' });
        } catch (error) {
          if (!(error instanceof FatalStatement)) throw error;
          await openWithout(error, process);
        }
      });
    },
    reset: ({ rows, after }, onGone) =>
      resets.run(async () => {
        await refuseUnreadable(schema);
        // A database that cannot be opened is also created again.
        const position = await positionIn(database).catch(() => zeroLsn);
        await orderReset(folder, { rows, position: laterOf(position, after) });
        fatal.clear();
        const emptied = stop('reset').then(onGone);
        emptying = emptied.catch(() => undefined);
        await emptied.finally(() => {
          emptying = undefined;
        });
        await open();
      }),
    problem: () => running?.problem(),
    async abandon() {
      if (running !== undefined || current === undefined) return;
      closing.abort();
      await stop();
    },
    async close() {
      closing.abort();
      await stop();
    },
  };
  return database;
}

function failWithCode(error: unknown): never {
  throw error instanceof StatementFailure
    ? new SourceFailure('other', 'SVC_S1120', error.message, { cause: error })
    : error;
}
