/** Opens connections to a PostgreSQL server as configured. */
import type { Socket } from 'node:net';
import pg from 'pg';
import type { PostgresServer } from '../config/settings.ts';
import {
  type AskServer,
  type Direct,
  type ProcessState,
  processOf,
  stateOfProcess,
  toAnswer,
  type Work,
  watchAnswers,
} from './answers.ts';
import { openSocket, toTlsOptions } from './socket.ts';

export type Client = pg.Client;
type Pool = pg.Pool;

/**
 * The usual settings. They make the text of a value independent of the connection and of the settings of the server and the role.
 */
const session = `
SET DateStyle = 'ISO, MDY';
SET TimeZone = 'UTC';
SET IntervalStyle = 'postgres';
SET extra_float_digits = 3;
SET bytea_output = 'hex';
SET xmloption = 'content';
SET standard_conforming_strings = on;
SET search_path = "$user", public;
SET quote_all_identifiers = off;
SET row_security = on;
SET lock_timeout = 0;`;

interface Session {
  readonly work: Work;
  /** The time limit of a statement in milliseconds. 0 means none. */
  readonly statementTimeout: number;
  /**
   * The time limit of an idle transaction in milliseconds, because a process that is stopped or gone must not keep others
   * waiting. 0 means none.
   */
  readonly idleTimeout: number;
  readonly prompt?: (() => void) | undefined;
  /** `SET … ;` statements, in addition to the usual settings. */
  readonly settings?: string | undefined;
}

/** The default time limit of a statement in milliseconds. */
const usualStatementTimeout = 60_000;

interface PoolOptions extends Pick<Session, 'settings'> {
  /** Closes all connections when aborted. */
  readonly signal?: AbortSignal;
}

const forPool: Session = { work: 'statement', statementTimeout: usualStatementTimeout, idleTimeout: 10_000 };

/** Opens a pool for short statements. It connects when it is used. */
export function openPool(server: PostgresServer, { signal, settings }: PoolOptions = {}): Pool {
  const pool = new pg.Pool({
    ...toConfig(server, signal),
    max: server.maxPoolSize,
    // This limit also applies if an answer was lost in the network.
    query_timeout: usualStatementTimeout + 5_000,
    allowExitOnIdle: true,
    verify: (client, done) => {
      beginSession(client, server, { ...forPool, settings }).then(() => done(), done);
    },
  });
  // If an idle connection breaks, the error is ignored, because the next user gets another connection.
  pool.on('error', () => undefined);
  // If a connection breaks between two statements of a user, the error is ignored, because the next statement fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * Opens a connection for long work. The caller ends it. Statements have no time limit.
 * @param prompt asks the server for a sign of life, if the server sends data on its own
 */
export async function openClient(
  server: PostgresServer,
  purpose?: 'replication',
  prompt?: () => void,
): Promise<Client> {
  const client = new pg.Client({
    ...toConfig(server),
    ...(purpose === 'replication' && { replication: 'database' }),
  });
  // The error is ignored here, because a caller that waits for an answer gets it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const work = prompt !== undefined ? 'stream' : purpose === undefined ? 'statement' : 'command';
    await beginSession(client, server, { work, statementTimeout: 0, idleTimeout: 0, prompt });
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  return client;
}

/** Begins a session whose callers get an error if no answer will come. */
async function beginSession(
  client: pg.ClientBase,
  server: PostgresServer,
  { work, statementTimeout, idleTimeout, prompt, settings = '' }: Session,
): Promise<void> {
  const direct: Direct = { isSure: false };
  watchAnswers(client, { work, direct, askServer: askerOf(server), prompt });
  const results: unknown = await client.query(
    `${session}${settings}
SET statement_timeout = ${statementTimeout};
SET idle_in_transaction_session_timeout = ${idleTimeout};
SELECT pg_backend_pid() AS pid`,
  );
  const last = Array.isArray(results) ? (results.at(-1) as pg.QueryResult<{ pid: number }>) : undefined;
  direct.isSure = last?.rows[0]?.pid === processOf(client);
}

/** The time limit in milliseconds for the server to answer each question over another connection. */
const questionTimeout = 5_000;

/** Returns a function that asks over a new connection, because all existing ones may be silent. */
function askerOf(server: PostgresServer): AskServer {
  return async ({ process, work }) => {
    const client = new pg.Client({
      ...toConfig(server),
      connectionTimeoutMillis: questionTimeout,
      query_timeout: questionTimeout,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<ProcessState>(stateOfProcess, [process]);
      return toAnswer(rows[0], work);
    } catch (error) {
      // The server is alive, but has no capacity for another connection.
      if (error instanceof pg.DatabaseError) return 'unknown';
      throw error;
    } finally {
      socketOf(client).destroy();
    }
  };
}

/** Returns the socket of a connection, encrypted or not. */
export function socketOf(client: Client): Socket {
  return client.connection.stream as Socket;
}

interface Config extends pg.ClientConfig {
  readonly replication?: 'database';
}

function toConfig(server: PostgresServer, signal?: AbortSignal): Config {
  return {
    // The name for the certificate. The socket itself knows the real host.
    host: server.tls.serverName ?? server.hostname,
    port: server.port,
    user: server.username,
    password: server.password,
    database: server.database,
    ssl: toTlsOptions(server.tls),
    stream: () => openSocket(server, signal),
    connectionTimeoutMillis: server.connectTimeoutSeconds * 1000,
    application_name: 'headwater',
    keepAlive: true,
  };
}
