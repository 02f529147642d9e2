/**
 * Checks the publication and the tables that a sync config reads: their published parts, and the rights that the first copy
 * needs.
 */
import { quoteName } from '../../../../engine/sql/names.ts';
import type { PostgresServer } from '../../../config/settings.ts';
import {
  type PreflightCheck,
  type PreflightId,
  type PreflightProblem,
  repairable,
  reportFailure,
  reportOk,
  reportUnchecked,
} from '../../preflight.ts';
import { publication, type Setup, setupProblems } from '../health.ts';
import { quoteTable } from '../identifiers.ts';
import type { Queries } from '../queries.ts';
import { hiddenRows, mayHideRows } from '../rowSecurity.ts';
import { hasDeferrableKey, isIdentityIndex, maySelect } from '../tableShape.ts';
import { generatedKey, generatedKeyProblem, republish } from '../unloggedKeys.ts';

/** A table, with the facts that the preflight checks. */
export interface CheckedTable {
  readonly schema: string;
  readonly name: string;
  readonly published: boolean;
  readonly hasUsage: boolean;
  readonly hasSelect: boolean;
  /** Whether row-level security may hide rows from the user of the connection. */
  readonly hidesRows: boolean;
  readonly identity: 'default' | 'index' | 'full' | 'nothing';
  /** The columns that identify a row in the log. */
  readonly identityColumns: readonly string[];
  /** The generated columns of the key, which the log does not contain. */
  readonly generatedKey: readonly string[];
  /** Whether the primary key is deferrable, so that it does not identify rows in the log. */
  readonly hasDeferrableKey: boolean;
  /** Whether the publication lists columns of the table. */
  readonly hasList: boolean;
  /** The columns that the publication does not contain. */
  readonly withheld: readonly string[];
  readonly filter: string | null;
  /** The columns that the filter reads. */
  readonly filterColumns: readonly string[];
}

/** Column lists and filters exist since PostgreSQL 15, so they are read through JSON. */
const statement = `
SELECT n.nspname::text AS schema, c.relname::text AS name, p.pubname IS NOT NULL AS published,
  has_schema_privilege(n.oid, 'USAGE') AS "hasUsage",
  ${maySelect} AS "hasSelect",
  ${mayHideRows} AS "hidesRows",
  CASE c.relreplident WHEN 'd' THEN 'default' WHEN 'i' THEN 'index' WHEN 'f' THEN 'full' ELSE 'nothing' END AS identity,
  ARRAY(SELECT a.attname::text FROM pg_catalog.pg_attribute a
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND (c.relreplident = 'f' OR EXISTS (
      SELECT FROM pg_catalog.pg_index i WHERE i.indrelid = c.oid AND ${isIdentityIndex}
        AND a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1])))
    ORDER BY a.attnum) AS "identityColumns",
  ARRAY(SELECT unnest(${generatedKey}) FROM pg_catalog.pg_index i
    WHERE i.indrelid = c.oid AND ${isIdentityIndex}) AS "generatedKey",
  ${hasDeferrableKey} AS "hasDeferrableKey",
  to_jsonb(r) ->> 'prattrs' IS NOT NULL AS "hasList",
  ARRAY(SELECT a.attname::text FROM pg_catalog.pg_attribute a
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      AND COALESCE(to_jsonb(a) ->> 'attgenerated', '') = ''
      AND to_jsonb(p) ? 'attnames' AND NOT to_jsonb(p) -> 'attnames' ? a.attname::text
    ORDER BY a.attnum) AS withheld,
  to_jsonb(p) ->> 'rowfilter' AS filter,
  ARRAY(SELECT a.attname::text FROM pg_catalog.pg_attribute a
    WHERE a.attrelid = c.oid AND (to_jsonb(r) ->> 'prqual') ~ (':varattno ' || a.attnum || '\\M')
    ORDER BY a.attnum) AS "filterColumns"
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_catalog.pg_publication_tables p
  ON p.pubname = $2 AND p.schemaname = n.nspname AND p.tablename = c.relname
LEFT JOIN pg_catalog.pg_publication_rel r ON r.prrelid = c.oid
  AND r.prpubid = (SELECT oid FROM pg_catalog.pg_publication WHERE pubname = $2)
WHERE c.oid = ANY ($1::oid[])
ORDER BY n.nspname, c.relname`;

