/** Finds the tables that patterns match, and the problems that prevent their replication. */

import { matchesTable } from '../../../engine/plan/evaluate/patterns.ts';
import type { TablePattern } from '../../../engine/plan/plan.ts';
import { quoteName } from '../../../engine/sql/names.ts';
import { distinctValues } from '../../ground/distinctValues.ts';
import type { TableId } from '../../ground/sourceIds.ts';
import { type PreflightProblem, repairable, toSourceProblem } from '../preflight.ts';
import type { MatchedTable, SourceProblem, TableInfo, TableShape } from '../source.ts';
import { SourceFailure } from '../source.ts';
import { publication } from './health.ts';
import { quoteTable } from './identifiers.ts';
import type { Queries } from './queries.ts';
import { hiddenRows, mayHideRows } from './rowSecurity.ts';
import { hasDeferrableKey, isIdentityIndex, keyOfTable, maySelect, readShapes } from './tableShape.ts';
import { generatedKey, type UnloggedKey, unloggedKeyProblem, withheldKey } from './unloggedKeys.ts';

export async function matchTables(
  queries: Queries,
  tag: string,
  patterns: readonly TablePattern[],
): Promise<readonly MatchedTable[]> {
  const { matches, unmatched } = await findTables(queries, tag, patterns);
  const details = await queries.all<TableDetails>(detailsOf, [[...matches.keys()], publication]);
  const shapes = await readShapes(queries, [...matches.keys()]);
  const found = await Promise.all(
    details.map(async (table) =>
      toMatch(
        matches.get(table.oid),
        table,
        [await readingProblem(queries, table), publicationProblem(table, details)],
        shapes.get(table.oid),
      ),
    ),
  );
  return [...found.filter((match) => match !== undefined), ...(await missingTables(queries, unmatched))];
}

/** Reports patterns that match no table, with the form of an object that has the name but is not replicated. */
export async function missingTables(
  queries: Pick<Queries, 'all'>,
  unmatched: readonly TablePattern[],
): Promise<readonly MatchedTable[]> {
  const forms = unmatched.length === 0 ? [] : await queries.all<NamedForm>(otherForms);
  return unmatched.map((pattern) => notFound(pattern, formOf(pattern, forms)));
}

interface NamedForm {
  readonly schema: string;
  readonly name: string;
  readonly form: string;
}

function formOf({ schema, name }: TablePattern, forms: readonly NamedForm[]): string | undefined {
  return forms.find((each) => each.schema === schema.text && each.name === name.text)?.form;
}

/** Selects the objects with names of tables that have no rows of their own in the log. */
const otherForms = `
SELECT n.nspname::text AS schema, c.relname::text AS name, CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view'
  WHEN 'p' THEN 'partitioned table' WHEN 'f' THEN 'foreign table' ELSE 'table that is not written to the log' END AS form
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('v', 'm', 'p', 'f') OR c.relkind = 'r' AND c.relpersistence <> 'p'`;

interface FoundTables {
  /** The first pattern that matches each table, by the table's number. */
  readonly matches: ReadonlyMap<number, TablePattern>;
  /** The patterns that match no table. */
  readonly unmatched: readonly TablePattern[];
}

export async function findTables(
  queries: Pick<Queries, 'all'>,
  tag: string,
  patterns: readonly TablePattern[],
): Promise<FoundTables> {
  const existing = await queries.all<TableName>(allTables);
  const matches = new Map<number, TablePattern>();
  const unmatched: TablePattern[] = [];
  for (const pattern of distinctValues(patterns)) {
    const found = existing.filter((table) => matchesSource(pattern, { ...table, tag }));
    for (const { oid } of found) if (!matches.has(oid)) matches.set(oid, pattern);
    const isPlain = !pattern.name.wildcard && !pattern.schema.wildcard;
    if (found.length === 0 && isPlain && pattern.tag === tag) unmatched.push(pattern);
  }
  return { matches, unmatched };
}

/** Whether the pattern matches. PostgreSQL's own schemas must be named explicitly. */
export function matchesSource(
  pattern: TablePattern,
  table: { readonly tag: string; readonly schema: string; readonly name: string },
): boolean {
  const isSystem = table.schema.startsWith('pg_') || table.schema === 'information_schema';
  return matchesTable(pattern, table) && !(isSystem && pattern.schema.wildcard);
}

