/** Texts about errors of the source database and errors in reading it. */
import { DatabaseError } from 'pg';
import type { PostgresServer } from '../../server/service/config/settings.ts';
import type { ServiceErrorCode } from '../../server/service/ground/errors.ts';
import { copyingAgain } from '../../server/service/replication/jobs/stream/copyWhole.ts';
import { explainBreak, lostSlot } from '../../server/service/replication/postgres/explainBreak.ts';
import { problemOf, type Setup } from '../../server/service/replication/postgres/health.ts';
import { toLsn } from '../../server/service/replication/postgres/lsn.ts';
import {
  explainRefusal,
  lackOfReplication,
  lackOfSenders,
  lackOfSlots,
} from '../../server/service/replication/postgres/preflight/explain.ts';
import { poolerProblem } from '../../server/service/replication/postgres/preflight/pooler.ts';
import { standbyProblem } from '../../server/service/replication/postgres/preflight/preflight.ts';
import {
  type CheckedTable,
  checkTables,
} from '../../server/service/replication/postgres/preflight/tables.ts';
import { becomeReader } from '../../server/service/replication/postgres/reader.ts';
import { tooLarge } from '../../server/service/replication/postgres/rows.ts';
import { keylessMessage } from '../../server/service/replication/postgres/tables.ts';
import {
  type PreflightProblem,
  problemsOf,
  toSourceProblem,
} from '../../server/service/replication/preflight.ts';
import type { ErrorText } from './text.ts';

const ready: Setup = {
  wal_level: 'logical',
  max_replication_slots: 10,
  max_wal_senders: 10,
  publishes: ['insert', 'update', 'delete', 'truncate'],
  via_partition_root: false,
};

const setupSays = (setup: Partial<Setup>) => problemOf({ ...ready, ...setup })?.message ?? '';

const server: PostgresServer = {
  hostname: 'db.example.com',
  port: 6432,
  username: 'sync',
  password: '',
  database: 'app',
  tls: { mode: 'disable' },
  rejectIpRanges: [],
  maxPoolSize: 8,
  connectTimeoutSeconds: 20,
};

function messageFor(problem: PreflightProblem | undefined): string {
  return problem === undefined ? '' : toSourceProblem(problem).message;
}

function refusalOf(code: string, routine: string, message: string): PreflightProblem | undefined {
  const error = Object.assign(new DatabaseError(message, 0, 'error'), { code, routine });
  return explainRefusal(error, { server, purpose: 'statements' });
}

const table: CheckedTable = {
  schema: 'public',
  name: 'lists',
  published: true,
  hasUsage: true,
  hasSelect: true,
  hidesRows: false,
  identity: 'default',
  identityColumns: ['id'],
  generatedKey: [],
  hasDeferrableKey: false,
  hasList: false,
  filterColumns: [],
  withheld: [],
  filter: null,
};

function tableSays(changes: Partial<CheckedTable>): string {
  return messageFor(
    problemsOf(checkTables({ tables: [{ ...table, ...changes }], notFound: [] }, ready, server))[0],
  );
}

function refusedReader(): string {
  try {
    return becomeReader([{ name: 'powersync_role', own: true, reachable: true, powerful: true }]);
  } catch (error) {
    return (error as Error).message;
  }
}

