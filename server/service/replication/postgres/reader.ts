/** Chooses the role that runs statements of the user, so that they can only read. */

import { quoteName } from '../../../engine/sql/names.ts';
import { SourceFailure } from '../source.ts';

export interface Candidate {
  readonly name: string;
  /** Whether it is the connection's own user. */
  readonly own: boolean;
  /** Whether the connection may switch to this role. */
  readonly reachable: boolean;
  /** Whether the role may do more than SQL on tables: as a superuser, or with replication, files or programs of the server. */
  readonly powerful: boolean;
}

/** The role that an administrator may create for reading. */
const ownReader = 'headwater_reader';
/** The predefined role for reading, since version 14. */
const predefined = 'pg_read_all_data';

/** Predefined roles without rights beyond reading. Any other one may grant access to files, programs or connections. */
const harmless = [
  predefined,
  'pg_monitor',
  'pg_read_all_settings',
  'pg_read_all_stats',
  'pg_stat_scan_tables',
];
/** The functions for files. They are not available to everybody, but may have been granted. */
const ofFiles = [
  'pg_read_file',
  'pg_read_binary_file',
  'pg_ls_dir',
  'pg_stat_file',
  'lo_import',
  'lo_export',
];

const names = (list: readonly string[]): string => list.map((name) => `'${name}'`).join(', ');

/** Since PostgreSQL 16, a member of a role may be forbidden to switch to it. */
export const candidatesQuery = `
SELECT r.rolname AS name, r.rolname = session_user AS own,
  CASE WHEN current_setting('server_version_num')::int >= 160000 THEN pg_has_role(session_user, r.oid, 'SET')
    ELSE pg_has_role(session_user, r.oid, 'MEMBER') END AS reachable,
  r.rolsuper OR r.rolreplication
  OR EXISTS (
    SELECT FROM pg_roles p
    WHERE p.oid < 16384 AND p.rolname LIKE 'pg\\_%' AND p.rolname NOT IN (${names(harmless)})
      AND pg_has_role(r.oid, p.oid, 'MEMBER'))
  OR EXISTS (
    SELECT FROM pg_proc f
    WHERE f.pronamespace = 'pg_catalog'::regnamespace AND f.proname IN (${names(ofFiles)})
      AND has_function_privilege(r.oid, f.oid, 'EXECUTE')) AS powerful
FROM pg_roles r WHERE r.rolname = session_user OR r.rolname IN ('${ownReader}', '${predefined}')`;

/**
 * Returns the statement that switches to the role for reading, which is empty for the connection's own user. The role of the
 * administrator is preferred. The connection's user is second, because row-level security does not hide replicated rows from it.
 */
export function becomeReader(candidates: readonly Candidate[]): string {
  const fit = candidates.filter(({ reachable, powerful }) => reachable && !powerful);
  const findNamed = (wanted: string) => fit.find(({ name }) => name === wanted);
  const reader = findNamed(ownReader) ?? fit.find(({ own }) => own) ?? findNamed(predefined);
  if (reader !== undefined) return reader.own ? '' : `SET LOCAL ROLE ${quoteName(reader.name)}`;
  const user = quoteName(candidates.find(({ own }) => own)?.name ?? '');
  throw new SourceFailure(
    'settings',
    'SVC_S1147',
    `The user ${user} may do more than read, so no query is run with its rights. Run on the source: CREATE ROLE ${ownReader} NOLOGIN BYPASSRLS; GRANT ${predefined} TO ${ownReader}; GRANT ${ownReader} TO ${user}.`,
  );
}