interface TableName {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
}

/** Selects all tables. Partitioned tables, views and foreign tables have no rows of their own in the log. */
const allTables = `
SELECT c.oid, n.nspname::text AS schema, c.relname::text AS name
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND c.relpersistence = 'p'
ORDER BY n.nspname, c.relname`;

interface TableDetails extends TableName, UnloggedKey {
  readonly identity_kind: 'd' | 'i' | 'f' | 'n';
  readonly has_key: boolean;
  /** Whether the primary key is deferrable, so that it does not identify rows in the log. */
  readonly is_deferrable: boolean;
  readonly identity_names: readonly string[];
  readonly identity_types: readonly string[];
  readonly unpublished: readonly string[];
  /** -1 means unknown, as does 0 before version 14. */
  readonly estimate: number;
  readonly published: boolean;
  readonly has_publication: boolean;
  readonly hides_rows: boolean;
  readonly readable: boolean;
  /** The user of the connection. */
  readonly username: string;
}

/**
 * Selects the details. Identity columns are those of the primary key or of the chosen index, or all columns, in the order of the
 * table, as in the log. An index may have more columns than its key. Generated columns can be published since version 18.
 */
const detailsOf = `
SELECT c.oid, n.nspname::text AS schema, c.relname::text AS name, c.relreplident AS identity_kind,
  EXISTS (${keyOfTable}) AS has_key,
  ${hasDeferrableKey} AS is_deferrable,
  k.names AS identity_names, k.types AS identity_types, k.unpublished, ${generatedKey} AS generated_key,
  ${withheldKey} AS withheld_key,
  CASE WHEN c.relpages = 0 AND c.reltuples <= 0 THEN -1 ELSE c.reltuples::float8 END AS estimate,
  p.pubname IS NOT NULL AS published,
  EXISTS (SELECT FROM pg_catalog.pg_publication WHERE pubname = $2) AS has_publication,
  ${mayHideRows} AS hides_rows,
  has_schema_privilege(n.oid, 'USAGE') AND ${maySelect} AS readable, current_user::text AS username
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_catalog.pg_publication_tables p
  ON p.pubname = $2 AND p.schemaname = n.nspname AND p.tablename = c.relname
LEFT JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND ${isIdentityIndex}
LEFT JOIN LATERAL (
  SELECT
    COALESCE(array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE is_key), '{}') AS names,
    COALESCE(array_agg(t.typname::text ORDER BY a.attnum) FILTER (WHERE is_key), '{}') AS types,
    COALESCE(array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE is_unpublished), '{}') AS unpublished
  FROM pg_catalog.pg_attribute a
  JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
  CROSS JOIN LATERAL (
    SELECT COALESCE(to_jsonb(a) ->> 'attgenerated', '') <> '' AND (
      current_setting('server_version_num')::int < 180000
      OR NOT COALESCE(to_jsonb(p) -> 'attnames' ? a.attname::text, false)
    ) AS is_unpublished
  ) g
  CROSS JOIN LATERAL (
    SELECT (c.relreplident = 'f' AND NOT is_unpublished)
      OR a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1]) AS is_key
  ) w
  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
) k ON true
WHERE c.oid = ANY ($1::oid[])
ORDER BY n.nspname, c.relname`;

const identityKinds = { d: 'default', i: 'index', f: 'full', n: 'nothing' } as const;

function toMatch(
  pattern: TablePattern | undefined,
  details: TableDetails,
  asked: readonly (SourceProblem | undefined)[],
  shape: TableShape | undefined,
): MatchedTable | undefined {
  if (pattern === undefined) return undefined;
  const problems = [identityProblem(details), keylessProblem(details), ...asked, ...otherProblems(details)];
  return {
    pattern,
    table: { ...toInfo(details), ...(shape && { shape }) },
    problems: problems.filter((problem) => problem !== undefined),
    replicated: details.published,
  };
}

function toInfo(details: TableDetails): TableInfo {
  const { oid, schema, name, identity_names, identity_types, estimate } = details;
  return {
    sourceId: oid as TableId,
    schema,
    name,
    identity: identity_names.map((column, at) => ({ name: column, type: identity_types[at] ?? '' })),
    identityKind: identityKinds[details.identity_kind],
    ...(estimate >= 0 && { estimatedRows: estimate }),
  };
}

