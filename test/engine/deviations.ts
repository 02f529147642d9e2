/**
 * The examples for which we deliberately differ from the reference, by name, with the reason and the exact difference.
 * `-` marks a result that only the reference reports, `+` one that only we report. At most 25 are allowed, because
 * more of them would no longer be exceptions.
 */
import type { Code } from '../../server/engine/diagnostics/diagnostics.ts';
import type { Difference } from '../support/engine/examples.ts';

export interface Deviation {
  /** The mistake of the reference: it fails, marks another place, or accepts a config that cannot work or leaks rows. */
  readonly kind: 'crash' | 'place' | 'cannot work' | 'leak' | 'warning';
  /** A sentence of the page on the service. */
  readonly reason: string;
  /** The code with which we refuse the config. */
  readonly rule?: Code;
  readonly difference: Difference;
}

/** The reference accepts the example, but we report an error of our own. */
const refused: Difference = ['-valid', '+invalid'];

export const deviations: Readonly<Record<string, Deviation>> = {
  // The reference throws
  'd42-internal-errors': {
    kind: 'crash',
    reason: 'A condition under several NOT is fine.',
    difference: ['-crash', '+valid'],
  },
  'd43-crash-invalid-schema': {
    kind: 'crash',
    reason: 'Two dots in a schema are an error like any other.',
    difference: ['-crash', '+invalid', '+error invalid-schema-name 8:21-8:28'],
  },
  'e01-empty-file': {
    kind: 'crash',
    reason: 'An empty file defines nothing.',
    difference: ['-crash', '+invalid', '+error missing-definitions 1:1-1:1'],
  },
  'e23-null-query-crash': {
    kind: 'crash',
    reason: 'A missing value where SQL belongs is an error like any other.',
    difference: ['-crash', '+invalid', '+error expected-scalar 5:5-5:10'],
  },

  // The reference marks the wrong place
  'd41-cte-error-range': {
    kind: 'place',
    reason: 'A NOT IN over a CTE is one mistake, marked where it is, not at offsets of the CTE.',
    difference: [
      '-error mixed-tables 10:14-10:16',
      '-error mixed-row-and-parameter 10:45-11:1',
      '+error negated-subquery 10:33-10:52',
    ],
  },
  'd32-negated-match': {
    kind: 'place',
    reason: 'A NOT IN over a subquery is one mistake, not one for each of its columns.',
    difference: [
      '-error mixed-tables 8:92-8:94',
      '-error mixed-row-and-parameter 8:124-8:138',
      '+error negated-subquery 8:69-8:139',
    ],
  },
  'e18-colon-in-plain': {
    kind: 'place',
    reason: 'The whole text with the colon is marked, not its first character.',
    difference: ['-error yaml-syntax 5:12-5:13'],
  },
  'e28-scalar-styles': {
    kind: 'place',
    reason: 'A mistake after a blank line of a folded scalar is marked where it is.',
    difference: ['-error unknown-function 27:18-27:22', '+error unknown-function 27:17-27:21'],
  },
  'e29-crlf': {
    kind: 'place',
    reason: 'A mistake in a block scalar with CRLF is marked where it is.',
    difference: ['-error unknown-function 11:13-11:17', '+error unknown-function 11:15-11:19'],
  },
  'e31-indentation-indicator': {
    kind: 'place',
    reason: 'A mistake in a block scalar with explicit indentation is marked where it is.',
    difference: ['-error unknown-function 8:1-7:5', '+error unknown-function 7:13-7:17'],
  },

  // The reference accepts configs that cannot work
  'a18-single-parenthesised-value': {
    kind: 'cannot work',
    reason: "`IN ('a')` fails on every row.",
    rule: 'in-single-value',
    difference: refused,
  },
  'a44-accepted-but-not-evaluable': {
    kind: 'cannot work',
    reason: '`%` and `&` fail on every row.',
    rule: 'operator-not-evaluable',
    difference: refused,
  },
  'a45-substring-from-for': {
    kind: 'cannot work',
    reason: 'A plan with `substring(x FROM n)` cannot be loaded.',
    rule: 'operator-not-evaluable',
    difference: refused,
  },
  'a47-sqlite-engine-missing-function': {
    kind: 'cannot work',
    reason: 'A plan with `base64` cannot be loaded by the SQLite engine.',
    rule: 'function-not-evaluable',
    difference: refused,
  },
  'a53-schema-names': {
    kind: 'cannot work',
    reason: 'The tag of another connection is dropped, so another database is read.',
    rule: 'connection-tag-ignored',
    difference: refused,
  },
  'a70-cte-reading-cte': {
    kind: 'cannot work',
    reason: 'A CTE that reads another CTE reads a table or column that does not exist.',
    rule: 'cte-in-cte',
    difference: refused,
  },
  'c06-not-checked': {
    kind: 'cannot work',
    reason: 'A column that `json_each` does not have is always NULL.',
    rule: 'unknown-function-column',
    difference: refused,
  },
  'd44-unknown-table-function': {
    kind: 'cannot work',
    reason: 'A plan with an unknown table function cannot be loaded.',
    rule: 'unknown-table-function',
    difference: refused,
  },
  'g05-no-wildcard-filters': {
    kind: 'cannot work',
    reason: 'The filter of a wildcard table never matches in edition 2.',
    rule: 'wildcard-filter',
    difference: refused,
  },

  // The reference accepts configs that leak rows
  'a82-not-in-forms': {
    kind: 'leak',
    reason: '`NOT (a IN b)` is tested element for element.',
    rule: 'negated-in-expansion',
    difference: refused,
  },
  'f12-and-same-parameter-bug': {
    kind: 'leak',
    reason: 'Of two conditions on one parameter, only the first is enforced.',
    rule: 'same-parameter-twice',
    difference: refused,
  },
  'f34-and-same-request-value-bug': {
    kind: 'leak',
    reason: 'Of two comparisons with one request value, only the first is enforced.',
    rule: 'same-parameter-twice',
    difference: refused,
  },
  'g02-swallowed-error': {
    kind: 'leak',
    reason: '`IN (SELECT *)` is dropped, and all rows are synced.',
    rule: 'star-subquery',
    difference: refused,
  },

  // The reference warns without a reason
  'c08-legacy-table-suffix': {
    kind: 'warning',
    reason: '`_table_suffix` is a column of wildcard tables, though not one of the source.',
    difference: ['-warning unknown-column 4:19-4:32', '-warning unknown-column 4:60-4:73'],
  },
};