export const sourceErrors = {
  SVC_S1002: {
    told: 'in diagnostics',
    when: 'A row takes more than 15 MB in the storage. It is not synced. If clients have a smaller version of it, they keep that.\n<!-- number: 15 MB from server/service/replication/postgres/rows.ts "mostBytes = 15 * 1024 * 1024" -->',
    todo: 'List the columns that clients need instead of `*`. Keep large values, such as files, elsewhere and sync their locations.',
    says: tooLarge(16_777_216),
  },
  SVC_S1003: {
    told: 'in the log',
    when: 'The replication slot is in use: another process of the service replicates the same source to the same storage, or a stopped process has not ended yet. If a process is killed while it creates its slot, the slot stays in use until all transactions that were open then have ended.',
    todo: 'While you roll out a new version of the service, nothing: the new process takes over when the old one has ended. Otherwise end the other process; `SELECT slot_name, active_pid FROM pg_replication_slots` shows its number, and `SELECT pg_terminate_backend(4711)`, with that number, ends its connection. Let only one process have the role `sync` or `unified`.',
    says: 'Another process is already replicating, or a killed process has not ended yet: replication slot "powersync_1_9bc2" is active for PID 4711.',
  },
  SVC_S1101: {
    told: 'in diagnostics',
    when: 'The service is in an unexpected state: the embedded database does not start or has ended, its `schema.sql` has an error, or a row that must be read again has no key.',
    todo: 'The message names the reason, for SQL with line and column. If the port of the embedded database is in use, change `port` of the connection.',
    says: 'schema.sql:3:11: syntax error at or near "tabel"',
  },
  SVC_S1103: {
    told: 'in the log',
    when: 'The service was stopped, or a deployment was replaced, while a replication slot was being created.',
    todo: 'Nothing: the service tries again when it needs the slot. If this takes long, it waits for open transactions: PostgreSQL creates a slot only after all of them have ended. `headwater status` shows this after ten seconds.\n<!-- number: ten seconds from server/service/replication/postgres/log/waiting.ts "first: 10_000, longest: 300_000" -->',
    says: 'The creation of the replication slot "powersync_1_9bc2" was cancelled.',
  },
  SVC_S1120: {
    told: 'in diagnostics',
    when: 'The source database refuses the connection or a query: the password is wrong, the database does not exist, the user lacks a right, a setting such as `wal_level` does not allow replication, or a query fails.',
    todo: 'The message names the problem and, if there is one, the statement to run. A change of `wal_level` needs a restart of the database. The user needs the attribute `REPLICATION` and `SELECT` on the tables.',
    says: setupSays({ wal_level: 'replica' }),
  },
  SVC_S1121: {
    told: 'in diagnostics',
    when: 'The source database cannot be reached, does not answer in time, or has closed the connection. Clients are still served from the storage.',
    todo: 'Check that it is running, and that its host and port can be reached from the service: in a container, `localhost` is the container itself. The service tries again automatically.',
    says: 'Nothing listens at db.example.com:5432: is the database running there?',
  },
  SVC_S1141: {
    told: 'in diagnostics',
    when: 'The source has no publication named `powersync`, so it would send no changes.',
    todo: 'Run the statement in the message, once. If the publication is created after a copy has begun, the copy starts again.',
    says: setupSays({ publishes: null }),
  },
  SVC_S1142: {
    told: 'in diagnostics',
    when: 'The publication does not publish a kind of change. Clients would keep rows that were deleted, or old values.',
    todo: 'Run the statement in the message.',
    says: setupSays({ publishes: ['insert', 'update'] }),
  },
  SVC_S1143: {
    told: 'in diagnostics',
    when: 'The publication reports changes in partitions under the root table (`publish_via_partition_root`). The sync config names the partitions, so these changes could not be matched.',
    todo: 'Run the statement in the message. In the sync config, name the partitions, with a wildcard such as `"events_%"`.',
    says: setupSays({ via_partition_root: true }),
  },
  SVC_S1145: {
    told: 'in diagnostics',
    when: 'A table has row-level security, and the user of the connection does not bypass it. It hides rows from copies and comparisons but not from the changes, so clients would get a mixture. The table is therefore neither copied nor compared. If it was copied before, its changes still arrive.',
    todo: 'Run the statement in the message as a superuser. The conditions of the sync config then restrict the rows of each user. If nobody may grant `BYPASSRLS`, create a policy for this user that shows all rows, `FOR SELECT USING (true)`, and exclude the user from restrictive policies.',
    says: tableSays({ hidesRows: true }),
  },
  SVC_S1146: {
    told: 'in diagnostics',
    when: 'The replication slot is gone, or the source has deleted changes that were not read yet: the service was off for too long, somebody dropped the slot, or the database was restored from a backup.',
    todo: 'Nothing right now: the service automatically copies everything again, and serves the old copy until then. To prevent it, raise `max_slot_wal_keep_size` in the source, and watch the lag.',
    says: lostSlot('powersync_1_9bc2', 'wal_removed').message,
  },
  SVC_S1147: {
    told: 'in answers',
    when: 'A query of `execute-sql`, such as the extension asks to explain a row, would run with the rights of the user that replicates. That user may do more than read: replicate, and with it drop replication slots, or, as a superuser, read files and start programs on the server of the database. The service runs such queries only as a role that can do nothing but read: `headwater_reader` if it exists, else the user itself if it has no such rights, else `pg_read_all_data`, if the user is a member of it.',
    todo: 'Create a role for it with the statements in the message. With row-level security, a role without `BYPASSRLS` gets an error if rows would be hidden from it. PostgreSQL before version 14 has no `pg_read_all_data`: grant `SELECT ON ALL TABLES IN SCHEMA public` instead. If you may not create roles on the server, leave out `debug_api`.\n<!-- number: 14 from server/service/replication/postgres/reader.ts "for reading, since version 14" -->',
    details: refusedReader(),
  },
  SVC_S1148: {
    told: 'in diagnostics',
    when: 'A table has `REPLICA IDENTITY FULL` and no key, so equal rows cannot be distinguished. Clients get one of them. When one of several equal rows is deleted or changed, the service copies the whole table again to find out how many are left.',
    todo: 'Add a primary key to the table, and set its replica identity back: `ALTER TABLE logs REPLICA IDENTITY DEFAULT;`.',
    says: keylessMessage({ schema: 'public', name: 'logs' }),
  },
  SVC_S1149: {
    told: 'in diagnostics',
    when: 'The definition of a table has changed so that stored rows may differ from the source, for example after `ALTER COLUMN … TYPE`, `DROP COLUMN` or `ADD COLUMN … DEFAULT`. The service copies the table again. Clients keep the rows from before the change until the copy is complete, and then get all new rows at one checkpoint.',
    todo: 'Nothing: the message disappears when the copy is complete.',
    says: copyingAgain({ schema: 'public', name: 'loot' }, '"v" changed from text to integer.'),
  },
  SVC_S1161: {
    told: 'in diagnostics',
    when: 'The user of the connection does not have the right to replicate, or has lost that right. A running stream continues until its connection ends, and cannot be opened again.',
    todo: 'Run the statement in the message as an administrator of the server. Amazon RDS grants a role, `rds_replication`; other servers have the attribute `REPLICATION`.',
    says: messageFor(lackOfReplication(server)),
  },
  SVC_S1162: {
    told: 'in diagnostics',
    when: 'A pooler such as PgBouncer, Supavisor, the pooler of Neon or RDS Proxy answers instead of the database. It shares connections between clients, and none of them is for replication.',
    todo: 'Use the address of the database itself, which the message names if it is known.',
    says: messageFor(poolerProblem('PgBouncer', server, { host: '10.0.0.5', port: 5432 })),
  },
  SVC_S1163: {
    told: 'in diagnostics',
    when: 'Each deployment needs a replication slot, and the server has no more (`max_replication_slots`).',
    todo: 'Drop slots that nobody needs any more: they also keep the log of the server from being deleted. Or raise the setting.',
    says: messageFor(lackOfSlots({ unusedSlots: ['old_subscriber'] })),
  },
  SVC_S1164: {
    told: 'in diagnostics',
    when: 'Each running deployment needs a replication connection, and the server has no more (`max_wal_senders`).',
    todo: 'End replication connections that nobody needs, or raise the setting.',
    says: messageFor(lackOfSenders()),
  },
  SVC_S1165: {
    told: 'in diagnostics',
    when: 'The first copy of a table needs `SELECT` on it and `USAGE` on its schema, and the user of the connection lacks one of them.',
    todo: 'Run the statements in the message as the owner of the table.',
    says: tableSays({ hasSelect: false }),
  },
  SVC_S1166: {
    told: 'in diagnostics',
    when: 'The publication sends only some columns or rows of a table. Clients get all of them with the first copy, but no changes of columns and rows that are not published.',
    todo: 'Run the statements in the message. To withhold columns or rows from clients, do not select them in the sync config.',
    says: tableSays({ filter: '(owner_id IS NOT NULL)' }),
  },
  SVC_S1167: {
    told: 'in diagnostics',
    when: 'The sync config reads a table that the publication does not contain, so its changes do not arrive.',
    todo: 'Run the statement in the message as the owner of the table and of the publication.',
    says: tableSays({ published: false }),
  },
  SVC_S1168: {
    told: 'in diagnostics',
    when: 'A table has neither a primary key nor another replica identity, or its primary key is deferrable, which does not count. Or its key contains a generated column, which the log does not contain. Or the publication does not cover the replica identity: its column list lacks a column of the key, or its filter reads other columns. Changes of rows could not be assigned. Therefore the source refuses them, also those of your backend, unless the key is generated. A table is not copied if the log lacks a part of its key.',
    todo: 'Add a primary key, or run the statements in the message. `REPLICA IDENTITY FULL` makes the log of the table larger.',
    says: tableSays({ identityColumns: [] }),
  },
  SVC_S1169: {
    told: 'in diagnostics',
    when: 'The server at the address is a standby, which follows another server and is read-only.',
    todo: 'Use the address of the primary. If the standby has to take over, promote it.',
    says: messageFor(standbyProblem({ version: 150_004 })),
  },
  SVC_S1170: {
    told: 'in diagnostics',
    when: 'The server does not let the user of the connection sign in: the password is wrong, the role has no `LOGIN` or no right to connect to the database, or a limit of connections is reached.',
    todo: 'Run the statement in the message, or correct the user and the password in the service config.',
    says: messageFor(refusalOf('28000', 'InitializeSessionUserId', 'role "sync" is not permitted to log in')),
  },
  SVC_S1171: {
    told: 'in diagnostics',
    when: 'No line in the `pg_hba.conf` of the server allows the user to connect to the database from the address of the service, or such connections need TLS.',
    todo: 'Add the line in the message to `pg_hba.conf`, or remove `sslmode: disable`.',
    says: messageFor(
      refusalOf(
        '28000',
        'ClientAuthentication',
        'no pg_hba.conf entry for host "10.0.0.7", user "sync", database "app", no encryption',
      ),
    ),
  },
  SVC_S1172: {
    told: 'in diagnostics',
    when: 'The server has no database with the name in the service config.',
    todo: 'Correct the name: names are case-sensitive there.',
    says: messageFor(refusalOf('3D000', 'InitPostgres', 'database "app" does not exist')),
  },
  SVC_S1500: {
    told: 'in diagnostics',
    when: 'The storage and the source do not share one history: an older copy of the data folder, the storage database or the source was restored, another server answers at the address of the source, a standby took over without the last changes, or somebody created the replication slot again or advanced it. The changes in between are unknown.',
    todo: 'Nothing right now: the service automatically copies everything again. If the stored data is too old, clients keep what they have and wait until the copy is complete. Do not restore copies of the storage: everything in it comes from the source. The service recognizes an older copy by the replication slots in the source, so it cannot recognize one after somebody has dropped all slots, or after a standby without them has taken over.',
    says: explainBreak({
      kind: 'storage-outdated',
      why: 'acknowledged less',
      name: 'powersync_1_9bc2',
      acknowledged: toLsn(0x1_a2b3c4d8n),
      confirmed: toLsn(0x1_b0000028n),
    }).message,
  },
  SVC_S1151: {
    told: 'in diagnostics',
    when: 'The embedded database was created by the scripts listed under `schema` in the service config. One of them is gone or cannot be read, or a statement that was run has been changed. Each statement runs only once, so the database does not follow such a change. New statements run as soon as they appear.',
    todo: 'Write a new script, as for any database whose rows you want to keep. Or run `headwater reset --database`, which drops the database and runs all scripts again: its rows are lost.',
    says: 'db/1_lists.sql has been changed since it was run in the embedded database. To create the database again from the scripts, run headwater reset --database; its rows are lost.',
  },
  SVC_S1152: {
    told: 'in diagnostics',
    when: 'The sync config reads a table or a column that the embedded database does not have: the statement that creates it was left out, for the reason in the message. The other statements of the script were run.',
    todo: 'Change the statement so that it runs on PostgreSQL 18 without the extensions of your host: it runs as soon as you save the file. Or create the table with `headwater sql`.',
    says: 'Table "public"."places" not found. The statement that creates it was left out (db/2_places.sql:4): type "h3index" does not exist',
  },
  SVC_S1153: {
    told: 'in diagnostics',
    when: 'A script of the project inserts, changes or deletes rows of the embedded database with a statement that could not be run, for the reason in the message. So rows that you expect may be missing, unless they have been written in another way since then. The other statements of the script were run.',
    todo: 'Correct the statement. In a migration, it is run as soon as you save the file. A seed runs only once, so run `headwater reset --database --seed`: rows that were written since are lost. Or write the rows with `headwater sql`; the warning stays until the next reset.',
    says: 'A statement was left out, so rows may be missing: supabase/seed.sql:12: null value in column "owner_id" of relation "lists" violates not-null constraint.',
  },
} as const satisfies Partial<Record<ServiceErrorCode, ErrorText>>;