/** @param form the kind of the object that has the name of the table, and is not replicated */
function notFound(pattern: TablePattern, form?: string): MatchedTable {
  const reason = form === undefined ? '' : ` There is a ${form} with this name, which is not replicated.`;
  const message = `Table "${pattern.schema.text}"."${pattern.name.text}" not found.${reason}`;
  return { pattern, problems: [{ level: 'warning', kind: 'missing', message }], replicated: false };
}

function identityProblem(details: TableDetails): SourceProblem | undefined {
  const { identity_kind, identity_names } = details;
  if (identity_names.length > 0 || identity_kind === 'n') return undefined;
  const kind = identityKinds[identity_kind];
  const table = quoteTable(details);
  const { lack, need } = lackOfIdentity(details);
  return {
    level: 'fatal',
    message: `No replication id found for ${table}: its replica identity is ${kind}, and ${lack}. Add ${need}, or run: ALTER TABLE ${table} REPLICA IDENTITY FULL;`,
  };
}

function lackOfIdentity({ identity_kind, is_deferrable }: TableDetails) {
  const need = 'a primary key';
  if (identity_kind === 'i') return { lack: 'it has no such index', need };
  if (!is_deferrable) return { lack: 'it has no primary key', need };
  return { lack: 'its primary key is deferrable', need: `${need} that is not deferrable` };
}

/** Returns the problem of a table without a key. Equal rows count as one, unless that is known to be wrong. */
function keylessProblem(details: TableDetails): SourceProblem | undefined {
  if (details.identity_kind !== 'f' || details.has_key) return undefined;
  return { level: 'warning', message: keylessMessage(details) };
}

export function keylessMessage(table: { readonly schema: string; readonly name: string }): string {
  return `[SVC_S1148] ${quoteTable(table)} has no primary key, so equal rows cannot be distinguished: clients get one of them, and when one is deleted or changed, the whole table is copied again. Add a primary key.`;
}

/**
 * Returns the problem of reading a table. The rights of all tables are queried together; for details, a read is tried, whose
 * error names the missing right.
 */
async function readingProblem(queries: Queries, table: TableDetails): Promise<SourceProblem | undefined> {
  if (table.readable) return undefined;
  try {
    await queries.all(`SELECT * FROM ${quoteTable(table)} LIMIT 0`);
    return undefined;
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    if (error.kind !== 'settings') return { level: 'fatal', message: error.message };
    const { cause, remedy } = unreadable(table);
    return { level: 'fatal', code: 'SVC_S1165', message: `[SVC_S1165] ${cause} ${remedy}` };
  }
}

function unreadable(table: TableDetails): PreflightProblem {
  const name = quoteTable(table);
  return repairable(
    { level: 'fatal', code: 'SVC_S1165', cause: `The user "${table.username}" may not read ${name}.` },
    `GRANT USAGE ON SCHEMA ${quoteName(table.schema)} TO ${quoteName(table.username)};`,
    `GRANT SELECT ON ${name} TO ${quoteName(table.username)};`,
  );
}

/** Returns the problem of publishing a table. Without a publication, the remedy is one statement for all tables. */
function publicationProblem(details: TableDetails, all: readonly TableDetails[]): SourceProblem | undefined {
  if (details.published) return undefined;
  const table = quoteTable(details);
  const remedy = details.has_publication
    ? `ALTER PUBLICATION ${publication} ADD TABLE ${table};`
    : `CREATE PUBLICATION ${publication} FOR TABLE ${all.map(quoteTable).join(', ')};`;
  return {
    level: 'fatal',
    message: `Table ${table} is not part of publication '${publication}'${details.has_publication ? '' : ', which does not exist'}. Run: ${remedy}`,
  };
}

function otherProblems(details: TableDetails): SourceProblem[] {
  const table = quoteTable(details);
  const problems: SourceProblem[] = [];
  if (details.unpublished.length > 0) {
    const columns = details.unpublished.map((name) => `"${name}"`).join(', ');
    problems.push({
      level: 'warning',
      message: `Generated columns are not replicated, so they are not synced: ${columns} of ${table}.`,
    });
  }
  const unlogged = unloggedKeyProblem(details, details);
  if (unlogged !== undefined) problems.push(toSourceProblem(unlogged));
  if (details.hides_rows) problems.push(toSourceProblem(hiddenRows([details], details.username)));
  return problems;
}
