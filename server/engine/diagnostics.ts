/**
 * The catalogue: every code that the engine can report, with its severity and its sentence.
 * A code is born here and nowhere else; `rules/<code>.ts` explains it to the user.
 *
 * error = the service refuses the config, or data leaks; warning = accepted, but surely wrong or unsafe;
 * hint = style or cost.
 */
import type { Span } from './text/span.ts';

export type Severity = 'error' | 'warning' | 'hint';

interface Entry<A> {
  readonly severity: Severity;
  readonly message: (args: A) => string;
}

// biome-ignore lint/complexity/noBannedTypes: `{}` is the argument type of a message that takes none.
type NoArgs = {};

const error = <A = NoArgs>(message: (args: A) => string): Entry<NoInfer<A>> => ({
  severity: 'error',
  message,
});
const warning = <A = NoArgs>(message: (args: A) => string): Entry<NoInfer<A>> => ({
  severity: 'warning',
  message,
});
const hint = <A = NoArgs>(message: (args: A) => string): Entry<NoInfer<A>> => ({ severity: 'hint', message });

interface Near {
  /** The nearest known name, when one is near enough to be meant. */
  readonly near?: string | undefined;
}
interface Key {
  readonly key: string;
}
interface Named {
  readonly name: string;
}

const didYouMean = ({ near }: Near): string => (near === undefined ? '' : ` Did you mean \`${near}\`?`);
const counted = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;

