/**
 * Explains why a server refuses a connection or a replication slot, with a remedy. Decisions depend on the SQLSTATE and on the
 * function of the server that reports the error, which are the same in all languages. Poolers report only English sentences.
 */
import { DatabaseError } from 'pg';
import { quoteName } from '../../../../engine/sql/names.ts';
import type { PostgresServer } from '../../../config/settings.ts';
import type { ServiceErrorCode } from '../../../ground/errors.ts';
import { type PreflightProblem, repairable } from '../../preflight.ts';
import type { ServerFacts } from './facts.ts';
import { poolerInAnswer, poolerProblem } from './pooler.ts';

export type Purpose = 'statements' | 'replication';

interface Attempt {
  readonly server: PostgresServer;
  readonly purpose: Purpose;
  /** Absent if the server has not answered any statements before. */
  readonly facts?: ServerFacts;
}

/** Explains a refusal. Returns undefined if the server's own message is the best explanation. */
export function explainRefusal(
  error: unknown,
  { server, purpose, facts }: Attempt,
): PreflightProblem | undefined {
  if (!(error instanceof DatabaseError)) return undefined;
  const pooler = poolerInAnswer(error, server, purpose);
  if (pooler !== undefined) return poolerProblem(pooler, server, facts);
  const { code = '', routine = '', message } = error;
  const { username, database } = server;
  const role = quoteName(username);
  const said = `The server answers: ${message}.`;
  const fatal = (of: ServiceErrorCode, cause: string) => ({ level: 'fatal', code: of, cause }) as const;
  switch (code) {
    case '28P01':
      return {
        ...fatal('SVC_S1170', `The server does not accept the password of the user "${username}".`),
        remedy: `Correct \`username\` and \`password\` in the service config, or run: ALTER ROLE ${role} PASSWORD '…';`,
      };
    case '28000':
      return routine === 'InitializeSessionUserId' || /not permitted to log in/.test(message)
        ? repairable(
            fatal('SVC_S1170', `The user "${username}" may not sign in.`),
            `ALTER ROLE ${role} LOGIN;`,
          )
        : refusedByHba(message, server);
    case '3D000':
      return {
        ...fatal('SVC_S1172', `There is no database "${database}".`),
        remedy: 'Correct the database in the service config: its key `database`, or the end of its `uri`.',
      };
    case '42501':
      if (purpose === 'replication' || forSlots.has(routine)) return lackOfReplication(server, facts);
      return routine === 'CheckMyDatabase'
        ? repairable(
            fatal('SVC_S1170', `The user "${username}" may not connect to the database "${database}".`),
            `GRANT CONNECT ON DATABASE ${quoteName(database)} TO ${role};`,
          )
        : undefined;
    case '53300':
      if (routine === 'InitializeSessionUserId')
        return repairable(
          fatal('SVC_S1170', `The user "${username}" has reached its connection limit.`),
          `ALTER ROLE ${role} CONNECTION LIMIT -1;`,
        );
      if (routine === 'CheckMyDatabase')
        return repairable(
          fatal('SVC_S1170', `The database "${database}" has reached its connection limit.`),
          `ALTER DATABASE ${quoteName(database)} CONNECTION LIMIT -1;`,
        );
      return purpose === 'replication'
        ? lackOfSenders()
        : {
            ...fatal('SVC_S1170', `The server has no free connection. ${said}`),
            remedy: 'Close connections that nobody uses (see pg_stat_activity), or raise max_connections.',
          };
    case '53400':
      return lackOfSlots(facts);
    default:
      return undefined;
  }
}

/** The functions of the server that refuse to begin a replication connection or to create a slot. */
const forSlots: ReadonlySet<string> = new Set(['InitPostgres', 'CheckSlotPermissions', 'check_permissions']);

/** Explains a refusal by pg_hba.conf. Logical replication needs a line for the database; lines for `replication` do not count. */
function refusedByHba(message: string, { username, database, tls }: PostgresServer): PreflightProblem {
  const address = /"((?:\d{1,3}\.){3}\d{1,3}|[\da-f]*:[\da-f:.]+)"/i.exec(message)?.[1];
  const size = address?.includes(':') ? 128 : 32;
  const line = `host "${database}" "${username}" ${address === undefined ? 'ADDRESS' : `${address}/${size}`} scram-sha-256`;
  const start =
    tls.mode === 'disable'
      ? 'If the server accepts only TLS, remove `sslmode: disable`. Otherwise, as its administrator,'
      : 'As an administrator of the server,';
  return {
    level: 'fatal',
    code: 'SVC_S1171',
    cause: `The server does not let the user "${username}" connect from here. The server answers: ${message}.`,
    remedy: `${start} add this line to its pg_hba.conf, above the line that refuses: ${line}. Then run: SELECT pg_reload_conf();`,
  };
}

/** Explains a missing right to replicate. Amazon RDS has no superuser, and grants a role instead of the attribute. */
export function lackOfReplication(
  { username }: Pick<PostgresServer, 'username'>,
  facts?: Pick<ServerFacts, 'hasRdsRole'>,
): PreflightProblem {
  const role = quoteName(username);
  return repairable(
    { level: 'fatal', code: 'SVC_S1161', cause: `The user "${username}" may not replicate.` },
    facts?.hasRdsRole ? `GRANT rds_replication TO ${role};` : `ALTER ROLE ${role} REPLICATION;`,
  );
}

export function lackOfSenders(): PreflightProblem {
  return {
    level: 'fatal',
    code: 'SVC_S1164',
    cause: 'All replication connections of the server are in use (max_wal_senders).',
    remedy:
      'End those that nobody needs (SELECT pid, application_name FROM pg_stat_replication;), or run: ALTER SYSTEM SET max_wal_senders = 20; and restart the database.',
  };
}

export function lackOfSlots(facts?: Pick<ServerFacts, 'unusedSlots'>): PreflightProblem {
  const drop = (facts?.unusedSlots ?? []).map(
    (slot) => `SELECT pg_drop_replication_slot('${slot.replaceAll("'", "''")}');`,
  );
  const raise = 'ALTER SYSTEM SET max_replication_slots = 20; and restart the database.';
  return {
    level: 'fatal',
    code: 'SVC_S1163',
    cause: 'All replication slots of the server are in use (max_replication_slots).',
    remedy:
      drop.length === 0
        ? `Drop slots that nobody needs (SELECT slot_name, active FROM pg_replication_slots;), or run: ${raise}`
        : `These slots are not in use now. Drop those that nobody needs: ${drop.join(' ')} Or run: ${raise}`,
  };
}
