/** What can be wrong with the source database, and with the way in which it is read. */
import type { ServiceErrorCode } from '../../server/service/ground/errors.ts';
import { toLsn } from '../../server/service/ground/lsn.ts';
import { breakIn } from '../../server/service/replication/jobs/history.ts';
import { problemOf, type Setup } from '../../server/service/replication/postgres/health.ts';
import { becomeReader } from '../../server/service/replication/postgres/reader.ts';
import { tooLarge } from '../../server/service/replication/postgres/rows.ts';
import { keylessMessage } from '../../server/service/replication/postgres/tables.ts';
import { lostSlot } from '../../server/service/replication/slot.ts';
import type { ErrorText } from './text.ts';

const ready: Setup = {
  wal_level: 'logical',
  max_replication_slots: 10,
  max_wal_senders: 10,
  publishes: ['insert', 'update', 'delete', 'truncate'],
  via_partition_root: false,
};

const setupSays = (setup: Partial<Setup>) => problemOf({ ...ready, ...setup })?.message ?? '';

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
    when: 'A row has more than 15 MB, as it would be stored. It is not synced; a smaller version of it that clients have stays there.',
    todo: 'Name the columns that clients need instead of `*`, and keep large values, such as files, out of the rows: sync where they are.',
    says: tooLarge(16_777_216),
  },
  SVC_S1003: {
    told: 'in the log',
    when: 'The replication slot is in use: another process of the service follows the same source with the same storage, or one that was just stopped is not gone yet. One that was killed while its slot was being made stays there until the transactions have ended that were open.',
    todo: 'Nothing, while a deployment of the service itself goes on: the new process takes over when the old one has ended. Otherwise end the other one; `SELECT slot_name, active_pid FROM pg_replication_slots` says who it is, and `SELECT pg_terminate_backend(4711)`, with that number, ends its connection. Let only one process have the role `sync` or `unified`.',
    says: 'Another process replicates already, or one that was killed is not gone yet: replication slot "powersync_1_9bc2" is active for PID 4711.',
  },
  SVC_S1101: {
    told: 'in diagnostics',
    when: 'Something is as it should never be: the embedded database does not start or has ended, its `schema.sql` has an error, or a row that must be read again has no key to find it by.',
    todo: 'The message says which of them, for SQL with line and column. A port of the embedded database that is taken is changed by `port` of the connection.',
    says: 'schema.sql:3:11: syntax error at or near "tabel"',
  },
  SVC_S1103: {
    told: 'in the log',
    when: 'The service was told to end, or a deployment was replaced, while a replication slot was being made.',
    todo: 'Nothing: it is tried again when it is needed. A slot that is not made for long waits for open transactions: PostgreSQL makes none before all of them have ended. `headwater status` says so after ten seconds.',
    says: 'Making the replication slot "powersync_1_9bc2" was given up.',
  },
  SVC_S1120: {
    told: 'in diagnostics',
    when: 'The source database answers, and refuses: the password is wrong, the database does not exist, the user lacks a right, a setting such as `wal_level` does not allow replication, or a query fails.',
    todo: 'The message says what, and where there is one, the statement to run. `wal_level` takes a restart of the database. The user needs the attribute `REPLICATION` and `SELECT` on the tables.',
    says: setupSays({ wal_level: 'replica' }),
  },
  SVC_S1121: {
    told: 'in diagnostics',
    when: 'The source database cannot be reached, does not answer in time, or has ended the connection. Clients go on being served with what is there.',
    todo: 'Look whether it runs, and whether the host and port can be reached from where the service runs: in a container, `localhost` is the container. The service tries again by itself.',
    says: 'Nothing listens at db.example.com:5432: is the database running there?',
  },
  SVC_S1141: {
    told: 'in diagnostics',
    when: 'The source has no publication named `powersync`, so it would send no changes.',
    todo: 'Run the statement in the message, once. A publication that is made after the copy has begun starts the copy anew.',
    says: setupSays({ publishes: null }),
  },
  SVC_S1142: {
    told: 'in diagnostics',
    when: 'The publication leaves out a kind of change. Clients would keep rows that were deleted, or old values.',
    todo: 'Run the statement in the message.',
    says: setupSays({ publishes: ['insert', 'update'] }),
  },
  SVC_S1143: {
    told: 'in diagnostics',
    when: 'The publication names the root table for changes in partitions. The sync config names tables as they are, so such changes could not be found in it.',
    todo: 'Run the statement in the message. In the sync config, name the partitions, with a wildcard such as `"events_%"`.',
    says: setupSays({ via_partition_root: true }),
  },
  SVC_S1145: {
    told: 'in diagnostics',
    when: 'A table has row level security, which the user of the connection does not bypass. It hides rows from the first copy, and not from the changes: clients would get a mixture.',
    todo: 'Run the statement in the message as a superuser, for the user of the connection. Who gets which row is what the sync config says.',
    says: '[SVC_S1145] Row level security is enabled on "public"."lists", and may hide rows from the first copy. Give the user of the connection BYPASSRLS: ALTER ROLE CURRENT_USER BYPASSRLS;',
  },
  SVC_S1146: {
    told: 'in diagnostics',
    when: 'The replication slot is gone, or the source has dropped changes that were not read yet: the service was off for too long, or somebody dropped the slot, or the database was restored from a backup.',
    todo: 'Nothing right now: the service copies everything anew by itself, and serves what is there until then. So that it does not happen again, raise `max_slot_wal_keep_size` in the source, and watch the lag.',
    says: lostSlot('powersync_1_9bc2', 'wal_removed').message,
  },
  SVC_S1147: {
    told: 'in answers',
    when: 'A query of `execute-sql`, such as the extension asks to explain a row, would run with the rights of the user that replicates. That user may do more than read: replicate, and with it drop replication slots, or, as a superuser, read files and start programs on the server of the database. The service runs such queries only as a role that can do nothing but read: `headwater_reader` if it exists, else the user itself if it has no such rights, else `pg_read_all_data`, if the user is a member of it.',
    todo: 'Make a role for it, with the statements of the message. Row level security: a role without `BYPASSRLS` gets an error where rows would be hidden from it. Before PostgreSQL 14 there is no `pg_read_all_data`; grant `SELECT ON ALL TABLES IN SCHEMA public` in its place. On a server where you may not make roles, leave `debug_api` out.',
    details: refusedReader(),
  },
  SVC_S1148: {
    told: 'in diagnostics',
    when: 'A table has `REPLICA IDENTITY FULL` and no key, so that rows that are equal cannot be told apart. Clients have one of them. When one of several is deleted or changed, the service copies the whole table anew to find out how many are left.',
    todo: 'Add a primary key to the table, and set its replica identity back: `ALTER TABLE logs REPLICA IDENTITY DEFAULT;`.',
    says: keylessMessage({ schema: 'public', name: 'logs' }),
  },
  SVC_S1500: {
    told: 'in diagnostics',
    when: 'The storage and the source are not of one history: an older copy of the data folder, of the storage database or of the source was put back, another server answers at the address of the source, a standby that lacked the last changes has taken over from it, or somebody made the replication slot anew or advanced it. What happened in between is not known.',
    todo: 'Nothing right now: the service copies everything anew by itself. When what is stored is too old, clients wait until the copy is complete, and keep what they have. Do not restore copies of the storage: everything in it comes from the source.',
    says:
      breakIn({
        slot: 'powersync_1_9bc2',
        isBegun: true,
        passed: { acknowledged: toLsn(0x1_a2b3c4d8n), last: toLsn(0x1_a2b3c4d8n) },
        confirmed: toLsn(0x1_b0000028n),
        end: undefined,
      })?.message ?? '',
  },
  SVC_S1151: {
    told: 'in diagnostics',
    when: 'The embedded database was made by the scripts that `schema` names in the service config. One of them has gone or cannot be read, or a statement that was run is another one now. Each statement is run once, so the database does not follow such a change; what is new is run as soon as it is there.',
    todo: 'Write a new script, as for any database whose rows are to stay; or run `headwater reset --database`, which drops the database and runs all scripts again. The rows in it are lost then.',
    says: 'db/1_lists.sql has been changed since it was run in the embedded database. To make the database anew from the scripts, run headwater reset --database; its rows are lost.',
  },
  SVC_S1152: {
    told: 'in diagnostics',
    when: 'The sync config reads a table or a column that the embedded database does not have: the statement of the project that makes it was left out, for the reason that the message tells. What cannot be run costs no other statement, so the rest of the script is there.',
    todo: 'Change the statement, so that it can be run on PostgreSQL 18 without what only your host has: it is run as soon as its file is saved. Or make the table yourself with `headwater sql`.',
    says: 'Table "public"."places" not found. The statement that makes it was left out (db/2_places.sql:4): type "h3index" does not exist',
  },
} as const satisfies Partial<Record<ServiceErrorCode, ErrorText>>;
