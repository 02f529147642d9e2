/** Runs short statements on the source, over shared connections. */
import { setMaxListeners } from 'node:events';
import type { PostgresServer } from '../../config/settings.ts';
import { openPool } from '../../postgres/client.ts';
import { SourceFailure } from '../source.ts';
import { toSourceFailure } from './sourceFailures.ts';

/** All methods fail with `SourceFailure`. */
export interface Queries {
  all<Row>(sql: string, args?: readonly unknown[]): Promise<readonly Row[]>;
  /** Returns the first row. */
  one<Row>(sql: string, args?: readonly unknown[]): Promise<Row>;
  /** Returns the fields as PostgreSQL writes them, in the order of the columns. */
  texts(sql: string, args: readonly unknown[]): Promise<readonly (readonly (string | null)[])[]>;
  /** Returns the version, as in `server_version_num`: 150004. */
  version(): Promise<number>;
  close(): Promise<void>;
}

const asTexts = { getTypeParser: () => (text: unknown) => text };

export function openQueries(server: PostgresServer): Queries {
  const closed = new AbortController();
  // Each connection of the pool adds a listener.
  setMaxListeners(0, closed.signal);
  const pool = openPool(server, { signal: closed.signal });
  const fail = (error: unknown): never => {
    if (closed.signal.aborted)
      throw new SourceFailure('closed', 'SVC_S1121', 'The connection to the source is closed.', {
        cause: error,
      });
    throw toSourceFailure(error, server);
  };
  const all: Queries['all'] = async (sql, args = []) => (await pool.query(sql, [...args]).catch(fail)).rows;
  const one: Queries['one'] = async <Row>(sql: string, args?: readonly unknown[]) => {
    const [row] = await all<Row>(sql, args);
    return row as Row;
  };
  let closing: Promise<void> | undefined;
  return {
    all,
    one,
    texts: async (text, args) => {
      const query = { text, values: [...args], rowMode: 'array' as const, types: asTexts as never };
      return (await pool.query<(string | null)[]>(query).catch(fail)).rows;
    },
    version: async () => {
      const sql = `SELECT current_setting('server_version_num')::int AS version`;
      return (await one<{ readonly version: number }>(sql)).version;
    },
    close: () => {
      closing ??= pool.end();
      // Closing would otherwise wait for a server that does not answer.
      closed.abort();
      return closing;
    },
  };
}
