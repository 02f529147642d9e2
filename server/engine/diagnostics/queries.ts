/** Problems of SQL. */
import { countOf, didYouMean, error, type FindingGroup, type NearName, warning } from './entry.ts';

export const statementFindings = {
  'sql-syntax': error<{ problem: string }>('The SQL cannot be read', (a) => a.problem),
  'not-a-select': error<{ found: string; instead?: string }>(
    'Not a single SELECT',
    (a) => `Only a single SELECT is possible here, not ${a.found}.${a.instead ? ` ${a.instead}` : ''}`,
  ),
  'multiple-statements': error(
    'Several statements in one text',
    () => 'Only one statement is possible here. Make this a separate query.',
  ),
  'single-table-required': error('Not exactly one table', () => 'Select from exactly one table.'),
  'unsupported-join': error<{ join: string }>(
    'LEFT, RIGHT, FULL and CROSS JOIN',
    (a) => `Sync Streams have no ${a.join}: a row is synced or it is not. Use JOIN or a second query.`,
  ),
  'join-using': error('JOIN with USING', () => 'USING is not supported. Write ON a.x = b.x.'),
  'unsupported-clause': error<{ clause: string; instead?: string }>(
    'LIMIT, ORDER BY, GROUP BY and similar clauses',
    (a) =>
      `Sync queries have no ${a.clause}: they choose rows one by one.${a.instead ? ` ${a.instead}` : ''}`,
  ),
  'sql-parameter': error<{ parameter: string }>(
    'Query parameters such as $1',
    (a) =>
      `Query parameters such as ${a.parameter} do not exist here. Use auth, connection or subscription functions.`,
  ),
} satisfies FindingGroup;

export const columnFindings = {
  'invalid-schema-name': error<{ schema: string }>(
    'A schema name with dots',
    (a) => `\`${a.schema}\` is not a schema name.`,
  ),
  'duplicate-table-name': error<{ name: string }>(
    'Two tables of one name',
    (a) => `There is already a table named \`${a.name}\` in this query. Give this one an alias.`,
  ),
  'table-not-in-from': error<{ table: string; instead?: string } & NearName>(
    'A table that is not in FROM',
    (a) => `\`${a.table}\` does not appear in FROM.${a.instead ? ` ${a.instead}` : didYouMean(a)}`,
  ),
  /** Without a column: of a query that reads no table. */
  'ambiguous-reference': error<{ column?: string }>('A column of which table?', (a) =>
    a.column === undefined
      ? 'This query reads no table. Write FROM and the name of a table.'
      : `Say which table \`${a.column}\` belongs to.`,
  ),
  'undefined-reference': error<{ reference: string; instead?: string } & NearName>(
    'A name that is not known',
    (a) => `\`${a.reference}\` is not known here.${a.instead ? ` ${a.instead}` : didYouMean(a)}`,
  ),
  'schema-in-column-reference': error(
    'A schema before a column',
    () => 'Leave out the schema in a column reference.',
  ),
  'identifier-lowercased': warning<{ name: string } & { folded: string }>(
    'Capital letters without quotes',
    (a) => `Without quotes, \`${a.name}\` means \`${a.folded}\`.`,
  ),
  'unnamed-column': warning('An expression without a name', () => 'Give this column a name with AS.'),
  'alias-required': error('A column that needs a name', () => 'Give this column a name with AS.'),
  'missing-id-column': error('No column id', () => 'Clients need a text column named `id`.'),
  'star-overrides-alias': warning(
    'A star after named columns',
    () => 'This * may overwrite the columns before it. Put it first.',
  ),
  'star-not-allowed': error('A star as a value', () => '* cannot be used here.'),
  'multiple-output-tables': error<{ table: string }>(
    'Columns of two tables',
    (a) => `All columns of a query must come from one table, here \`${a.table}\`. Use a second query.`,
  ),
  'output-from-function': error<{ name: string }>(
    'Values of a table function as output',
    (a) => `Values of ${a.name}() cannot be synced.`,
  ),
  'parameter-in-output': error(
    'Values of the request as output',
    () => 'Values of the request cannot be part of synced rows.',
  ),
  'no-output-table': error('No column of a table', () => 'At least one column must come from a table.'),
  'aliased-output-table': warning<{ alias: string }>(
    'An alias that renames the table',
    (a) => `Clients will see this table as \`${a.alias}\`. If you mean that, write AS "${a.alias}".`,
  ),
  'table-suffix-always-empty': warning<{ table: string }>(
    'The suffix of a table without wildcard',
    (a) => `\`${a.table}\` has no wildcard, so its suffix is always empty.`,
  ),
} satisfies FindingGroup;

