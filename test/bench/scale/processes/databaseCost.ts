/** Measures the work of a PostgreSQL server for a database: the processor time of all its processes, and the statements. */
import { readdirSync, readFileSync } from 'node:fs';
import { startPostgres, type TestPostgres } from '../../../support/processes/postgres.ts';
import { processorTime } from '../../stage.ts';

export interface DatabaseCost {
  /** Milliseconds of its processes, those that have ended included. */
  readonly processor: number;
  /** NaN where the server does not count them. */
  readonly statements: number;
}

/**
 * Of a storage: as many connections as it takes, and statements that are counted where the server can do that.
 *
 * @param more further settings
 */
export async function startStorageServer(more: Readonly<Record<string, string>> = {}): Promise<TestPostgres> {
  const settings = { max_connections: '1200', shared_buffers: '256MB', ...more };
  try {
    return await startPostgres({ ...settings, shared_preload_libraries: 'pg_stat_statements' });
  } catch {
    return startPostgres(settings);
  }
}

/** The settings without the server's own work, which comes at any time and would be counted with the measured work. */
export const withoutUpkeep = { autovacuum: 'off', checkpoint_timeout: '1h', max_wal_size: '8GB' } as const;

export interface CostMeter {
  read(): Promise<DatabaseCost>;
  /** Returns the present number of connections of the service. */
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
      // The process has ended meanwhile. Its time is then in that of the main process.
    }
  }
  return sum;
}

interface ProcessTimes {
  readonly parent: number;
  /** Milliseconds of its children that have ended, in steps of 10. */
  readonly ended: number;
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function fieldsOf(pid: number): ProcessTimes {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
  return { parent: Number(fields[1]), ended: (Number(fields[13]) + Number(fields[14])) * 10 };
}
