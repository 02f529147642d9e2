/** The embedded database. It is opened when it is first needed, and captures all changes from then on. */

import { openTurns } from '../../../shared/turns.ts';
import { firstPosition, laterOf } from '../../ground/logPosition.ts';
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
import { CurrentProcess } from './currentProcess.ts';
import type { Answer, Query } from './database/protocol.ts';
import { openHeartbeat } from './heartbeat.ts';
import type { DatabaseLimits } from './limits.ts';
import { openPrepared, type PasswordedConnection } from './prepare.ts';
import { ProjectLoads } from './projectLoads.ts';
import { orderReset } from './resetOrder.ts';
import { openFatalStatements } from './scripts/fatalStatements.ts';
import { describeSkipped } from './scripts/ledger.ts';
import { readSkippedSteps } from './scripts/ledgerTables.ts';
import { refuseUnreadable } from './scripts/projectScripts.ts';
import { openScriptRuns, type ScriptRuns } from './scripts/scriptRuns.ts';
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
  const { schema = [] } = connection;
  const fatal = openFatalStatements();
  const resets = openTurns();
  const runs = openScriptRuns();
  const loads = new ProjectLoads({ schema, fatal, world, onRun: runs.add, open: () => current.open() });
  const current = new CurrentProcess(async (closing) => {
    const prepared = await openPrepared({
      connection,
      folder,
      world,
      limits,
      fatal,
      closing,
      onRun: runs.add,
    });
    loads.begin(prepared, closing);
    return prepared.process;
  });
  const open = (): Promise<DatabaseProcess> => {
    heartbeat.begin();
    return current.open();
  };
  const ask: DatabaseProcess['ask'] = async (request) => {
    const { ask: send } = await open();
    return send(request).catch(failWithCode);
  };
  const heartbeat = openHeartbeat({
    ask: () => ask({ kind: 'query', rights: 'owner', sql: 'SELECT 1', parameters: [] }),
    isSilent: () => current.running?.problem()?.kind === 'silence',
    explain: () =>
      current.running === undefined
        ? 'It is starting.'
        : (current.running.problem()?.message ?? 'It is busy with other work.'),
    clock: world.clock,
    log: world.log,
    signal: current.closing,
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
      if (loads.state === undefined) return undefined;
      return { ...loads.state, skipped: (await readSkippedSteps(database.query)).map(describeSkipped) };
    },
    scriptRuns: runs.next,
    async applyScripts() {
      if (schema.length === 0) return;
      await loads.load(await open(), 'once more');
    },
    reset: ({ rows, after }, onGone) =>
      resets.run(async () => {
        await refuseUnreadable(schema);
        // A database that cannot be opened is also created again.
        const position = await positionIn(database).catch(() => firstPosition);
        await orderReset(folder, { rows, position: laterOf(position, after) });
        fatal.clear();
        await current.empty(onGone);
      }),
    problem: () => current.running?.problem(),
    abandon: () => current.abandon(),
    close: () => current.close(),
  };
  return database;
}

function failWithCode(error: unknown): never {
  throw error instanceof StatementFailure
    ? new SourceFailure('other', 'SVC_S1120', error.message, { cause: error })
    : error;
}