export function readTables(
  queries: Pick<Queries, 'all'>,
  oids: readonly number[],
): Promise<readonly CheckedTable[]> {
  return queries.all<CheckedTable>(statement, [oids, publication]);
}

const tableIds = ['publication', 'rights', 'replica-identity'] as const satisfies readonly PreflightId[];

/** Checks the publication alone, because the tables are unknown without a sync config. */
export function checkWithoutTables(setup: Setup, why: string): readonly PreflightCheck[] {
  const problems = setupProblems(setup);
  if (problems.length === 0) return tableIds.map((id) => reportUnchecked(id, why));
  return [
    reportFailure('publication', ...problems),
    reportUnchecked('rights', why),
    reportUnchecked('replica-identity', why),
  ];
}

interface CheckedTables {
  readonly tables: readonly CheckedTable[];
  /** The names of tables that the sync config reads and the source does not have. Nothing is known about them. */
  readonly notFound: readonly string[];
}

export function checkTables(
  { tables, notFound }: CheckedTables,
  setup: Setup,
  server: Pick<PostgresServer, 'username'>,
): readonly PreflightCheck[] {
  const [read, table] =
    notFound.length === 0 ? ['is read', 'Every table'] : ['was found', 'Every table that was found'];
  const others = notFound.length === 0 ? '' : ` Not found: ${notFound.join(', ')}.`;
  return [
    verdict(
      'publication',
      publicationProblems(tables, setup),
      `The publication sends every table that ${read}.${others}`,
    ),
    verdict('rights', rightProblems(tables, server), `The user may read every table that ${read}.${others}`),
    verdict(
      'replica-identity',
      tables.flatMap(identityProblems),
      `${table} has a key that identifies its rows.${others}`,
    ),
  ];
}

function verdict(id: PreflightId, problems: readonly PreflightProblem[], message: string): PreflightCheck {
  return problems.length === 0 ? reportOk(id, message) : reportFailure(id, ...problems);
}

function publicationProblems(tables: readonly CheckedTable[], setup: Setup): readonly PreflightProblem[] {
  const ofSetup = setupProblems(setup, tables.map(quoteTable));
  if (setup.publishes === null) return ofSetup;
  const missing = tables.filter(({ published }) => !published).map(quoteTable);
  const lacks = repairable(
    {
      level: 'fatal',
      code: 'SVC_S1167',
      cause: `The publication "${publication}" does not contain ${missing.join(', ')}, so no changes would arrive.`,
    },
    `ALTER PUBLICATION ${publication} ADD TABLE ${missing.join(', ')};`,
  );
  return [...ofSetup, ...(missing.length > 0 ? [lacks] : []), ...tables.flatMap(partProblems)];
}

/** Reports unpublished columns or rows. This is only a warning, because they may have been withheld on purpose. */
function partProblems(table: CheckedTable): readonly PreflightProblem[] {
  const { withheld, filter } = table;
  if (withheld.length === 0 && filter === null) return [];
  const name = quoteTable(table);
  const parts = [
    ...(withheld.length > 0 ? [`the columns ${withheld.map(quoteName).join(', ')}`] : []),
    ...(filter === null ? [] : [`rows for which ${filter} is not true`]),
  ];
  return [
    repairable(
      {
        level: 'warning',
        code: 'SVC_S1166',
        cause: `The publication "${publication}" does not send ${parts.join(' and ')} of ${name}, so clients do not get their changes.`,
      },
      ...republish(name),
    ),
  ];
}

