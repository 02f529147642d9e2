/** Problems of SQL. */
import { countOf, didYouMean, error, type FindingGroup, type NearName, warning } from './entry.ts';

export const statementFindings = {
  'sql-syntax': error<{ problem: string }>('SQL syntax error', (a) => a.problem),
  'not-a-select': error<{ found: string; instead?: string }>(
    'Expected a single SELECT',
    (a) => `Only a single SELECT is possible here, not ${a.found}.${a.instead ? ` ${a.instead}` : ''}`,
  ),
  'multiple-statements': error(
    'Several statements in one text',
    () => 'Only one statement is possible here. Make this a separate query.',
  ),
  'single-table-required': error(
    'Expected exactly one table',
    () => 'Select from exactly one table. Only streams of `edition: 3` can join tables.',
  ),
  'unsupported-join': error<{ join: string }>(
    'LEFT, RIGHT, FULL and CROSS JOIN',
    (a) => `Sync Streams do not support ${a.join}: a row is synced or it is not. Use JOIN or a second query.`,
  ),
  'join-using': error('JOIN with USING', () => 'USING is not supported. Write ON a.x = b.x.'),
  'unsupported-clause': error<{ clause: string; instead?: string }>(
    'LIMIT, ORDER BY, GROUP BY and similar clauses',
    (a) =>
      `Sync queries do not support ${a.clause}: they choose rows one by one.${a.instead ? ` ${a.instead}` : ''}`,
  ),
  'sql-parameter': error<{ parameter: string }>(
    'Query parameters such as $1',
    (a) =>
      `Query parameters such as ${a.parameter} do not exist here. Use auth, connection or subscription functions.`,
  ),
} satisfies FindingGroup;

export const columnFindings = {
  'invalid-schema-name': error<{ schema: string }>(
    'Dot in a schema name',
    (a) => `\`${a.schema}\` is not a schema name.`,
  ),
  'duplicate-table-name': error<{ name: string }>(
    'Duplicate table name',
    (a) => `There is already a table named \`${a.name}\` in this query. Give this one an alias.`,
  ),
  'table-not-in-from': error<{ table: string; instead?: string } & NearName>(
    'Table not in FROM',
    (a) => `\`${a.table}\` does not appear in FROM.${a.instead ? ` ${a.instead}` : didYouMean(a)}`,
  ),
  /** The argument `column` is absent for a query that reads no table. */
  'ambiguous-reference': error<{ column?: string; instead?: string }>('Ambiguous column', (a) =>
    a.column === undefined
      ? 'This query reads no table. Write FROM and the name of a table.'
      : `Say which table \`${a.column}\` belongs to.${a.instead ? ` ${a.instead}` : ''}`,
  ),
  'undefined-reference': error<{ reference: string; instead?: string } & NearName>(
    'Unknown name',
    (a) => `\`${a.reference}\` is not known here.${a.instead ? ` ${a.instead}` : didYouMean(a)}`,
  ),
  'schema-in-column-reference': error(
    'Schema in a column reference',
    () => 'Leave out the schema in a column reference.',
  ),
  'identifier-lowercased': warning<{ name: string } & { folded: string }>(
    'Capital letters without quotes',
    (a) => `Without quotes, \`${a.name}\` means \`${a.folded}\`.`,
  ),
  'unnamed-column': warning('Unnamed column', () => 'Give this column a name with AS.'),
  'alias-required': error('Missing column alias', () => 'Give this column a name with AS.'),
  'missing-id-column': error('Missing column `id`', () => 'Clients need a text column named `id`.'),
  'star-overrides-alias': warning(
    'Star after named columns',
    () => 'This * may overwrite the columns before it. Put it first.',
  ),
  'star-not-allowed': error('Star as a value', () => '* cannot be used here.'),
  'multiple-output-tables': error<{ table: string }>(
    'Columns of two tables',
    (a) => `All columns of a query must come from one table, here \`${a.table}\`. Use a second query.`,
  ),
  'output-from-function': error<{ name: string }>(
    'Values of a table function in the output',
    (a) => `Values of ${a.name}() cannot be synced.`,
  ),
  'parameter-in-output': error(
    'Request values in the output',
    () => 'Values of the request cannot be part of synced rows.',
  ),
  'no-output-table': error('Missing column of a table', () => 'At least one column must come from a table.'),
  'aliased-output-table': warning<{ alias: string }>(
    'Alias that renames the table for clients',
    (a) => `Clients will see this table as \`${a.alias}\`. If you mean that, write AS "${a.alias}".`,
  ),
  'table-suffix-always-empty': warning<{ table: string }>(
    'Table suffix without a wildcard',
    (a) => `\`${a.table}\` has no wildcard, so its suffix is always empty.`,
  ),
} satisfies FindingGroup;

