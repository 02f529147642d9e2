/** Checks in the catalog of a PostgreSQL database whether it is ready to be replicated. */

import type { Preflight, PreflightCheck } from '../../api/reports/preflight.ts';
import { t } from '../../l10n.ts';
import { bad, type CheckId, type CheckResult, checkIds, doubtful, good, unknown } from './check.ts';

/**
 * Runs a query. Each row has its values by column name, in PostgreSQL's text format. Rejects with an error whose message is a
 * sentence.
 */
type Query = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

export type SourceAccess =
  /** The service creates and owns the source. */
  | { readonly kind: 'embedded' }
  | { readonly kind: 'postgresql'; readonly name: string; readonly query: Query }
  /**
   * A service or its program has examined the source. `query` reads the state of the source, if the source can be reached from
   * here.
   */
  | { readonly kind: 'proved'; readonly preflight: Preflight; readonly query?: Query }
  | { readonly kind: 'unknown'; readonly why: string };

const ofServer: readonly CheckId[] = ['wal-level', 'slots', 'publication', 'replica-identity'];

/** @param tables the tables that the sync config reads, in its notation: `lists`, `app.lists`, `todos_%` */
export async function checkSource(
  access: SourceAccess,
  tables: readonly string[],
): Promise<readonly CheckResult[]> {
  switch (access.kind) {
    case 'unknown':
      return [unknown('source', access.why)];
    case 'embedded':
      return [good('source', t('The database is embedded in the service, which sets it up.'))];
    case 'proved':
      return checkProved(access);
    case 'postgresql':
      return checkServer(access, tables);
  }
}

async function checkProved({
  preflight,
  query,
}: Extract<SourceAccess, { kind: 'proved' }>): Promise<readonly CheckResult[]> {
  const checks: CheckResult[] = [];
  for (const check of preflightResults(preflight.checks)) {
    const isDeeper = check.id === 'slots' && check.state === 'good' && query !== undefined;
    checks.push(isDeeper ? await checkSlots(query).catch(() => check) : check);
  }
  return checks;
}

/** Returns the results of a preflight. Leaves out checks that only a newer service knows. */
function preflightResults(checks: readonly PreflightCheck[]): readonly CheckResult[] {
  return checks.flatMap((check) => {
    const id = checkIds.find((known) => known === check.id);
    return id === undefined ? [] : [resultOf(id, check)];
  });
}

/** Returns the result of a check that a service has made. */
export function resultOf(id: CheckId, check: PreflightCheck): CheckResult {
  switch (check.state) {
    case 'ok':
      return { id, state: 'good', sentence: check.message };
    case 'unchecked':
      return { id, state: 'unknown', sentence: check.why };
    case 'failed':
      return {
        id,
        state: check.problems.some(({ level }) => level === 'fatal') ? 'bad' : 'warning',
        sentence: check.problems.map(({ code, cause }) => `[${code}] ${cause}`).join(' '),
        step: check.problems.map(({ remedy }) => remedy).join(' '),
      };
  }
}

