/**
 * Recognises poolers between the service and its source by their answers. A pooler shares connections of the server between
 * clients, so no client gets a connection for replication. The host name only decides which address to recommend.
 */
import type { DatabaseError } from 'pg';
import type { PostgresServer } from '../../../config/settings.ts';
import type { PreflightProblem } from '../../preflight.ts';
import type { Purpose } from './explain.ts';
import type { ServerFacts } from './facts.ts';

type PoolerName = 'PgBouncer' | 'Supavisor' | "Neon's pooler" | 'RDS Proxy' | 'A pooler';

/** The address of the server, according to its own session. */
type DirectAddress = Pick<ServerFacts, 'host' | 'port'>;

/** Returns the pooler in an answer, or undefined if the answer could be one of a PostgreSQL server. */
export function poolerInAnswer(
  { code, message }: Pick<DatabaseError, 'code' | 'message'>,
  { hostname }: Pick<PostgresServer, 'hostname'>,
  purpose: Purpose,
): PoolerName | undefined {
  if (/unsupported startup parameter|^bouncer config error|pgbouncer/i.test(message))
    return poolerAt(hostname) ?? 'PgBouncer';
  if (/^Tenant or user not found|supavisor/i.test(message)) return 'Supavisor';
  if (/RDS Proxy|doesn't support streaming replication mode/i.test(message)) return 'RDS Proxy';
  // A server in replication mode knows its commands. A pooler that ignores `replication` passes them on as SQL.
  if (purpose === 'replication' && code === '42601') return poolerAt(hostname) ?? 'A pooler';
  return undefined;
}

/** Returns the pooler whose addresses look like this one. */
function poolerAt(hostname: string): PoolerName | undefined {
  if (/\.pooler\.supabase\.(?:com|co)$/.test(hostname)) return 'Supavisor';
  if (/^[^.]+-pooler\..*\.neon\.(?:tech|build)$/.test(hostname)) return "Neon's pooler";
  if (/\.proxy-[a-z0-9]+\.[a-z0-9-]+\.rds\.amazonaws\.com(?:\.cn)?$/.test(hostname)) return 'RDS Proxy';
  return undefined;
}

export function poolerProblem(
  pooler: PoolerName,
  server: PostgresServer,
  direct?: DirectAddress,
): PreflightProblem {
  return {
    level: 'fatal',
    code: 'SVC_S1162',
    cause: `${pooler} answers at ${server.hostname}:${server.port}, and does not support replication connections.`,
    remedy: `Use the address of the database itself${addressFor(pooler, server, direct)}.`,
  };
}

function addressFor(
  pooler: PoolerName,
  { hostname, username }: PostgresServer,
  direct: DirectAddress | undefined,
): string {
  const project = /^[^.]+\.([a-z0-9]+)$/.exec(username)?.[1];
  if (pooler === 'Supavisor' && project !== undefined)
    return `: host db.${project}.supabase.co, port 5432, user ${username.split('.')[0]}`;
  if (pooler === "Neon's pooler") return `: host ${hostname.replace('-pooler.', '.')}, port 5432`;
  if (pooler === 'RDS Proxy')
    return ': the endpoint of the instance or, for Aurora, the writer endpoint of the cluster, port 5432';
  return direct === undefined || direct.host === null
    ? ', not that of the pooler'
    : `: its server reports that it listens at host ${direct.host}, port ${direct.port}`;
}