export const expressionFindings = {
  'unknown-function': error<{ name: string; instead?: string } & NearName>(
    'Unknown function',
    (a) => `There is no function \`${a.name}\`.${a.instead ? ` ${a.instead}` : didYouMean(a)}`,
  ),
  'nondeterministic-function': error<{ name: string }>(
    'Nondeterministic function',
    (a) => `\`${a.name}\` returns a new value on every call, so no row would stay in its bucket.`,
  ),
  'wrong-argument-count': error<{ name: string; expected: string; found: number }>(
    'Too few or too many arguments',
    (a) => `${a.name}() takes ${a.expected}, not ${a.found}.`,
  ),
  'function-modifier': error(
    'Aggregates and window functions',
    () => 'Sync queries do not support aggregate or window functions.',
  ),
  /** The argument `ofTable` is the function that is written after the name of a table. */
  'unknown-function-schema': error<{ schema: string; instead?: string; ofTable?: string } & NearName>(
    'Unknown schema of a function',
    (a) =>
      a.ofTable === undefined
        ? `\`${a.schema}\` is neither auth, connection, subscription nor a table of this query.${
            a.instead ? ` ${a.instead}` : didYouMean(a)
          }`
        : `\`${a.schema}\` is a table, which has no functions. Write ${a.ofTable}(…).`,
  ),
  'unknown-request-function': error<{ schema: string; name: string; instead?: string } & NearName>(
    'Unknown request function',
    (a) =>
      `Unknown function \`${a.schema}.${a.name}()\`. ${
        a.instead ?? `Did you mean \`${a.schema}.${a.near}()\`?`
      }`,
  ),
  'user-id-wrong-schema': error(
    'user_id() outside of auth',
    () => 'user_id() exists only on auth: write auth.user_id().',
  ),
  'metadata-on-subquery': error(
    'Row metadata of a subquery',
    () => 'Row metadata exists only for real tables.',
  ),
  'like-not-supported': error(
    'LIKE',
    () => "LIKE is not supported. For a prefix write substring(x, 1, n) = '…', for a part instr(x, '…') > 0.",
  ),
  'unsupported-operator': error<{ operator: string; instead?: string }>(
    'Unsupported operator',
    (a) => `The operator ${a.operator} is not supported.${a.instead ? ` ${a.instead}` : ''}`,
  ),
  'unary-minus': error('Unary minus', () => 'Write 0 - x instead of -x.'),
  'invalid-cast': error<{ type: string; instead?: string } & NearName>(
    'Cast to an unknown type',
    (a) =>
      `There is no type \`${a.type}\` here. ${
        a.instead ?? `Cast to text, integer, real, numeric or blob.${didYouMean(a)}`
      }`,
  ),
  'constant-fails': error<{ reason: string }>(
    'Constant that always fails',
    (a) => `This can never be computed: ${a.reason}.`,
  ),
  'unsupported-json-path': error<{ index: string }>(
    'JSON index before edition 3',
    (a) => `Write the path '$.${a.index}' here.`,
  ),
  'unsupported-expression': error<{ what: string; instead?: string }>(
    'Unsupported expression',
    (a) => `${a.what} is not supported here.${a.instead ? ` ${a.instead}` : ''}`,
  ),
} satisfies FindingGroup;

