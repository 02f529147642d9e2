/** Facts about the server and the user of the connection, which every user may read. */
import type { Queries } from '../queries.ts';

export interface ServerFacts {
  /** The version, as in `server_version_num`: 150004. */
  readonly version: number;
  readonly isStandby: boolean;
  readonly mayReplicate: boolean;
  /** Whether the user has the role that Amazon RDS grants instead of the attribute. */
  readonly hasRdsRole: boolean;
  /** The address at which the server itself accepted the connection; null for a Unix socket. */
  readonly host: string | null;
  readonly port: number | null;
  /** Logical slots that are currently not in use. */
  readonly unusedSlots: readonly string[];
}

export function readFacts(queries: Pick<Queries, 'one'>): Promise<ServerFacts> {
  return queries.one<ServerFacts>(`
SELECT current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS "isStandby",
  r.rolsuper OR r.rolreplication OR EXISTS (SELECT FROM pg_catalog.pg_roles g
    WHERE g.rolname = 'rds_replication' AND pg_has_role(r.oid, g.oid, 'MEMBER')) AS "mayReplicate",
  EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'rds_replication') AS "hasRdsRole",
  host(inet_server_addr()) AS host, inet_server_port() AS port,
  ARRAY(SELECT slot_name::text FROM pg_catalog.pg_replication_slots
    WHERE NOT active AND NOT temporary ORDER BY slot_name LIMIT 5) AS "unusedSlots"
FROM pg_catalog.pg_roles r WHERE r.rolname = current_user`);
}
