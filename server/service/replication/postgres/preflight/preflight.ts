/** Proves that a PostgreSQL server can be replicated. Creates only a temporary slot. Never throws. */
import type { TablePattern } from '../../../../engine/plan/plan.ts';
import { nameOfPattern } from '../../../../engine/plan/tablePatterns.ts';
import type { PostgresConnection } from '../../../config/settings.ts';
import {
  type PreflightCheck,
  type PreflightProblem,
  preflightIds,
  reportFailure,
  reportOk,
  reportUnchecked,
} from '../../preflight.ts';
import { SourceFailure } from '../../source.ts';
import { levelProblem, readSetup, type Setup } from '../health.ts';
import type { Queries } from '../queries.ts';
import { findTables } from '../tables.ts';
import { explainRefusal } from './explain.ts';
import { readFacts, type ServerFacts } from './facts.ts';
import { proveReplication } from './proof.ts';
import { checkTables, checkWithoutTables, readTables } from './tables.ts';

interface PreflightParts {
  readonly connection: PostgresConnection;
  readonly queries: Queries;
}

/** @param patterns the tables of a sync config, or a sentence that explains why they are unknown */
export async function runPreflight(
  parts: PreflightParts,
  patterns: readonly TablePattern[] | string,
): Promise<readonly PreflightCheck[]> {
  const { connection, queries } = parts;
  let facts: ServerFacts;
  let setup: Setup;
  try {
    [facts, setup] = await Promise.all([readFacts(queries), readSetup(queries)]);
  } catch (error) {
    const [source, ...others] = preflightIds;
    const why = 'The source could not be queried.';
    return [
      reportFailure(source, refusedConnection(error, connection)),
      ...others.map((id) => reportUnchecked(id, why)),
    ];
  }
  const level = levelProblem(setup);
  return [
    checkServer(facts),
    level === undefined ? reportOk('wal-level', 'wal_level is logical.') : reportFailure('wal-level', level),
    ...(await proveReplication({ server: connection, queries, facts, allowsSlots: level === undefined })),
    ...(await checkPatterns(parts, setup, patterns)),
  ];
}

function refusedConnection(error: unknown, connection: PostgresConnection): PreflightProblem {
  const cause = error instanceof SourceFailure ? error.cause : error;
  const explained = explainRefusal(cause, { server: connection, purpose: 'statements' });
  if (explained !== undefined) return explained;
  const { kind, code, message } =
    error instanceof SourceFailure ? error : new SourceFailure('other', 'SVC_S1120', String(error));
  return {
    level: 'fatal',
    code,
    cause: message,
    remedy:
      kind === 'unreachable' || kind === 'closed'
        ? 'Start the database, or correct its address in the service config.'
        : 'Correct the connection in the service config.',
  };
}

/** The version since which a standby can send changes. */
const oldestStandby = 160_000;

function checkServer(facts: ServerFacts): PreflightCheck {
  return facts.isStandby
    ? reportFailure('source', standbyProblem(facts))
    : reportOk('source', 'The source answers.');
}

export function standbyProblem({ version }: Pick<ServerFacts, 'version'>): PreflightProblem {
  const isAble = version >= oldestStandby;
  return {
    level: isAble ? 'warning' : 'fatal',
    code: 'SVC_S1169',
    cause: isAble
      ? 'The source is a standby, which is read-only: its slots are lost when the primary removes rows that they need.'
      : 'The source is a standby, which is read-only, and a standby sends changes only since PostgreSQL 16.',
    remedy: 'Use the address of the primary, or promote this server: SELECT pg_promote();',
  };
}

async function checkPatterns(
  { queries, connection }: PreflightParts,
  setup: Setup,
  patterns: readonly TablePattern[] | string,
): Promise<readonly PreflightCheck[]> {
  const given = typeof patterns === 'string' ? [] : patterns;
  if (given.length === 0)
    return checkWithoutTables(
      setup,
      typeof patterns === 'string' ? patterns : 'The sync config reads no tables.',
    );
  try {
    const { matches, unmatched } = await findTables(queries, connection.tag, given);
    if (matches.size === 0)
      return checkWithoutTables(setup, 'The source has none of the tables that the sync config reads.');
    const tables = await readTables(queries, [...matches.keys()]);
    return checkTables({ tables, notFound: unmatched.map(nameOfPattern) }, setup, connection);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return checkWithoutTables(setup, `The source did not report its tables: ${why}`);
  }
}
