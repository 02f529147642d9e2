/** Whether the settings of the server and the publication allow to replicate. */
import type { ServiceErrorCode } from '../../ground/errors.ts';
import type { SourceHealth, SourceProblem } from '../source.ts';
import { SourceFailure } from '../source.ts';
import type { Queries } from './queries.ts';

export const publication = 'powersync';

export interface Setup {
  readonly wal_level: string;
  readonly max_replication_slots: number;
  readonly max_wal_senders: number;
  /** Null: the publication does not exist. */
  readonly publishes: readonly string[] | null;
  readonly via_partition_root: boolean | null;
}

export async function readHealth(queries: Queries): Promise<SourceHealth> {
  try {
    const problem = problemOf(await readSetup(queries));
    return { connected: true, problems: problem === undefined ? [] : [problem] };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // What the server answers shows that it is there.
    const connected = error instanceof SourceFailure && error.kind === 'other';
    return { connected, problems: [{ level: 'fatal', message }] };
  }
}

export async function checkSetup(queries: Queries): Promise<void> {
  const problem = problemOf(await readSetup(queries));
  if (problem !== undefined) throw new SourceFailure('settings', problem.code, problem.message);
}

async function readSetup(queries: Queries): Promise<Setup> {
  // Through JSON, since the column for partitions came with version 13.
  return queries.one<Setup>(
    `SELECT current_setting('wal_level') AS wal_level,
      current_setting('max_replication_slots')::int AS max_replication_slots,
      current_setting('max_wal_senders')::int AS max_wal_senders,
      CASE WHEN p.oid IS NOT NULL THEN array_remove(ARRAY[
        CASE WHEN p.pubinsert THEN 'insert' END, CASE WHEN p.pubupdate THEN 'update' END,
        CASE WHEN p.pubdelete THEN 'delete' END, CASE WHEN p.pubtruncate THEN 'truncate' END
      ], NULL) END AS publishes,
      (to_jsonb(p) ->> 'pubviaroot')::boolean AS via_partition_root
    FROM (SELECT) nothing LEFT JOIN pg_catalog.pg_publication p ON p.pubname = $1`,
    [publication],
  );
}

interface SetupProblem extends SourceProblem {
  readonly code: ServiceErrorCode;
}

const changes = ['insert', 'update', 'delete', 'truncate'];

/** The first problem. */
export function problemOf(setup: Setup): SetupProblem | undefined {
  const { wal_level, max_replication_slots, max_wal_senders, publishes, via_partition_root } = setup;
  if (wal_level !== 'logical') {
    return fatal(
      'SVC_S1120',
      `wal_level is "${wal_level}", and must be "logical". Run: ALTER SYSTEM SET wal_level = 'logical'; and restart the database.`,
    );
  }
  if (max_replication_slots < 1) return tooFew('max_replication_slots');
  if (max_wal_senders < 1) return tooFew('max_wal_senders');
  if (publishes === null) {
    return fatal(
      'SVC_S1141',
      `[SVC_S1141] There is no publication "${publication}". Run: CREATE PUBLICATION ${publication} FOR ALL TABLES; or, for some tables only: CREATE PUBLICATION ${publication} FOR TABLE a, b;`,
    );
  }
  const missing = changes.filter((change) => !publishes.includes(change));
  if (missing.length > 0) {
    return fatal(
      'SVC_S1142',
      `[SVC_S1142] The publication "${publication}" does not publish ${missing.join(', ')}. Run: ALTER PUBLICATION ${publication} SET (publish = '${changes.join(', ')}');`,
    );
  }
  if (via_partition_root === true) {
    return fatal(
      'SVC_S1143',
      `[SVC_S1143] The publication "${publication}" publishes partitions as their root table. Run: ALTER PUBLICATION ${publication} SET (publish_via_partition_root = false);`,
    );
  }
  return undefined;
}

function tooFew(setting: string): SetupProblem {
  return fatal(
    'SVC_S1120',
    `${setting} is 0. Run: ALTER SYSTEM SET ${setting} = 10; and restart the database.`,
  );
}

function fatal(code: ServiceErrorCode, message: string): SetupProblem {
  return { level: 'fatal', code, message };
}
