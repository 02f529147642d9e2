/** Prepares a process of the embedded database with everything that the service and the project need. */

import type { EmbeddedConnection } from '../../config/settings.ts';
import { firstPosition } from '../../ground/logPosition.ts';
import type { World } from '../../ground/world.ts';
import { numberOf } from '../postgres/lsn.ts';
import type { ScriptRun } from '../source.ts';
import { install } from './capture.ts';
import { type DatabaseProcess, startDatabase } from './child.ts';
import type { DatabaseLimits } from './limits.ts';
import { finishMaking, fulfilReset, prepareFolder, type ResetOrder } from './resetOrder.ts';
import { FatalStatement, type FatalStatements } from './scripts/fatalStatements.ts';
import { installLedger } from './scripts/ledgerTables.ts';
import { loadProject, type ProjectState } from './scripts/loadProject.ts';
import { lookAtFiles } from './scripts/scriptWatch.ts';
import { beginTimeline } from './slots.ts';

export type PasswordedConnection = EmbeddedConnection & { readonly password: string };

interface DatabasePreparing {
  readonly connection: PasswordedConnection;
  readonly folder: string;
  readonly world: World;
  /** Statements of scripts that the database did not survive. More may be added. */
  readonly fatal: FatalStatements;
  readonly closing: AbortSignal;
  readonly limits: DatabaseLimits;
  readonly onRun: (run: ScriptRun) => void;
}

export interface PreparedDatabase {
  readonly process: DatabaseProcess;
  /** Absent if the service config names no scripts. */
  readonly project: ProjectState | undefined;
  /** Describes the state of the scripts when they were read: see `scriptWatch.ts`. */
  readonly seen: string;
}

/** Opens the database. If it does not survive a statement of a script, it is started again without the statement. */
export async function openPrepared(preparing: DatabasePreparing): Promise<PreparedDatabase> {
  const { connection, folder, world, limits, fatal, closing } = preparing;
  const { password } = connection;
  const { order, isNew } = await prepareFolder(folder);
  for (;;) {
    const process = await startDatabase(
      { folder, password, limits, content: isNew ? 'new' : 'kept', closing },
      world,
    );
    try {
      const seen = await lookAtFiles((connection.schema ?? []).map(({ path }) => path));
      const rows = order?.rows ?? (isNew && connection.seed !== false ? 'seeds' : 'none');
      const project = await prepare(process, preparing, { order, rows });
      process.keep();
      // This order matters: after an interruption between the two steps, the database is created again, with the positions of the
      // order.
      if (isNew) await finishMaking(folder);
      if (order !== undefined) await fulfilReset(folder);
      return { process, project, seen };
    } catch (error) {
      await process.stop();
      if (!(error instanceof FatalStatement)) throw error;
      fatal.add(error);
      world.log.write('error', error.message);
    }
  }
}

async function prepare(
  process: DatabaseProcess,
  { connection, fatal, world, onRun }: DatabasePreparing,
  { order, rows }: { readonly order: ResetOrder | undefined; readonly rows: ResetOrder['rows'] },
): Promise<ProjectState | undefined> {
  const ask = (sql: string) => process.ask({ kind: 'query', rights: 'owner', sql, parameters: [] });
  const { rows: found } = await ask(whatIsThere);
  await process.ask({ kind: 'execute', sql: install + installLedger });
  const [[before = null] = []] = found;
  // Clients and deployments know positions of the previous database, so new positions must be greater.
  if (order !== undefined && before === null && order.position > firstPosition)
    await ask(`SELECT setval('headwater.log_seq_seq', ${numberOf(order.position)})`);
  await process.ask({ kind: 'execute', sql: beginTimeline });
  const { schema } = connection;
  if (schema === undefined) return undefined;
  return loadProject({
    database: process,
    schema,
    fatal: fatal.places,
    log: world.log,
    age: before === 'without ledger' ? 'old' : 'new',
    rows,
    leftOut: 'as it is',
    onRun,
  });
}

/** Finds out whether the database has a ledger. Without one, its scripts ran before there were ledgers. */
const whatIsThere = `
  SELECT CASE WHEN to_regclass('headwater.script') IS NULL THEN 'without ledger' ELSE 'all' END
  FROM pg_namespace WHERE nspname = 'headwater'`;
