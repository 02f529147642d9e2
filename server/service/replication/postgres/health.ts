/** Checks whether the settings of the server and the publication allow replication. */
import type { ServiceErrorCode } from '../../ground/errors.ts';
import { type PreflightProblem, repairable, toSourceProblem } from '../preflight.ts';
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

/** @param lostRight checks whether the user has lost the right to replicate, which a running stream does not notice */
export async function readHealth(
  queries: Queries,
  lostRight: () => Promise<PreflightProblem | undefined>,
): Promise<SourceHealth> {
  try {
    const problem = problemOf(await readSetup(queries));
    const lost = await lostRight();
    const problems = [problem, lost && toSourceProblem(lost)];
    return { connected: true, problems: problems.filter((each) => each !== undefined) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Any answer of the server shows that it is running.
    const connected = error instanceof SourceFailure && error.kind === 'other';
    return { connected, problems: [{ level: 'fatal', message }] };
  }
}

export async function checkSetup(queries: Queries): Promise<void> {
  const problem = problemOf(await readSetup(queries));
  if (problem !== undefined) throw new SourceFailure('settings', problem.code, problem.message);
}

export async function readSetup(queries: Pick<Queries, 'one'>): Promise<Setup> {
  // Read through JSON, because the column for partitions was added in version 13.
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

const changes = ['insert', 'update', 'delete', 'truncate'];

/** Returns the first problem. */
export function problemOf(setup: Setup): (SourceProblem & { readonly code: ServiceErrorCode }) | undefined {
  const problem = levelProblem(setup) ?? setupProblems(setup)[0];
  return problem && { ...toSourceProblem(problem), code: problem.code };
}

/** Explains why the server itself does not allow logical replication. */
export function levelProblem(setup: Setup): PreflightProblem | undefined {
  const { wal_level, max_replication_slots, max_wal_senders } = setup;
  if (wal_level !== 'logical')
    return withRestart(`wal_level is "${wal_level}", but must be "logical".`, `wal_level = 'logical'`);
  if (max_replication_slots < 1)
    return withRestart('max_replication_slots is 0.', 'max_replication_slots = 10');
  if (max_wal_senders < 1) return withRestart('max_wal_senders is 0.', 'max_wal_senders = 10');
  return undefined;
}

function withRestart(cause: string, assignment: string): PreflightProblem {
  return {
    level: 'fatal',
    code: 'SVC_S1120',
    cause,
    remedy: `Run: ALTER SYSTEM SET ${assignment}; and restart the database.`,
  };
}

/** @param tables the tables that a publication must contain, as SQL names them */
export function setupProblems(
  { publishes, via_partition_root }: Setup,
  tables: readonly string[] = [],
): readonly PreflightProblem[] {
  if (publishes === null) {
    const all = `CREATE PUBLICATION ${publication} FOR ALL TABLES;`;
    const cause = `There is no publication "${publication}".`;
    if (tables.length > 0)
      return [
        repairable(
          { level: 'fatal', code: 'SVC_S1141', cause },
          `CREATE PUBLICATION ${publication} FOR TABLE ${tables.join(', ')};`,
        ),
      ];
    const remedy = `Run: ${all} or, for some tables only: CREATE PUBLICATION ${publication} FOR TABLE a, b;`;
    return [{ level: 'fatal', code: 'SVC_S1141', cause, remedy, statements: [all] }];
  }
  const missing = changes.filter((change) => !publishes.includes(change));
  const problems: PreflightProblem[] = [];
  if (missing.length > 0)
    problems.push(
      repairable(
        {
          level: 'fatal',
          code: 'SVC_S1142',
          cause: `The publication "${publication}" does not publish ${missing.join(', ')}.`,
        },
        `ALTER PUBLICATION ${publication} SET (publish = '${changes.join(', ')}');`,
      ),
    );
  if (via_partition_root === true)
    problems.push(
      repairable(
        {
          level: 'fatal',
          code: 'SVC_S1143',
          cause: `The publication "${publication}" publishes partitions as their root table.`,
        },
        `ALTER PUBLICATION ${publication} SET (publish_via_partition_root = false);`,
      ),
    );
  return problems;
}