function rightProblems(
  tables: readonly CheckedTable[],
  { username }: Pick<PostgresServer, 'username'>,
): readonly PreflightProblem[] {
  const role = quoteName(username);
  const closed = [...new Set(tables.filter(({ hasUsage }) => !hasUsage).map(({ schema }) => schema))];
  const unreadable = tables.filter(({ hasSelect }) => !hasSelect).map(quoteTable);
  const hiding = tables.filter(({ hidesRows }) => hidesRows);
  return [
    ...closed.map((schema) =>
      repairable(
        {
          level: 'fatal',
          code: 'SVC_S1165',
          cause: `The user "${username}" may not use the schema "${schema}".`,
        },
        `GRANT USAGE ON SCHEMA ${quoteName(schema)} TO ${role};`,
      ),
    ),
    ...(unreadable.length === 0
      ? []
      : [
          repairable(
            {
              level: 'fatal',
              code: 'SVC_S1165',
              cause: `The user "${username}" may not read ${unreadable.join(', ')}.`,
            },
            `GRANT SELECT ON ${unreadable.join(', ')} TO ${role};`,
          ),
        ]),
    ...(hiding.length === 0 ? [] : [hiddenRows(hiding, username)]),
  ];
}

function identityProblems(table: CheckedTable): readonly PreflightProblem[] {
  if (table.generatedKey.length > 0) return [generatedKeyProblem(table, table.generatedKey)];
  const isIdentified = table.identityColumns.length > 0;
  const problem = isIdentified ? uncoveredIdentity(table) : missingIdentity(table);
  return problem === undefined ? [] : [problem];
}

function missingIdentity(table: CheckedTable): PreflightProblem {
  const { identity, hasDeferrableKey } = table;
  const isNothing = identity === 'nothing';
  const statements = identifyByAll(table);
  const need = hasDeferrableKey ? 'a primary key that is not deferrable' : 'a primary key';
  return {
    // A table without changes or deletions needs no identity, so this may not be a problem.
    level: isNothing ? 'warning' : 'fatal',
    code: 'SVC_S1168',
    cause: `Rows of ${quoteTable(table)} cannot be identified, because ${lackOfIdentity(table)}. The source refuses to change or delete them.`,
    remedy: `Add ${need} and use it as the replica identity, or run: ${statements.join(' ')}`,
    statements,
  };
}

function lackOfIdentity({ identity, hasDeferrableKey }: CheckedTable): string {
  if (identity === 'nothing') return 'the replica identity of the table is nothing';
  if (identity === 'index') return 'the table has no index for its replica identity';
  return hasDeferrableKey ? 'its primary key is deferrable' : 'the table has no primary key';
}

/** Returns the problem of a publication for which the server would have to log less than the identity of a row, or more. */
function uncoveredIdentity(table: CheckedTable): PreflightProblem | undefined {
  const { identity, identityColumns, hasList, withheld, filterColumns } = table;
  const name = quoteTable(table);
  const problem = (part: string, lack: string, statements: readonly string[]) =>
    repairable(
      {
        level: 'fatal',
        code: 'SVC_S1168',
        cause: `The ${part} for ${name} in the publication "${publication}" ${lack}, so the source refuses to change or delete its rows.`,
      },
      ...statements,
    );
  // The server does not accept any column list for a full identity.
  if (hasList && (identity === 'full' || identityColumns.some((column) => withheld.includes(column))))
    return problem('column list', 'does not cover the replica identity of the table', republish(name));
  const others = filterColumns.filter((column) => !identityColumns.includes(column)).map(quoteName);
  return others.length === 0
    ? undefined
    : problem(
        'filter',
        `reads ${others.join(', ')}, outside the replica identity of the table`,
        identifyByAll(table),
      );
}

/** Returns the statements that make all columns identify a row. */
function identifyByAll(table: CheckedTable): readonly string[] {
  const name = quoteTable(table);
  return [...(table.hasList ? republish(name) : []), `ALTER TABLE ${name} REPLICA IDENTITY FULL;`];
}
