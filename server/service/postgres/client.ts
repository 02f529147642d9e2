/** Connections to a Postgres server as the configuration describes them. */
import type { Socket } from 'node:net';
import pg from 'pg';
import type { PostgresServer } from '../config/settings.ts';
import { openSocket } from './socket.ts';
import { toTlsOptions } from './tls.ts';

export type Client = pg.Client;
export type Pool = pg.Pool;

/** Values must have one text, whichever connection they come by and whatever the server's or the role's settings are. */
const session = `
SET DateStyle = 'ISO, MDY';
SET TimeZone = 'UTC';
SET IntervalStyle = 'postgres';
SET extra_float_digits = 3;
SET bytea_output = 'hex';
SET xmloption = 'content';
SET standard_conforming_strings = on;
SET lock_timeout = 0;
SET statement_timeout = `;

/** In milliseconds. */
const STATEMENT_TIMEOUT = 60_000;

/** For short statements. Connects when it is used. The signal breaks all connections off. */
export function openPool(server: PostgresServer, signal?: AbortSignal): Pool {
  const pool = new pg.Pool({
    ...toConfig(server, signal),
    max: server.maxPoolSize,
    // Also when the network has swallowed the answer.
    query_timeout: STATEMENT_TIMEOUT + 5_000,
    allowExitOnIdle: true,
    verify: (client, done) => {
      client.query(session + STATEMENT_TIMEOUT).then(() => done(), done);
    },
  });
  // A connection that breaks while nobody uses it: the next user gets another one.
  pool.on('error', () => undefined);
  // One that breaks between two statements of a user: the next statement fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** For long work. Whoever opens it ends it; statements may take as long as they need. */
export async function openClient(server: PostgresServer, purpose?: 'replication'): Promise<Client> {
  const client = new pg.Client({
    ...toConfig(server),
    ...(purpose === 'replication' && { replication: 'database' }),
  });
  // What breaks is told to whoever waits for an answer.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`${session}0`);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  return client;
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
