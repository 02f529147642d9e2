/** Reads the address of a PostgreSQL server: a URI, separate keys, or both. A key overrides its part of the URI. */
import type { ServiceErrorCode } from '../ground/errors.ts';
import { decodeCount, decodeRanges, readPort } from './commonKeys.ts';
import { type PostgresUri, readPostgresUri } from './postgresUri.ts';
import type { Section } from './section.ts';
import type { PostgresServer, TlsSettings } from './settings.ts';

export function decodePostgres(section: Section): PostgresServer {
  const uri = decodeUri(section);
  const hostname = part(section, 'hostname', 'host name', 'SVC_S1106', uri);
  return {
    hostname,
    port: decodeServerPort(section, uri),
    username: part(section, 'username', 'user name', 'SVC_S1107', uri),
    password: part(section, 'password', 'password', 'SVC_S1108', uri),
    database: part(section, 'database', 'database', 'SVC_S1105', uri),
    tls: decodeTls(section),
    rejectIpRanges: decodeRanges(section, 'reject_ip_ranges'),
    maxPoolSize: decodeCount(section, 'max_pool_size', 8),
    connectTimeoutSeconds: positive(section.number('connect_timeout')) ?? positive(uri?.connectTimeout) ?? 20,
  };
}

/** Returns undefined without a URI, and null for an unreadable one. With null, no part counts as missing. */
function decodeUri(section: Section): PostgresUri | null | undefined {
  const text = section.text('uri');
  if (!text) return undefined;
  const uri = readPostgresUri(text);
  if (uri !== undefined) return uri;
  section.refuse('`uri` must be a URI such as postgresql://user@host/database.', {
    key: 'uri',
    code: 'SVC_S1109',
  });
  return null;
}

function part(
  section: Section,
  key: 'hostname' | 'username' | 'password' | 'database',
  words: string,
  code: ServiceErrorCode,
  uri: PostgresUri | null | undefined,
): string {
  const value = section.has(key) ? section.text(key) : uri?.[key];
  if (!value && uri !== null)
    section.refuse(`This connection has no ${words}. Add it to \`uri\`, or as \`${key}\`.`, {
      key: section.has(key) ? key : 'uri',
      code,
    });
  return value ?? '';
}

function decodeServerPort(section: Section, uri: PostgresUri | null | undefined): number {
  const inKey = section.has('port');
  const port = inKey ? readPort(section.value.port) : uri?.port ? readPort(uri.port) : 5432;
  if (!(port >= 1024 && port <= 65535))
    section.refuse('The port of a database must be from 1024 to 65535.', {
      key: inKey ? 'port' : 'uri',
      code: 'SVC_S1110',
    });
  return port;
}

const modes = ['verify-full', 'verify-ca', 'disable'] as const;

function decodeTls(section: Section): TlsSettings {
  const name = section.text('sslmode') ?? 'verify-full';
  const mode = modes.find((known) => known === name);
  if (mode === undefined)
    section.refuse(`\`sslmode\` must be ${modes.slice(0, -1).join(', ')} or ${modes.at(-1)}.`, {
      key: 'sslmode',
    });
  const ca = section.text('cacert');
  if (mode === 'verify-ca' && !ca)
    section.refuse('`sslmode: verify-ca` needs `cacert`: the certificate authority to trust, as PEM text.', {
      key: 'sslmode',
      code: 'SVC_S1104',
    });
  const certificate = section.text('client_certificate');
  const privateKey = section.text('client_private_key');
  const serverName = section.text('tls_servername');
  return {
    mode: mode ?? 'verify-full',
    ...(ca && { ca }),
    ...(certificate && { certificate }),
    ...(privateKey && { privateKey }),
    ...(serverName && { serverName }),
  };
}

/** Returns undefined for an invalid time, because the reference service ignores it silently. */
function positive(seconds: number | undefined): number | undefined {
  return seconds !== undefined && seconds > 0 ? seconds : undefined;
}
