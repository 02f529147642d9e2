/** Connections to a Postgres server as the configuration describes them. */
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

/** Values must have one text, whichever connection they come by and whatever the server's or the role's settings are. */
const session = `
SET DateStyle = 'ISO, MDY';
SET TimeZone = 'UTC';
SET IntervalStyle = 'postgres';
SET extra_float_digits = 3;
SET bytea_output = 'hex';
SET xmloption = 'content';
SET standard_conforming_strings = on;
SET lock_timeout = 0;`;

interface Session {
  readonly work: Work;
  /** The time limit of a statement in milliseconds. 0 means none. */
  readonly statementTimeout: number;
  /** For transactions: a process that is stopped or gone must not keep others waiting. */
  readonly idleTimeout: number;
  readonly prompt?: (() => void) | undefined;
  /** `SET … ;`, in addition to the usual settings. */
  readonly settings?: string | undefined;
}

/** The default time limit of a statement in milliseconds. */
const usualStatementTimeout = 60_000;

interface PoolOptions extends Pick<Session, 'settings'> {
  /** Breaks all connections off. */
  readonly signal?: AbortSignal;
}

const forPool: Session = { work: 'statement', statementTimeout: usualStatementTimeout, idleTimeout: 10_000 };

/** For short statements. Connects when it is used. */
export function openPool(server: PostgresServer, { signal, settings }: PoolOptions = {}): Pool {
  const pool = new pg.Pool({
    ...toConfig(server, signal),
    max: server.maxPoolSize,
    // This limit also holds if the network has swallowed the answer.
    query_timeout: usualStatementTimeout + 5_000,
    allowExitOnIdle: true,
    verify: (client, done) => {
      beginSession(client, server, { ...forPool, settings }).then(() => done(), done);
    },
  });
  // A connection that breaks while nobody uses it: the next user gets another one.
  pool.on('error', () => undefined);
  // A connection may break between two statements of a user. The next statement fails then.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * For long work. The caller ends it; statements may take as long as they need.
 * @param prompt asks the server for a sign of life, if it sends data by itself
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
  // A caller that waits for an answer gets the error.
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

/** Milliseconds in which a server that is asked for another connection must answer, each time. */
const questionTimeout = 5_000;

/** Over a connection of its own: those that are there may all be silent. */
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
      // A server that has no place for another connection is there.
      if (error instanceof pg.DatabaseError) return 'unknown';
      throw error;
    } finally {
      socketOf(client).destroy();
    }
  };
}

/** Encrypted or not. */
export function socketOf(client: Client): Socket {
  return client.connection.stream as Socket;
}

interface Config extends pg.ClientConfig {
  readonly replication?: 'database';
}

function toConfig(server: PostgresServer, signal?: AbortSignal): Config {
  return {
    // The certificate's name; the socket knows the real one.
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