export const expressionFindings = {
  'unknown-function': error<{ name: string; instead?: string } & NearName>(
    'A function that does not exist',
    (a) => `There is no function \`${a.name}\`.${a.instead ? ` ${a.instead}` : didYouMean(a)}`,
  ),
  'nondeterministic-function': error<{ name: string }>(
    'A function that is never the same twice',
    (a) => `\`${a.name}\` gives a new value on every call, so no row would stay in its bucket.`,
  ),
  'wrong-argument-count': error<{ name: string; expected: string; found: number }>(
    'Too few or too many arguments',
    (a) => `${a.name}() takes ${a.expected}, not ${a.found}.`,
  ),
  'function-modifier': error(
    'Aggregates and window functions',
    () => 'Sync queries have no aggregate and no window functions.',
  ),
  'unknown-function-schema': error<{ schema: string; instead?: string } & NearName>(
    'An unknown word before a function',
    (a) =>
      `\`${a.schema}\` is neither auth, connection, subscription nor a table of this query.${
        a.instead ? ` ${a.instead}` : didYouMean(a)
      }`,
  ),
  'unknown-request-function': error<{ schema: string; known: string; instead?: string } & NearName>(
    'An unknown request function',
    (a) => `\`${a.schema}\` has only ${a.known}.${a.instead ? ` ${a.instead}` : didYouMean(a)}`,
  ),
  'user-id-wrong-schema': error(
    'user_id() of something else than auth',
    () => 'user_id() exists only on auth: write auth.user_id().',
  ),
  'argument-not-request-data': error(
    "A parameter's name that depends on a row",
    () => 'The name of a parameter cannot depend on row data.',
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
    'An operator that does not exist',
    (a) => `The operator ${a.operator} is not supported.${a.instead ? ` ${a.instead}` : ''}`,
  ),
  'unary-minus': error('A minus before an expression', () => 'Write 0 - x instead of -x.'),
  'invalid-cast': error<{ type: string } & NearName>(
    'A cast to an unknown type',
    (a) =>
      `There is no type \`${a.type}\` here. Cast to text, integer, real, numeric or blob.${didYouMean(a)}`,
  ),
  'constant-fails': error<{ reason: string }>(
    'A constant that cannot be computed',
    (a) => `This can never be computed: ${a.reason}.`,
  ),
  'unsupported-json-path': error<{ index: string }>(
    'A number after -> before edition 3',
    (a) => `Write the path '$.${a.index}' here.`,
  ),
  'unsupported-expression': error<{ what: string; instead?: string }>(
    'A form that does not exist here',
    (a) => `${a.what} is not supported here.${a.instead ? ` ${a.instead}` : ''}`,
  ),
} satisfies FindingGroup;

export const filterFindings = {
  'mixed-row-and-parameter': error<{ instead?: string }>(
    'Row and request in one expression',
    (a) =>
      `Row data and request data can meet only in =, IN or &&, each alone on its side.${
        a.instead ? ` ${a.instead}` : ''
      }`,
  ),
  'mixed-tables': error<{ first: string; second: string }>(
    'Two tables in one expression',
    (a) => `\`${a.first}\` and \`${a.second}\` can be compared only with =, each alone on its side.`,
  ),
  'filter-too-complex': error<{ cases: number }>(
    'A condition of too many cases',
    (a) =>
      `This condition splits into ${a.cases} cases; at most 100 are possible. Split the query at its top OR.`,
  ),
  'too-many-buckets': error<{ count: number }>(
    'A stream of too many kinds of buckets',
    (a) => `This stream needs ${a.count} kinds of buckets; at most 100 are possible. Split the stream.`,
  ),
  'unresolvable-filter': error(
    'A condition that connects nothing',
    () => 'This condition connects nothing to the rows that are synced, nor to the request.',
  ),
  'unrelated-filter': error('A filter without effect', () => 'This filter has no effect on the rows.'),
  'function-partition': error(
    'Elements of the request used twice',
    () => 'The elements of a request array can select the rows of one table only, by one comparison.',
  ),
  'function-inputs': error<{ name: string }>(
    'Arguments from several places',
    (a) => `All arguments of ${a.name}() must come from the same table.`,
  ),
  'function-chained': error<{ name: string }>(
    'A table function of a table function',
    (a) => `${a.name}() cannot read the result of another table function.`,
  ),
  'unauthenticated-parameter': warning<{ parameter: string }>(
    'A value that every client can choose',
    (a) =>
      `Every client can choose ${a.parameter}, and no value of auth decides which of these rows it gets. Compare one with the rows, or accept it with \`accept_potentially_dangerous_queries: true\`.`,
  ),
} satisfies FindingGroup;

export const subqueryFindings = {
  'subquery-position': error<{ instead?: string }>(
    'A subquery in the wrong place',
    (a) => `A subquery is allowed only after IN, next to && or in FROM.${a.instead ? ` ${a.instead}` : ''}`,
  ),
  'subquery-single-column': error<{ columns: string }>(
    'A subquery that needs exactly one column',
    (a) => `This subquery must have exactly one column, not ${a.columns}.`,
  ),
  'cte-single-column': error<{ name: string }>(
    'A CTE that needs exactly one column',
    (a) => `\`${a.name}\` must have exactly one column to be used here.`,
  ),
  'star-in-subquery': error(
    'A star in a subquery or CTE',
    () => 'List the columns: * is not possible in a subquery.',
  ),
  'duplicate-column': error<{ column: string }>(
    'Two columns of one name',
    (a) => `There is already a column \`${a.column}\`.`,
  ),
  'subquery-column-count': error<{ listed: number; columns: number }>(
    'Too few or too many names for the columns',
    (a) => `The alias lists ${countOf(a.listed, 'column')}, the subquery has ${a.columns}.`,
  ),
  'unknown-subquery-column': error<{ query: string; column: string } & NearName>(
    'A column that the subquery does not have',
    (a) => `\`${a.query}\` has no column \`${a.column}\`.${didYouMean(a)}`,
  ),
  'unused-cte': warning<{ name: string }>('A CTE that nothing uses', (a) => `\`${a.name}\` is never used.`),
} satisfies FindingGroup;