export const catalogue = {
  // YAML
  'yaml-syntax': error<{ reason: string }>((a) => `This is not valid YAML: ${a.reason}`),
  'yaml-duplicate-key': error<Key & { line: number }>(
    (a) => `The key \`${a.key}\` is already defined in line ${a.line}.`,
  ),
  'yaml-multiple-documents': error(() => 'A config must be a single YAML document. Remove this separator.'),
  'yaml-too-deep': error<{ limit: number }>(
    (a) => `This is nested more than ${a.limit} levels deep. No config needs that.`,
  ),

  'yaml-too-long': error(() => 'This is too much YAML in one piece; the rest is not read.'),

  // The structure of a sync config
  'config-not-a-map': error(() => 'The file must contain a map with the keys `config` and `streams`.'),
  'missing-streams': error(() => 'Edition 3 needs a `streams` map.'),
  'missing-definitions': error(
    () => 'Nothing is defined here. Add `streams:` (with `config: edition: 3`) or `bucket_definitions:`.',
  ),
  'expected-map': error<Key & { instead?: string }>(
    (a) => `\`${a.key}\` must be a map of keys and values.${a.instead ? ` ${a.instead}` : ''}`,
  ),
  'expected-sequence': error<Key>((a) => `\`${a.key}\` must be a list: put each item behind a dash.`),
  'expected-scalar': error<Key>((a) => `\`${a.key}\` must be a single value.`),
  'expected-string': error<Key>((a) => `\`${a.key}\` must be text. Put it in quotes.`),
  'expected-number': error<Key>((a) => `\`${a.key}\` must be a number, without quotes.`),
  'expected-boolean': error<Key>((a) => `\`${a.key}\` must be true or false, without quotes.`),
  'unknown-key': error<Key & Near & { instead?: string | undefined }>(
    (a) => `The key \`${a.key}\` is not known here.${a.instead ? ` ${a.instead}` : didYouMean(a)}`,
  ),
  'complex-key': error(() => 'A key must be plain text here, not a list or a map.'),
  'missing-key': error<Named>((a) => `The definition \`${a.name}\` needs a \`data\` list.`),
  'query-or-queries': error<Named & { found: 'both' | 'neither' }>((a) =>
    a.found === 'both'
      ? `The stream \`${a.name}\` has both \`query\` and \`queries\`. Keep one of them.`
      : `The stream \`${a.name}\` needs a \`query\` or a list of \`queries\`.`,
  ),
  'bucket-definition-not-a-map': error<Named>(
    (a) => `The bucket definition \`${a.name}\` must be a map with \`data\` and, if needed, \`parameters\`.`,
  ),
  'bucket-definitions-in-edition-3': error(
    () => 'Edition 3 has no bucket definitions. Rewrite them as `streams`, or use `edition: 2`.',
  ),
  'streams-require-edition-2': error(() => 'Streams need an edition. Add `config:` with `edition: 3`.'),
  'alpha-streams': warning(() => 'Streams before edition 3 are an outdated preview. Use `edition: 3`.'),
  'cte-requires-edition-3': error(() => 'Common table expressions (`with`) need `edition: 3`.'),
  'queries-requires-edition-3': error(() => 'A list of `queries` needs `edition: 3`.'),
  'duplicate-definition': error<Named>(
    (a) => `The name \`${a.name}\` is used for a stream and for a bucket definition. Rename one of them.`,
  ),
  'invalid-priority': error(() => 'A priority must be 0, 1, 2 or 3. 0 is the most urgent.'),
  'schema-violation': error<Key & { reason: string }>((a) => `\`${a.key}\` ${a.reason}`),

  // Options under `config`
  'unsupported-storage-version': error<{ version: string }>(
    (a) => `Storage version ${a.version} does not exist. Use 2.`,
  ),
  'unstable-storage-version': warning<{ version: string }>(
    (a) => `Storage version ${a.version} may change at any time, and data may have to be replicated again.`,
  ),
  'unknown-time-precision': error<Near>(
    (a) => `Use seconds, milliseconds, microseconds or nanoseconds.${didYouMean(a)}`,
  ),
  'time-precision-needs-iso8601': error(
    () => '`timestamp_max_precision` has an effect only with `timestamps_iso8601: true`.',
  ),
  'sqlite-engine-needs-edition-3': error(() => 'The SQLite expression engine needs `edition: 3`.'),
  'sqlite-engine-needs-json-fix': error(
    () => 'The SQLite expression engine cannot run with `fixed_json_extract: false`.',
  ),

  // Statements and syntax
  'sql-syntax': error<{ problem: string }>((a) => a.problem),
  'not-a-select': error<{ found: string; instead?: string }>(
    (a) => `Only a single SELECT is possible here, not ${a.found}.${a.instead ? ` ${a.instead}` : ''}`,
  ),
  'multiple-statements': error(() => 'Only one statement is possible here. Make this a query of its own.'),
  'single-table-required': error(() => 'Select from exactly one table.'),
  'unsupported-join': error<{ join: string }>(
    (a) => `Sync Streams have no ${a.join}: a row is synced or it is not. Use JOIN or a second query.`,
  ),
  'join-using': error(() => 'USING is not supported. Write ON a.x = b.x.'),
  'unsupported-clause': error<{ clause: string; instead?: string }>(
    (a) =>
      `Sync queries have no ${a.clause}: they choose rows one by one.${a.instead ? ` ${a.instead}` : ''}`,
  ),
  'sql-parameter': error<{ parameter: string }>(
    (a) =>
      `Query parameters such as ${a.parameter} do not exist here. Use auth, connection or subscription functions.`,
  ),

  // Tables, names and columns
  'invalid-schema-name': error<{ schema: string }>((a) => `\`${a.schema}\` is not a schema name.`),
  'duplicate-table-name': error<Named>(
    (a) => `There is already a table named \`${a.name}\` in this query. Give this one an alias.`,
  ),
  'table-not-in-from': error<{ table: string; instead?: string } & Near>(
    (a) => `\`${a.table}\` does not appear in FROM.${a.instead ? ` ${a.instead}` : didYouMean(a)}`,
  ),
  'ambiguous-reference': error<{ column: string }>((a) => `Say which table \`${a.column}\` belongs to.`),
  'undefined-reference': error<{ reference: string; instead?: string } & Near>(
    (a) => `\`${a.reference}\` is not known here.${a.instead ? ` ${a.instead}` : didYouMean(a)}`,
  ),
  'schema-in-column-reference': error(() => 'Leave out the schema in a column reference.'),
  'identifier-lowercased': warning<Named & { folded: string }>(
    (a) => `Without quotes, \`${a.name}\` means \`${a.folded}\`.`,
  ),
  'unnamed-column': warning(() => 'Give this column a name with AS.'),
  'alias-required': error(() => 'Give this column a name with AS.'),
  'missing-id-column': error(() => 'Clients need a text column named `id`.'),
  'star-overrides-alias': warning(() => 'This * may overwrite the columns before it. Put it first.'),
  'star-not-allowed': error(() => '* cannot be used here.'),
  'multiple-output-tables': error<{ table: string }>(
    (a) => `All columns of a query must come from one table, here \`${a.table}\`. Use a second query.`,
  ),
  'output-from-function': error<Named>((a) => `Values of ${a.name}() cannot be synced.`),
  'parameter-in-output': error(() => 'Values of the request cannot be part of synced rows.'),
  'no-output-table': error(() => 'At least one column must come from a table.'),
  'aliased-output-table': warning<{ alias: string }>(
    (a) => `Clients will see this table as \`${a.alias}\`. If you mean that, write AS "${a.alias}".`,
  ),
  'table-suffix-always-empty': warning<{ table: string }>(
    (a) => `\`${a.table}\` has no wildcard, so its suffix is always empty.`,
  ),

  // Expressions and functions
  'unknown-function': error<{ name: string; instead?: string } & Near>(
    (a) => `There is no function \`${a.name}\`.${a.instead ? ` ${a.instead}` : didYouMean(a)}`,
  ),
  'nondeterministic-function': error<{ name: string }>(
    (a) => `\`${a.name}\` gives a new value on every call, so no row would stay in its bucket.`,
  ),
  'wrong-argument-count': error<{ name: string; expected: string; found: number }>(
    (a) => `${a.name}() takes ${a.expected}, not ${a.found}.`,
  ),
  'function-modifier': error(() => 'Sync queries have no aggregate and no window functions.'),
  'unknown-function-schema': error<{ schema: string; instead?: string } & Near>(
    (a) =>
      `\`${a.schema}\` is neither auth, connection, subscription nor a table of this query.${
        a.instead ? ` ${a.instead}` : didYouMean(a)
      }`,
  ),
  'unknown-request-function': error<{ schema: string; known: string; instead?: string } & Near>(
    (a) => `\`${a.schema}\` has only ${a.known}.${a.instead ? ` ${a.instead}` : didYouMean(a)}`,
  ),
  'user-id-wrong-schema': error(() => 'user_id() exists only on auth: write auth.user_id().'),
  'argument-not-request-data': error(() => 'The name of a parameter cannot depend on row data.'),
  'metadata-on-subquery': error(() => 'Row metadata exists only for real tables.'),
  'like-not-supported': error(
    () => "LIKE is not supported. For a prefix write substring(x, 1, n) = '…', for a part instr(x, '…') > 0.",
  ),
  'unsupported-operator': error<{ operator: string; instead?: string }>(
    (a) => `The operator ${a.operator} is not supported.${a.instead ? ` ${a.instead}` : ''}`,
  ),
  'unary-minus': error(() => 'Write 0 - x instead of -x.'),
  'invalid-cast': error<{ type: string } & Near>(
    (a) =>
      `There is no type \`${a.type}\` here. Cast to text, integer, real, numeric or blob.${didYouMean(a)}`,
  ),
  'constant-fails': error<{ reason: string }>((a) => `This can never be computed: ${a.reason}.`),
  'unsupported-json-path': error<{ index: string }>((a) => `Write the path '$.${a.index}' here.`),
  'unsupported-expression': error<{ what: string; instead?: string }>(
    (a) => `${a.what} is not supported here.${a.instead ? ` ${a.instead}` : ''}`,
  ),

  // Request values and filters
  'mixed-row-and-parameter': error<{ instead?: string }>(
    (a) =>
      `Row data and request data can meet only in =, IN or &&, each alone on its side.${
        a.instead ? ` ${a.instead}` : ''
      }`,
  ),
  'mixed-tables': error<{ first: string; second: string }>(
    (a) => `\`${a.first}\` and \`${a.second}\` can be compared only with =, each alone on its side.`,
  ),
  'filter-too-complex': error<{ cases: number }>(
    (a) =>
      `This condition splits into ${a.cases} cases; at most 100 are possible. Split the query at its top OR.`,
  ),
  'too-many-buckets': error<{ count: number }>(
    (a) => `This stream needs ${a.count} kinds of buckets; at most 100 are possible. Split the stream.`,
  ),
  'unresolvable-filter': error(
    () => 'This condition connects nothing to the rows that are synced, nor to the request.',
  ),
  'unrelated-filter': error(() => 'This filter has no effect on the rows.'),
  'function-partition': error(
    () => 'The elements of a request array can select the rows of one table only, by one comparison.',
  ),
  'function-inputs': error<Named>((a) => `All arguments of ${a.name}() must come from the same table.`),
  'function-chained': error<Named>((a) => `${a.name}() cannot read the result of another table function.`),
  'unauthenticated-parameter': warning<{ parameter: string }>(
    (a) =>
      `Every client can choose ${a.parameter}, so everyone can read all of these rows. Add a condition on auth, or accept it with \`accept_potentially_dangerous_queries: true\`.`,
  ),

  // CTEs and subqueries
  'subquery-position': error<{ instead?: string }>(
    (a) => `A subquery can stand only after IN, beside && or in FROM.${a.instead ? ` ${a.instead}` : ''}`,
  ),
  'subquery-single-column': error<{ columns: string }>(
    (a) => `This subquery must have exactly one column, not ${a.columns}.`,
  ),
  'cte-single-column': error<Named>((a) => `\`${a.name}\` must have exactly one column to stand here.`),
  'star-in-subquery': error(() => 'List the columns: * is not possible in a subquery.'),
  'duplicate-column': error<{ column: string }>((a) => `There is already a column \`${a.column}\`.`),
  'subquery-column-count': error<{ listed: number; columns: number }>(
    (a) => `The alias lists ${counted(a.listed, 'column')}, the subquery has ${a.columns}.`,
  ),
  'unknown-subquery-column': error<{ query: string; column: string } & Near>(
    (a) => `\`${a.query}\` has no column \`${a.column}\`.${didYouMean(a)}`,
  ),
  'unused-cte': warning<Named>((a) => `\`${a.name}\` is never used.`),

  // Legacy bucket definitions
  'parameters-wrong-type': error(() => '`parameters` must be one SQL text or a list of them.'),
  'parameters-unresolved': error(() => 'This definition has no parameter query. Remove `parameters`.'),
  'parameter-queries-differ': error<{ columns: string }>(
    (a) => `All parameter queries of a definition must have the columns ${a.columns}.`,
  ),
  'bucket-parameters-mismatch': error<{ expected: string; missing: string; unknown: string }>(
    (a) =>
      `This query must use exactly ${a.expected}.${a.missing ? ` Missing: ${a.missing}.` : ''}${
        a.unknown ? ` Unknown: ${a.unknown}.` : ''
      }`,
  ),
  'parameter-in-expression': error<{ parameter: string }>(
    (a) => `${a.parameter} can be compared only with = or IN. Move the expression to the parameter query.`,
  ),
  'parameter-right-of-in': error<{ parameter: string }>((a) => `${a.parameter} must be on the left of IN.`),
  'parameters-on-both-sides': error(() => 'Compare a bucket parameter with a column, not with another one.'),
  'match-not-allowed': error<{ place: 'value' | 'synced column' | 'parameter' | 'no rows' }>((a) => {
    switch (a.place) {
      case 'value':
        return 'This comparison with a parameter is no value: it can only be AND-ed and OR-ed.';
      case 'synced column':
        return 'Only values of the row can be here.';
      case 'parameter':
        return 'A bucket parameter must be a plain column, a value of the request or a literal.';
      case 'no rows':
        return 'AND and OR of constants are a condition on rows, and there are no rows here.';
    }
  }),
  'or-parameters-mismatch': error(
    () => 'An OR can join only conditions on the same parameters. Make two queries of it.',
  ),
  'multiple-in-expressions': error(() => 'Only one `parameter IN column` is possible in a query.'),
  'multiple-array-parameters': error(() => 'Only one `column IN array of the request` is possible.'),
  'request-function-in-data-query': error(
    () => 'Request functions work only in parameter queries. Compare with a bucket parameter.',
  ),
  'alias-in-parameter-query': error(() => 'A table of a parameter query cannot have an alias. Use its name.'),
  'subquery-in-from': error(() => 'Subqueries are not possible here.'),
  'unknown-table-function': error<{ name: string } & Near>(
    (a) => `There is no table function \`${a.name}\`; json_each is the only one.`,
  ),
  'priority-not-literal': error(() => '_priority must be one of the numbers 0, 1, 2 and 3.'),
  'priority-set-twice': error(() => 'Set the priority in one place: `priority` or `_priority`.'),
  'internal-error': error<{ what: string }>((a) => a.what),

  // Streams of edition 2
  'negated-match': error(() => 'A comparison with the request cannot be negated.'),
  'or-in-subquery': error(() => 'A subquery of edition 2 can use only AND. Use `edition: 3`.'),
  'subquery-condition': error(() => 'This condition is not possible in a subquery of edition 2.'),
  'static-left-of-subquery': error(() => 'The left side must be a column or a request value.'),
  'overlap-left-not-row': error(() => 'Put the column on the left of && and the subquery on the right.'),
  'subquery-without-parameter': error(
    () => 'A subquery of edition 2 must depend on the request. Use `edition: 3`.',
  ),
  'default-stream-with-subscription-parameter': warning(
    () => 'An automatic subscription has no parameters, so subscription values are NULL here.',
  ),

  // Events
  'event-not-a-map': error<Named>((a) => `The event \`${a.name}\` must be a map with \`payloads\`.`),
  'event-payloads-not-a-list': error(() => '`payloads` must be a list of SQL texts.'),
  'event-payload-not-a-string': error(() => 'Each payload must be an SQL text.'),

  // With a known source schema
  'unknown-schema': warning<{ schema: string } & Near>(
    (a) => `There is no schema \`${a.schema}\` in the source.${didYouMean(a)}`,
  ),
  'unknown-table': warning<{ table: string } & Near>(
    (a) => `There is no table \`${a.table}\` in the source.${didYouMean(a)}`,
  ),
  'unknown-column': warning<{ table: string; column: string } & Near>(
    (a) => `\`${a.table}\` has no column \`${a.column}\`.${didYouMean(a)}`,
  ),
  'cte-shadows-table': warning<Named>((a) => `The CTE \`${a.name}\` hides the table \`${a.name}\`.`),
  'type-mismatch': warning<{
    left: string;
    right: string;
    result: 'never true' | 'always true' | 'order';
    instead?: string;
  }>(
    (a) =>
      `${
        a.result === 'order'
          ? `A ${a.left} and a ${a.right} are not compared by their values here.`
          : `A ${a.left} never equals a ${a.right} here, so this is ${a.result}.`
      } ${a.instead ?? 'Cast one of them.'}`,
  ),
  'blob-output': warning<{ columns: readonly string[] }>(
    (a) =>
      `Clients do not get ${a.columns.map((name) => `\`${name}\``).join(', ')}: it is binary. Sync base64(…) of it instead.`,
  ),

  // What a service accepts in silence
  'ignored-statement': warning(() => 'Everything after the first `;` is ignored.'),
  'ignored-arguments': warning<{ name: string }>(
    (a) => `${a.name}() takes no arguments; what stands here is ignored.`,
  ),
  'ignored-distinct': hint(() => 'DISTINCT has no effect: a row is synced once per bucket.'),
  'no-output-columns': warning<{ missing: 'columns' | 'queries' }>(
    (a) => `This syncs nothing: there are no ${a.missing}.`,
  ),
  'missing-id': warning<{ table?: string }>((a) =>
    a.table === undefined
      ? 'Clients need a text column named `id`; without it all rows collapse into one.'
      : `The table \`${a.table}\` has no column \`id\`; without it all rows collapse into one. Add its key: \`… AS id\`.`,
  ),
  'id-not-text': hint<{ type: string }>(
    (a) => `\`id\` is of type ${a.type}; clients see it as text. Cast it where you compare it.`,
  ),
  'unknown-function-column': error<{ name: string; column: string } & Near>(
    (a) => `${a.name}() has no column \`${a.column}\`, only key and value.${didYouMean(a)}`,
  ),
  'operator-not-evaluable': error<{ operator: string }>(
    (a) =>
      `The service cannot evaluate ${a.operator}: every row would fail. It needs \`unstable_sqlite_expression_engine: true\`.`,
  ),
  'function-not-evaluable': error<{ name: string }>(
    (a) => `${a.name}() does not exist in the SQLite expression engine.`,
  ),
  'in-single-value': error<{ value: string; list?: string }>(
    (a) => `IN needs a list here. Write IN ${a.list ?? `ARRAY[${a.value}]`}, or = ${a.value}.`,
  ),
  'negated-in-expansion': warning(
    () =>
      'Inside NOT or a larger expression the service tests IN for each element alone: NOT (x IN y) is nearly always true. Write x NOT IN y.',
  ),
  'negated-subquery': error(
    () =>
      'Inside NOT or a larger expression the service tests each row of this subquery alone, so NOT IN is true as soon as one row differs. Store the fact in a column instead.',
  ),
  'cte-in-cte': error<Named>(
    (a) => `A CTE cannot use another one: the service would look for a table named \`${a.name}\`.`,
  ),
  'unused-join': warning<{ table: string }>(
    (a) => `No condition uses \`${a.table}\`, so it has no effect. Remove it.`,
  ),
  'filter-on-null': warning<{ passes: boolean; instead?: string }>(
    (a) =>
      `A comparison with NULL is ${a.passes ? 'always true here' : 'never true'}.${a.instead ? ` Write ${a.instead}.` : ''}`,
  ),
  'not-equal-null': hint<{ column: string }>((a) => `Rows whose \`${a.column}\` is NULL pass this, too.`),
  'dotted-key': hint<{ path: string }>(
    (a) => `This is one key with a dot in it. A path is written '${a.path}'.`,
  ),
  'is-true-number': hint(() => 'IS TRUE is true only for 1, and for no other number.'),
  'constant-condition': hint<{ value: 'true' | 'false'; other?: string }>((a) => {
    if (a.value === 'true')
      return a.other ? `This or \`${a.other}\` is always true.` : 'This condition is always true.';
    return a.other
      ? `This is never true together with \`${a.other}\`.`
      : 'This condition is never true: no client gets rows by it.';
  }),
  'connection-tag-ignored': error<{ tag: string }>(
    (a) => `Edition 3 ignores the connection tag \`${a.tag}\` and reads the default connection.`,
  ),
  'same-parameter-twice': error<{ parameter: string }>(
    (a) =>
      `Two conditions on ${a.parameter} in one query: the service enforces only the first, so rows leak. Use two parameters.`,
  ),
  'star-subquery': error(
    () => 'IN (SELECT *) makes the service drop this condition and sync all rows. Name the column.',
  ),
  'wildcard-filter': error(
    () => 'A wildcard table with a filter never matches in edition 2. Use `edition: 3`.',
  ),
  'event-where-ignored': warning(() => 'WHERE has no effect here: every row of the table matches.'),
  'priority-ignored': warning(() => 'This priority has no effect here; buckets get priority 3.'),
  'large-bucket-key': hint<{ column: string }>(
    (a) => `\`${a.column}\` has very many values, and each makes a bucket of its own.`,
  ),

  // Advice that no service gives
  'reads-rows-of-others': warning<{ column: string; stream?: string }>((a) =>
    a.stream === undefined
      ? `Everyone gets these rows, though their \`${a.column}\` says whose they are.`
      : `Everyone gets these rows, though \`${a.stream}\` gives them only to the user in \`${a.column}\`.`,
  ),
  'many-buckets': hint<{ factors: readonly string[] }>(
    (a) =>
      `One client gets a bucket for each combination of ${a.factors.join(' and ')}. More than 1,000 buckets are refused.`,
  ),
  'unused-ignore': hint<{ code: string; why: 'unused' | 'unknown' | 'error' } & Near>((a) => {
    if (a.why === 'unknown') return `There is no code \`${a.code}\`.${didYouMean(a)}`;
    return a.why === 'error'
      ? `\`${a.code}\` is an error: a service would refuse the config, so it cannot be ignored.`
      : `Nothing here reports \`${a.code}\`. Remove this comment.`;
  }),

  // The structure of a service config
  'service-unknown-key': warning<Key & Near>(
    (a) => `Services ignore \`${a.key}\`: there is no such key here.${didYouMean(a)}`,
  ),
  'service-missing-key': error<{ parent: string; keys: string }>((a) => `${a.parent} needs ${a.keys}.`),
  'service-missing-value': error<Key & { expected: string }>(
    (a) => `\`${a.key}\` has no value: write ${a.expected} behind it, or remove it.`,
  ),
  'service-wrong-type': error<Key & { expected: string }>((a) => `\`${a.key}\` must be ${a.expected}.`),
  'service-unknown-value': error<Key & { known: string } & Near>(
    (a) => `\`${a.key}\` must be ${a.known}.${didYouMean(a)}`,
  ),
  'service-out-of-range': error<Key & { range: string }>((a) => `\`${a.key}\` must be ${a.range}.`),
  'service-deprecated-key': hint<Key & { advice: string }>((a) => `\`${a.key}\` is out of date. ${a.advice}`),
  'service-ignored-key': warning<Key & { advice: string }>(
    (a) => `\`${a.key}\` belongs to older releases. ${a.advice}`,
  ),
  'service-cloud': hint(
    () =>
      'This file configures a hosted instance. Only its YAML is checked; the rest is for self-hosted services.',
  ),

  // Values from the environment
  'env-not-a-scalar': error(() => '`!env` needs the name of a variable behind it, as in `!env PS_NAME`.'),
  'env-without-prefix': error<Named>(
    (a) => `Services read only variables whose names start with PS_. Rename it to PS_${a.name}.`,
  ),
  'env-unknown-suffix': error<{ suffix: string } & Near>(
    (a) => `There is no \`::${a.suffix}\`, only ::string, ::number and ::boolean.${didYouMean(a)}`,
  ),
  'env-wrong-type': error<Key & { expected: string; instead?: string | undefined }>(
    (a) =>
      `\`${a.key}\` must be ${a.expected}.${a.instead === undefined ? '' : ` Write \`!env ${a.instead}\`.`}`,
  ),
  'service-unknown-alias': error<Named>(
    (a) => `No value above has the anchor \`&${a.name}\`, so this stands for nothing.`,
  ),
  'unknown-tag': warning<{ tag: string } & Near>(
    (a) => `Services ignore the tag \`${a.tag}\`, so this is plain text.${didYouMean(a)}`,
  ),

  // What a service config means
  'service-several-connections': error(() => 'Only one source database is possible. Remove this one.'),
  'service-not-embedded': warning<Key & { type: string }>(
    (a) =>
      `The embedded service does not start with \`${a.key}\` of type ${a.type}; other services do.${a.key === 'storage' ? ' For it, write two lines instead: `storage:` and, below, `type: embedded`.' : ''}`,
  ),
  'service-embedded-only': hint(() => 'Only the embedded service runs this; others refuse to start.'),
  'service-missing-storage': warning(
    () =>
      'Without `storage` only the embedded service starts. Add it, as in `storage: { type: postgresql, … }`.',
  ),
  'service-invalid-uri': error<Key & { form: string }>(
    (a) => `\`${a.key}\` must be a URI such as ${a.form}.`,
  ),
  'service-ignored-sslmode': warning<{ mode: string }>(
    (a) => `Services ignore \`sslmode\` in a URI. Write \`sslmode: ${a.mode}\` as a key beside \`uri\`.`,
  ),
  'service-incomplete-connection': error<{ missing: string }>(
    (a) => `This connection has no ${a.missing}. Add it to \`uri\`, or as a key of its own.`,
  ),
  'service-missing-cacert': error(
    () => '`sslmode: verify-ca` needs `cacert`: the certificate authority to trust, as PEM text.',
  ),
  'service-cacert-unused': error(
    () => 'With `trustServerCertificate: true` no certificate is checked. Remove it, or `cacert`.',
  ),
  'service-literal-secret': warning<{ variable: string }>(
    (a) =>
      `A secret stands in this file. Put it into an environment variable and write \`!env ${a.variable}\`.`,
  ),
  'service-sync-config-twice': error(
    () => '`sync_rules` is only the older name of `sync_config`. Keep one of them.',
  ),
  'service-path-and-content': warning(
    () => '`content` has no effect, because there is a `path`. Keep one of them.',
  ),
  'service-no-sync-config': hint<{ tokens: boolean }>(
    (a) =>
      `With neither \`path\` nor \`content\`, the sync config is deployed through the API.${
        a.tokens ? '' : ' That needs a token in `api.tokens`.'
      }`,
  ),
  'service-file-not-found': warning<{ path: string }>(
    (a) => `There is no file \`${a.path}\`, seen from the folder of this one.`,
  ),
  'service-deploy-refused': hint(
    () =>
      'The API refuses to deploy (SVC_S4105) as long as this file says what the sync config is: change it here and restart.',
  ),
  'service-no-probes': warning(
    () => 'All probes are off, so health checks get 404. Set `use_http: true`, or leave out `probes`.',
  ),
  'service-no-client-keys': warning(
    () => 'Without a key every token is rejected. Add `jwks_uri` or `jwks`, or use `supabase`.',
  ),
  'service-no-audience': warning(
    () => 'Without an accepted audience every token is rejected (SVC_S2105). List the `aud` of your tokens.',
  ),
  'service-supabase-off': warning(() => '`supabase_jwt_secret` has an effect only with `supabase: true`.'),
  'service-secret-not-base64url': warning(
    () => '`k` is base64url: letters, digits, `-` and `_`. Encode a plain-text secret first.',
  ),
  'service-private-key': warning<Key>(
    (a) =>
      `\`${a.key}\` is the private half of the key, which no service needs. Remove it, and replace the key.`,
  ),
} satisfies Record<string, Entry<never>>;

export type Code = keyof typeof catalogue;
export type Args<C extends Code> = Parameters<(typeof catalogue)[C]['message']>[0];

/** Something to say about a place. Sentences are made at the edge, by {@link messageOf}. */
export interface Finding {
  readonly code: Code;
  /** Whose offsets these are depends on the stage; in an `Analysis` they count in the file. */
  readonly span: Span;
  readonly args: object;
  /** A second place that belongs to it, such as the first of two equal keys. */
  readonly related?: { readonly span: Span; readonly message: string };
}

/** How a stage says something: the arguments are those of the code's sentence. */
export type Report<At = Span> = <C extends Code>(code: C, at: At, args: Args<C>) => void;

export function severityOf(code: Code): Severity {
  return catalogue[code].severity;
}

export function messageOf(finding: Finding): string {
  return (catalogue[finding.code].message as (args: object) => string)(finding.args);
}
