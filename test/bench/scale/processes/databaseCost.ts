/**
 * Measures the work of a PostgreSQL server: the processor time of all its processes, and the number of statements in one
 * database.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { startPostgres, type TestPostgres } from '../../../support/processes/postgres.ts';
import { processorTime } from '../../stage.ts';

export interface DatabaseCost {
  /** Processor time of all processes of the server in milliseconds, including those that have ended. */
  readonly processor: number;
  /** The number of statements. NaN if the server does not count them. */
  readonly statements: number;
}

/**
 * Starts a server for a storage, with enough connections. It counts statements if it has the library for that.
 *
 * @param more additional settings
 */
export async function startStorageServer(more: Readonly<Record<string, string>> = {}): Promise<TestPostgres> {
  const settings = { max_connections: '1200', shared_buffers: '256MB', ...more };
  try {
    return await startPostgres({ ...settings, shared_preload_libraries: 'pg_stat_statements' });
  } catch {
    return startPostgres(settings);
  }
}

/**
 * Settings that suppress the server's own upkeep, which could start at any time and would be counted with the measured
 * work.
 */
export const withoutUpkeep = { autovacuum: 'off', checkpoint_timeout: '1h', max_wal_size: '8GB' } as const;

export interface CostMeter {
  read(): Promise<DatabaseCost>;
  /** Returns the current number of connections of the service. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

export async function openCostMeter(postgres: TestPostgres, database: string): Promise<CostMeter> {
  const client = await postgres.client(database);
  const ask = async (sql: string): Promise<number> => {
    const { rows } = await client.query<{ value: string }>(sql);
    return Number(rows[0]?.value);
  };
  const own = await ask('SELECT pg_backend_pid() AS value');
  const main = fieldsOf(own).parent;
  const isCounting = await client.query('CREATE EXTENSION pg_stat_statements').then(
    () => true,
    () => false,
  );
  const statements = `SELECT coalesce(sum(calls), 0) AS value FROM pg_stat_statements
    WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND query !~ '^(BEGIN|COMMIT|ROLLBACK|SET |SELECT pg_backend_pid)'`;
  return {
    read: async () => ({
      statements: isCounting ? await ask(statements) : Number.NaN,
      processor: processorOfServer(main),
    }),
    connections: () =>
      ask(`SELECT count(*) AS value FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'headwater'`),
    close: () => client.end(),
  };
}

function processorOfServer(main: number): number {
  let sum = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const { parent, ended } = fieldsOf(Number(name));
      if (Number(name) === main) sum += processorTime(main) + ended;
      else if (parent === main) sum += processorTime(Number(name));
    } catch {
      // The process has ended in the meantime. The main process then includes its time.
    }
  }
  return sum;
}

interface ProcessTimes {
  readonly parent: number;
  /** Processor time of child processes that have ended, in milliseconds, in steps of 10. */
  readonly ended: number;
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function fieldsOf(pid: number): ProcessTimes {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
  return { parent: Number(fields[1]), ended: (Number(fields[13]) + Number(fields[14])) * 10 };
}
