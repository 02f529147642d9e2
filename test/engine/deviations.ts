/**
 * The examples for which we deliberately differ from the reference, by name, with the reason and the exact difference.
 * `-` marks a result that only the reference reports, `+` one that only we report. At most 25 are allowed, because
 * more of them would no longer be exceptions.
 */
import type { Difference } from '../support/engine/examples.ts';

export interface Deviation {
  readonly reason: string;
  readonly difference: Difference;
}

/** The reference accepts the example, but we report an error of our own. */
const refused: Difference = ['-valid', '+invalid'];

export const deviations: Readonly<Record<string, Deviation>> = {
  // The reference throws
  'd42-internal-errors': {
    reason: 'A condition under several NOT is fine; the reference runs out of its bounds.',
    difference: ['-crash', '+valid'],
  },
  'd43-crash-invalid-schema': {
    reason: 'Two dots in a schema are an error like any other.',
    difference: ['-crash', '+invalid', '+error invalid-schema-name 8:21-8:28'],
  },
  'e01-empty-file': {
    reason: 'An empty file defines nothing, as the older version says.',
    difference: ['-crash', '+invalid', '+error missing-definitions 1:1-1:1'],
  },
  'e23-null-query-crash': {
    reason: 'A missing value where SQL belongs is an error like any other.',
    difference: ['-crash', '+invalid', '+error expected-scalar 5:5-5:10'],
  },

  // The reference marks the wrong place
  'd41-cte-error-range': {
    reason: 'A NOT IN over a CTE is one mistake, marked where it is; the reference marks offsets of the CTE.',
    difference: [
      '-error mixed-tables 10:14-10:16',
      '-error mixed-row-and-parameter 10:45-11:1',
      '+error negated-subquery 10:33-10:52',
    ],
  },
  'd32-negated-match': {
    reason: 'A NOT IN over a subquery is one mistake; the reference reports its columns one by one.',
    difference: [
      '-error mixed-tables 8:92-8:94',
      '-error mixed-row-and-parameter 8:124-8:138',
      '+error negated-subquery 8:69-8:139',
    ],
  },
  'e18-colon-in-plain': {
    reason: 'The whole text with the colon is marked, not its first character.',
    difference: ['-error yaml-syntax 5:12-5:13'],
  },
  'e28-scalar-styles': {
    reason: 'The reference counts a blank line before a more-indented line of a folded scalar wrongly.',
    difference: ['-error unknown-function 27:18-27:22', '+error unknown-function 27:17-27:21'],
  },
  'e29-crlf': {
    reason: 'The reference counts CRLF in block scalars wrongly.',
    difference: ['-error unknown-function 11:13-11:17', '+error unknown-function 11:15-11:19'],
  },
  'e31-indentation-indicator': {
    reason: 'The reference does not understand explicit indentation.',
    difference: ['-error unknown-function 8:1-7:5', '+error unknown-function 7:13-7:17'],
  },

  // The reference accepts configs that cannot work
  'a18-single-parenthesised-value': {
    reason: "`IN ('a')` fails on every row: in-single-value.",
    difference: refused,
  },
  'a44-accepted-but-not-evaluable': {
    reason: '`%` and `&` fail on every row: operator-not-evaluable.',
    difference: refused,
  },
  'a45-substring-from-for': {
    reason: 'A plan with `substring(x FROM n)` cannot be loaded: operator-not-evaluable.',
    difference: refused,
  },
  'a47-sqlite-engine-missing-function': {
    reason: 'A plan with `base64` cannot be loaded by the SQLite engine: function-not-evaluable.',
    difference: refused,
  },
  'a53-schema-names': {
    reason: 'The connection tag is dropped, and another database is read: connection-tag-ignored.',
    difference: refused,
  },
  'a70-cte-reading-cte': {
    reason: 'The other CTE is read as a table or column that does not exist: cte-in-cte.',
    difference: refused,
  },
  'c06-not-checked': {
    reason: 'json_each has no such column, it is always NULL: unknown-function-column.',
    difference: refused,
  },
  'd44-unknown-table-function': {
    reason: 'The plan cannot be loaded: unknown-table-function.',
    difference: refused,
  },
  'g05-no-wildcard-filters': {
    reason: 'The filter of a wildcard table never matches in edition 2: wildcard-filter.',
    difference: refused,
  },

  // The reference accepts configs that leak rows
  'a82-not-in-forms': {
    reason: '`NOT (a IN b)` is tested element for element: negated-in-expansion.',
    difference: refused,
  },
  'f12-and-same-parameter-bug': {
    reason: 'Only the first condition on a parameter is enforced: same-parameter-twice.',
    difference: refused,
  },
  'f34-and-same-request-value-bug': {
    reason: 'Only the first comparison with a request value is enforced: same-parameter-twice.',
    difference: refused,
  },
  'g02-swallowed-error': {
    reason: '`IN (SELECT *)` is dropped, and all rows are synced: star-subquery.',
    difference: refused,
  },

  // The reference warns without a reason
  'c08-legacy-table-suffix': {
    reason: '`_table_suffix` is a column of wildcard tables, though not one of the source.',
    difference: ['-warning unknown-column 4:19-4:32', '-warning unknown-column 4:60-4:73'],
  },
};
