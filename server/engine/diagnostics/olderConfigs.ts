/** Problems of definitions before edition 3, and of events. */
import { error, type FindingGroup, type NearName, warning } from './entry.ts';

export const bucketDefinitionFindings = {
  'parameters-wrong-type': error(
    'Wrong type of `parameters`',
    () => '`parameters` must be a string of SQL or a list of them.',
  ),
  'parameters-unresolved': error(
    'Empty list of parameter queries',
    () => 'This definition has no parameter query. Remove `parameters`.',
  ),
  'parameter-queries-differ': error<{ columns: string }>(
    'Parameter queries with different columns',
    (a) => `All parameter queries of a definition must have the columns ${a.columns}.`,
  ),
  'bucket-parameters-mismatch': error<{ expected: string; missing: string; unknown: string }>(
    'Mismatched bucket parameters',
    (a) =>
      `This query must use exactly ${a.expected}.${a.missing ? ` Missing: ${a.missing}.` : ''}${
        a.unknown ? ` Unknown: ${a.unknown}.` : ''
      }`,
  ),
  'parameter-in-expression': error<{ parameter: string }>(
    'Bucket parameter inside an expression',
    (a) => `${a.parameter} can be compared only with = or IN. Move the expression to the parameter query.`,
  ),
  'parameter-right-of-in': error<{ parameter: string }>(
    'Bucket parameter on the right of IN',
    (a) => `${a.parameter} must be on the left of IN.`,
  ),
  'parameters-on-both-sides': error(
    'Comparison of two bucket parameters',
    () => 'Compare a bucket parameter with a column, not with another one.',
  ),
  'match-not-allowed': error<{ place: 'value' | 'synced column' | 'parameter' | 'no rows' }>(
    'Parameter comparison in the wrong place',
    (a) => {
      switch (a.place) {
        case 'value':
          return 'This comparison with a parameter is not a value: combine it only with AND and OR.';
        case 'synced column':
          return 'Only values of the row can be here.';
        case 'parameter':
          return 'A bucket parameter must be a plain column, a value of the request or a literal.';
        case 'no rows':
          return 'AND and OR of constants are a condition on rows, and there are no rows here.';
      }
    },
  ),
  'or-parameters-mismatch': error(
    'OR of different parameters',
    () => 'An OR can join only conditions on the same parameters. Split it into two queries.',
  ),
  'multiple-in-expressions': error(
    'Two memberships in lists of a row',
    () => 'Only one `parameter IN column` is possible in a query.',
  ),
  'multiple-array-parameters': error(
    'Two lists of the request',
    () => 'Only one `column IN array of the request` is possible.',
  ),
  'request-function-in-data-query': error(
    'Request values in a data query',
    () => 'Request functions work only in parameter queries. Compare with a bucket parameter.',
  ),
  'alias-in-parameter-query': error(
    'Alias in a parameter query',
    () => 'A table of a parameter query cannot have an alias. Use its name.',
  ),
  'subquery-in-from': error(
    'Subquery in FROM of a parameter query',
    () => 'Subqueries are not possible here.',
  ),
  'unknown-table-function': error<{ name: string } & NearName>(
    'Unknown table function',
    (a) => `There is no table function \`${a.name}\`; json_each is the only one.`,
  ),
  'priority-not-literal': error(
    'Computed priority',
    () => '_priority must be one of the numbers 0, 1, 2 and 3.',
  ),
  'priority-set-twice': error(
    'Priority set twice',
    () => 'Set the priority in one place: `priority` or `_priority`.',
  ),
  'internal-error': error<{ what: string }>('Expression that crashes the service', (a) => a.what),
} satisfies FindingGroup;

export const edition2Findings = {
  'negated-match': error(
    'NOT over a comparison with the request',
    () => 'A comparison with the request cannot be negated.',
  ),
  'or-in-subquery': error(
    'OR inside a subquery of edition 2',
    () => 'A subquery of edition 2 can use only AND. Use `edition: 3`.',
  ),
  'subquery-condition': error(
    'Unsupported condition in a subquery of edition 2',
    () => 'This condition is not possible in a subquery of edition 2.',
  ),
  'static-left-of-subquery': error(
    'Constant on the left of IN',
    () => 'The left side must be a column or a request value.',
  ),
  'overlap-left-not-row': error(
    'Request value on the left of &&',
    () => 'Put the column on the left of && and the subquery on the right.',
  ),
  'subquery-without-parameter': error(
    'Subquery of edition 2 independent of the request',
    () => 'A subquery of edition 2 must depend on the request. Use `edition: 3`.',
  ),
  'default-stream-with-subscription-parameter': warning(
    'Subscription parameter in a default stream',
    () => 'An automatic subscription has no parameters, so subscription values are NULL here.',
  ),
} satisfies FindingGroup;

export const eventFindings = {
  'event-not-a-map': error<{ name: string }>(
    'Event is not a map',
    (a) => `The event \`${a.name}\` must be a map with \`payloads\`.`,
  ),
  'event-payloads-not-a-list': error(
    'Payloads are not a list',
    () => '`payloads` must be a list of strings of SQL.',
  ),
  'event-payload-not-a-string': error(
    'Payload is not an SQL text',
    () => 'Each payload must be a string of SQL.',
  ),
} satisfies FindingGroup;
