/** Explains failures of a server. The sentences never contain a password or a certificate. */
import { DatabaseError } from 'pg';
import type { PostgresServer } from '../config/settings.ts';
import { RejectedAddress } from './socket.ts';

export type ServerFailureKind = 'unreachable' | 'refused' | 'settings' | 'closed' | 'other';

interface ServerFailure {
  readonly kind: ServerFailureKind;
  readonly message: string;
}

export function describeFailure(error: unknown, server: PostgresServer): ServerFailure {
  const failure = firstOf(error);
  if (failure instanceof DatabaseError) return ofDatabase(failure, server);
  const where = `${server.hostname}:${server.port}`;
  if (failure instanceof RejectedAddress) return { kind: 'settings', message: `${failure.message}.` };
  const code = codeOf(failure);
  const said = failure instanceof Error ? failure.message : String(failure);
  const explained = ofSocket[code] ?? ofMessage(said);
  if (explained !== undefined) return { kind: explained[0], message: explained[1](where) };
  if (isAboutTls(code, said)) return { kind: 'settings', message: tlsMessage(said, code, server) };
  return { kind: 'other', message: `Connection to ${where}: ${said || code}` };
}

/** Returns the first error, because attempts at several addresses fail with an aggregate. */
function firstOf(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

type Explanation = readonly [ServerFailureKind, (where: string) => string];

const unknownHost: Explanation = ['unreachable', (where) => `The host of ${where} is unknown.`];
const silent: Explanation = ['unreachable', (where) => `${where} does not answer.`];
const ended: Explanation = ['closed', (where) => `The connection to ${where} ended.`];

const ofSocket: Readonly<Record<string, Explanation>> = {
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ECONNREFUSED: ['unreachable', (where) => `Nothing listens at ${where}: is the database running there?`],
  ETIMEDOUT: silent,
  EHOSTUNREACH: ['unreachable', (where) => `The network does not reach ${where}.`],
  ENETUNREACH: ['unreachable', (where) => `The network does not reach ${where}.`],
  ECONNRESET: ended,
  EPIPE: ended,
};

function ofMessage(message: string): Explanation | undefined {
  if (/timeout (expired|exceeded)|connection timeout|Query read timeout/.test(message)) return silent;
  return /^Connection terminated|not queryable|end\(\) was called/.test(message) ? ended : undefined;
}

function isAboutTls(code: string, message: string): boolean {
  return (
    /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|HOSTNAME_)/.test(code) ||
    /SSL connection|PEM/.test(message)
  );
}

function tlsMessage(said: string, code: string, { hostname, tls }: PostgresServer): string {
  if (/does not support SSL/.test(said)) {
    return `The server at ${hostname} does not support TLS. If the connection to it is safe, for example on one machine, set \`sslmode: disable\`.`;
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `The server's certificate is not for "${tls.serverName ?? hostname}": ${said}. Set \`tls_servername\`, or \`sslmode: verify-ca\`.`;
  }
  return `TLS with ${hostname} failed: ${said}${code === '' ? '' : ` (${code})`}. A server with its own certificate authority needs \`cacert\`.`;
}

/** Explains an error by its SQLSTATE. */
function ofDatabase(error: DatabaseError, { username, database }: PostgresServer): ServerFailure {
  const { code = '', message } = error;
  if (code === '28P01' || code === '28000') return { kind: 'refused', message: `${message}.` };
  if (code === '3D000') return { kind: 'settings', message: `There is no database "${database}".` };
  if (code === '42501')
    return { kind: 'settings', message: `The user "${username}" lacks a right: ${message}.` };
  if (code === '57P03' || code === '53300') return { kind: 'unreachable', message: `${message}.` };
  // The server is a standby that has not taken over yet.
  if (code === '25006') return { kind: 'unreachable', message: `${message}.` };
  if (code.startsWith('08') || /^(57P0[125]|25P03|25P04)/.test(code))
    return { kind: 'closed', message: `${message}.` };
  return { kind: 'other', message };
}
