/**
 * Detects row-level security, which hides rows from reading but not from the log. A copy without hidden rows would be incomplete,
 * and a comparison would take their changes from the log for rows that the source does not have. So nothing is read from a table
 * whose policies may hide rows.
 */
import { quoteName } from '../../../engine/sql/names.ts';
import { type PreflightProblem, repairable } from '../preflight.ts';
import { quoteTable } from './identifiers.ts';

/** SQL for whether row-level security of a table `c` applies to the user of the connection. */
export const isSecured = 'pg_catalog.row_security_active(c.oid)';

/** SQL for whether the policy `y` applies to rows that the user of the connection reads from a table `c`. */
const appliesToReading = `
  y.polrelid = c.oid AND y.polcmd IN ('r', '*') AND EXISTS (
    SELECT FROM unnest(y.polroles) AS o (role) WHERE o.role = 0 OR pg_has_role(o.role, 'USAGE'))`;
const condition = 'pg_get_expr(y.polqual, y.polrelid)';

/** SQL for whether policies may hide rows of a table `c`. They hide none only if they are `true` for every row. */
export const mayHideRows = `(${isSecured} AND (
  NOT EXISTS (SELECT FROM pg_catalog.pg_policy y WHERE ${appliesToReading} AND y.polpermissive AND ${condition} = 'true')
  OR EXISTS (SELECT FROM pg_catalog.pg_policy y WHERE ${appliesToReading} AND NOT y.polpermissive AND ${condition} <> 'true')))`;

export function hiddenRows(
  tables: readonly { readonly schema: string; readonly name: string }[],
  username: string,
): PreflightProblem {
  const names = tables.map(quoteTable).join(', ');
  return repairable(
    {
      level: 'fatal',
      code: 'SVC_S1145',
      cause: `Row-level security may hide rows of ${names} from the user "${username}", so a copy could be incomplete.`,
    },
    `ALTER ROLE ${quoteName(username)} BYPASSRLS;`,
  );
}