export const filterFindings = {
  'mixed-row-and-parameter': error<{ instead?: string }>(
    'Row and request in one expression',
    (a) =>
      `Row data and request data can be compared only with =, IN or &&, each alone on its side.${
        a.instead ? ` ${a.instead}` : ''
      }`,
  ),
  /** The argument `isList` means that one side consists of the elements of a list, which IN or && compares. */
  'mixed-tables': error<{ first: string; second: string; isList?: true }>(
    'Two tables in one expression',
    (a) =>
      a.isList
        ? 'IN and && compare the elements of a list, and cannot be part of a larger expression. Combine conditions with AND.'
        : `\`${a.first}\` and \`${a.second}\` can be compared only with =, each alone on its side.`,
  ),
  'filter-too-complex': error<{ cases: number }>(
    'Condition with too many cases',
    (a) =>
      `This condition splits into ${a.cases > 1e6 ? 'more than a million' : a.cases} cases; at most 100 are possible. Write two queries, each with one side of an OR.`,
  ),
  'too-many-buckets': error<{ count: number }>(
    'Too many buckets in a stream',
    (a) => `This stream needs ${a.count} kinds of buckets; at most 100 are possible. Split the stream.`,
  ),
  'unresolvable-filter': error(
    'Condition unrelated to rows and request',
    () => 'This condition is related neither to the synced rows nor to the request.',
  ),
  'function-partition': error(
    'Elements of the request used twice',
    () => 'The elements of a request array can select the rows of one table only, by one comparison.',
  ),
  'function-inputs': error<{ name: string }>(
    'Arguments from several places',
    (a) => `All arguments of ${a.name}() must come from the same table.`,
  ),
  'function-chained': error<{ name: string }>(
    'Chained table functions',
    (a) => `${a.name}() cannot read the result of another table function.`,
  ),
  'unauthenticated-parameter': warning<{ parameter: string }>(
    'Access decided by a value that clients choose',
    (a) =>
      `Every client can choose ${a.parameter}, and no value of auth decides which of these rows it gets. Compare one with the rows, or accept it with \`accept_potentially_dangerous_queries: true\`.`,
  ),
} satisfies FindingGroup;

export const subqueryFindings = {
  'subquery-position': error<{ instead?: string }>(
    'Subquery in the wrong place',
    (a) => `A subquery is allowed only after IN, next to && or in FROM.${a.instead ? ` ${a.instead}` : ''}`,
  ),
  'subquery-single-column': error<{ columns: string }>(
    'Subquery with several columns',
    (a) => `This subquery must have exactly one column, not ${a.columns}.`,
  ),
  'cte-single-column': error<{ name: string }>(
    'CTE with several columns',
    (a) => `\`${a.name}\` must have exactly one column to be used here.`,
  ),
  'star-in-subquery': error(
    'Star in a subquery or CTE',
    () => 'List the columns: * is not possible in a subquery.',
  ),
  'duplicate-column': error<{ column: string }>(
    'Duplicate column',
    (a) => `There is already a column \`${a.column}\`.`,
  ),
  'subquery-column-count': error<{ listed: number; columns: number }>(
    'Too few or too many names for the columns',
    (a) => `The alias lists ${countOf(a.listed, 'column')}, the subquery has ${a.columns}.`,
  ),
  'unknown-subquery-column': error<{ query: string; column: string } & NearName>(
    'Unknown column of a subquery',
    (a) => `\`${a.query}\` has no column \`${a.column}\`.${didYouMean(a)}`,
  ),
  'unused-cte': warning<{ name: string }>('Unused CTE', (a) => `\`${a.name}\` is never used.`),
} satisfies FindingGroup;