async function checkServer(
  { name, query }: Extract<SourceAccess, { kind: 'postgresql' }>,
  tables: readonly string[],
): Promise<readonly CheckResult[]> {
  try {
    await query('SELECT 1 AS one');
  } catch (error) {
    return [
      bad('source', sentenceOf(error), t('Start the database, or correct its address, and check again.')),
      ...ofServer.map((id) => unknown(id, t('Not checked: the source cannot be reached.'))),
    ];
  }
  const reached = good('source', t('The source {0} answers.', name));
  const parts = [
    ['wal-level', checkLevel(query)],
    ['slots', checkSlots(query)],
    ['publication', checkPublication(query, tables)],
    ['replica-identity', checkIdentity(query, tables)],
  ] as const;
  const checks: CheckResult[] = [reached];
  for (const [id, check] of parts)
    checks.push(await check.catch((error: unknown) => unknown(id, sentenceOf(error))));
  return checks;
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function checkLevel(query: Query): Promise<CheckResult> {
  const [row] = await query("SELECT current_setting('wal_level') AS level");
  const level = String(row?.level);
  return level === 'logical'
    ? good('wal-level', t('wal_level is logical.'))
    : bad(
        'wal-level',
        t('wal_level is {0}, so the log does not record which rows change.', level),
        t("Run ALTER SYSTEM SET wal_level = 'logical', and restart the database."),
      );
}

/** The publication that all PowerSync services use. */
const publication = 'powersync';

async function checkPublication(query: Query, tables: readonly string[]): Promise<CheckResult> {
  const [found] = await query(
    `SELECT pubinsert AND pubupdate AND pubdelete AND pubtruncate AS all FROM pg_publication WHERE pubname = '${publication}'`,
  );
  if (found === undefined)
    return bad(
      'publication',
      t('There is no publication {0}.', publication),
      t(
        'Run {0}.',
        `CREATE PUBLICATION ${publication} FOR ${tables.some(isPattern) || tables.length === 0 ? 'ALL TABLES' : `TABLE ${tables.map(nameText).join(', ')}`}`,
      ),
    );
  if (!isTrue(found.all))
    return bad(
      'publication',
      t('The publication {0} does not publish all kinds of changes.', publication),
      t('Run {0}.', `ALTER PUBLICATION ${publication} SET (publish = 'insert, update, delete, truncate')`),
    );
  if (tables.length === 0) return unknown('publication', withoutTables());
  const missing = await query(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND (${conditionFor(tables)}) AND NOT EXISTS (
       SELECT FROM pg_publication_tables p
       WHERE p.pubname = '${publication}' AND p.schemaname = n.nspname
         AND p.tablename = c.relname)
       AND (c.relkind = 'r' OR EXISTS (
         SELECT FROM pg_partition_tree(c.oid) part JOIN pg_class leaf ON leaf.oid = part.relid
         JOIN pg_namespace place ON place.oid = leaf.relnamespace
         WHERE part.isleaf AND NOT EXISTS (
           SELECT FROM pg_publication_tables p
           WHERE p.pubname = '${publication}' AND p.schemaname = place.nspname AND p.tablename = leaf.relname)))
     ORDER BY 1`,
  );
  const names = missing.map(({ name }) => String(name));
  return names.length === 0
    ? good('publication', t('The publication {0} contains all tables that are read and exist.', publication))
    : bad(
        'publication',
        t('The publication {0} does not contain {1}.', publication, names.join(', ')),
        t('Run {0}.', `ALTER PUBLICATION ${publication} ADD TABLE ${names.join(', ')}`),
      );
}

function withoutTables(): string {
  return t('Not checked: it is unknown which tables the sync config reads.');
}

async function checkIdentity(query: Query, tables: readonly string[]): Promise<CheckResult> {
  if (tables.length === 0) return unknown('replica-identity', withoutTables());
  const rows = await query(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND (${conditionFor(tables)}) AND (c.relreplident = 'n' OR c.relreplident = 'd'
       AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary))
     ORDER BY 1`,
  );
  const [first = '', ...more] = rows.map(({ name }) => String(name));
  if (rows.length === 0)
    return good('replica-identity', t('Every table that exists has a key that identifies its rows.'));
  return bad(
    'replica-identity',
    t('The source refuses to change rows of tables without a key: {0}.', [first, ...more].join(', ')),
    t('Add a primary key to {0}, or run {1}.', first, `ALTER TABLE ${first} REPLICA IDENTITY FULL`),
  );
}

async function checkSlots(query: Query): Promise<CheckResult> {
  const slots = await query(
    `SELECT slot_name AS name, active, coalesce(wal_status, '') AS status,
       pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), coalesce(confirmed_flush_lsn, restart_lsn))) AS behind,
       pg_wal_lsn_diff(pg_current_wal_lsn(), coalesce(confirmed_flush_lsn, restart_lsn)) AS bytes
     FROM pg_replication_slots
     WHERE slot_type = 'logical' AND slot_name LIKE 'powersync%' AND database = current_database()
     ORDER BY bytes DESC NULLS LAST`,
  );
  const lost = slots.find(({ status }) => status === 'lost');
  if (lost !== undefined)
    return bad(
      'slots',
      t('The source has deleted the part of its log that the slot {0} still needed.', String(lost.name)),
      t('Raise max_slot_wal_keep_size; the service copies everything again.'),
    );
  const unread = slots.find(({ active, bytes }) => !isTrue(active) && Number(bytes) > largestUnread);
  if (unread !== undefined)
    return doubtful(
      'slots',
      t(
        'No process reads the slot {0}, and the source keeps {1} for it.',
        String(unread.name),
        String(unread.behind),
      ),
      t(
        'Start the service that uses the slot, or run {0}.',
        `SELECT pg_drop_replication_slot('${unread.name}')`,
      ),
    );
  const [slowest] = slots;
  if (slowest === undefined) return good('slots', t('There is no slot yet: the first deploy creates it.'));
  if (Number(slowest.bytes) > largestLag)
    return doubtful(
      'slots',
      t('The slot {0} is {1} behind.', String(slowest.name), String(slowest.behind)),
      t('Look at the log of the service, because it reads changes more slowly than the source writes them.'),
    );
  const idle = slots.find(({ active }) => !isTrue(active));
  if (idle !== undefined)
    return good(
      'slots',
      t(
        'The slots are at most {0} behind. Nothing is reading {1} now.',
        String(slowest.behind),
        String(idle.name),
      ),
    );
  return good('slots', t('The slots are being read and are at most {0} behind.', String(slowest.behind)));
}

/** The maximum number of bytes of the log. */
const largestUnread = 64 * 1024 * 1024;
const largestLag = 256 * 1024 * 1024;

function isPattern(table: string): boolean {
  return table.includes('%');
}

/** Returns the condition for the relations with these names. */
function conditionFor(tables: readonly string[]): string {
  if (tables.length === 0) return 'false';
  return tables
    .map((table) => {
      const [last = '', schema = 'public'] = table.split('.').toReversed();
      return `(n.nspname = ${literal(schema)} AND c.relname ${isPattern(last) ? `LIKE ${literal(escapePattern(last))}` : `= ${literal(last)}`})`;
    })
    .join(' OR ');
}

/** Escapes the pattern, in which only the last character is a wildcard. */
function escapePattern(pattern: string): string {
  return pattern.replace(/[\\_]/g, '\\$&');
}

/**
 * Returns a string literal that does not depend on `standard_conforming_strings`, because a stranger may have written the names
 * in files.
 */
function literal(text: string): string {
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

function nameText(table: string): string {
  return table
    .split('.')
    .map((part) => (/^[a-z_][a-z0-9_]*$/.test(part) ? part : `"${part.replaceAll('"', '""')}"`))
    .join('.');
}

/** Whether a value is true, in PostgreSQL's text format or in JSON. */
function isTrue(value: unknown): boolean {
  return value === true || value === 't' || value === 'true' || value === 1 || value === 1n;
}
