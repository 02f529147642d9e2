/** Every function that queries can call. Compilers, hovers and completion use the same table. */

type ResultType = 'text' | 'integer' | 'real' | 'blob' | 'json' | 'any';

/** The result if one of the arguments is NULL. */
export type OnNull = 'null' | 'empty text' | 'zero' | 'a value';

export interface SqlFunction {
  /** The name in lower case. */
  readonly name: string;
  /**
   * The minimum number of arguments. It is checked only in edition 3. Before that, missing arguments count as missing values, and
   * extra ones as absent.
   */
  readonly min: number;
  readonly max: number;
  readonly result: ResultType;
  readonly onNull: OnNull;
  readonly signature: string;
  readonly doc: string;
  readonly example: string;
  /** Present if the function exists only in streams, or only before edition 3. */
  readonly only?: 'streams' | 'before 3';
  /** Present if the SQLite expression engine does not have the function. */
  readonly notInSqlite?: true;
}

const many = Number.POSITIVE_INFINITY;

const rows: readonly SqlFunction[] = [
  {
    name: 'upper',
    min: 1,
    max: 1,
    result: 'text',
    onNull: 'null',
    signature: 'upper(x)',
    doc: 'The text in upper case, for all of Unicode.',
    example: "upper('straße') = 'STRASSE'",
  },
  {
    name: 'lower',
    min: 1,
    max: 1,
    result: 'text',
    onNull: 'null',
    signature: 'lower(x)',
    doc: 'The text in lower case, for all of Unicode.',
    example: "lower('Boat') = 'boat'",
  },
  {
    name: 'length',
    min: 1,
    max: 1,
    result: 'integer',
    onNull: 'null',
    signature: 'length(x)',
    doc: 'The number of UTF-16 units in the text, or of bytes in the blob. An emoji counts as 2.',
    example: "length('boat') = 4",
  },
  {
    name: 'substring',
    min: 2,
    max: 3,
    result: 'text',
    onNull: 'null',
    signature: 'substring(x, start [, length])',
    doc: 'A part of the text. The first character is number 1; a negative start counts from the end.',
    example: "substring('harbour', 1, 4) = 'harb'",
  },
  {
    name: 'instr',
    min: 2,
    max: 2,
    result: 'integer',
    onNull: 'null',
    signature: 'instr(x, part)',
    doc: 'The position of the part in the text, counted from 1; 0 if the text does not contain it.',
    example: "instr('harbour', 'bo') = 4",
  },
  {
    name: 'hex',
    min: 1,
    max: 1,
    result: 'text',
    onNull: 'empty text',
    signature: 'hex(x)',
    doc: 'The bytes as hexadecimal digits in upper case. Text is read as UTF-8.',
    example: "hex('ab') = '6162'",
  },
  {
    name: 'base64',
    min: 1,
    max: 1,
    result: 'text',
    onNull: 'empty text',
    signature: 'base64(x)',
    doc: 'The bytes in base64 with padding. Text is read as UTF-8.',
    example: "base64('ab') = 'YWI='",
    notInSqlite: true,
  },
  {
    name: 'typeof',
    min: 1,
    max: 1,
    result: 'text',
    onNull: 'a value',
    signature: 'typeof(x)',
    doc: 'The type of the value: null, integer, real, text or blob.',
    example: "typeof(1.5) = 'real'",
  },
  {
    name: 'ifnull',
    min: 2,
    max: many,
    result: 'any',
    onNull: 'a value',
    signature: 'ifnull(x, otherwise)',
    doc: 'x, or the second value if x is NULL. Further arguments are ignored.',
    example: "ifnull(nickname, 'nobody')",
  },
  {
    name: 'iif',
    min: 3,
    max: 3,
    result: 'any',
    onNull: 'a value',
    signature: 'iif(condition, then, otherwise)',
    doc: 'The second value if the condition is true, otherwise the third.',
    example: "iif(archived, 'old', 'new')",
  },
  {
    name: 'json_extract',
    min: 2,
    max: many,
    result: 'any',
    onNull: 'null',
    signature: "json_extract(json, '$.path')",
    doc: 'The value at a path, whose first character must be $. Objects and arrays come as JSON text.',
    example: "json_extract(settings, '$.units.length')",
  },
  {
    name: 'json_array_length',
    min: 1,
    max: 2,
    result: 'integer',
    onNull: 'null',
    signature: "json_array_length(json [, '$.path'])",
    doc: 'The number of elements in the array; 0 if it is not an array, NULL if the path is missing.',
    example: "json_array_length('[1, 2]') = 2",
  },
  {
    name: 'json_keys',
    min: 1,
    max: 1,
    result: 'json',
    onNull: 'null',
    signature: 'json_keys(json)',
    doc: 'The keys of an object as a JSON array. Arrays and scalars make the row fail.',
    example: 'json_keys(\'{"a": 1}\') = \'["a"]\'',
    notInSqlite: true,
  },
  {
    name: 'json_valid',
    min: 1,
    max: 1,
    result: 'integer',
    onNull: 'zero',
    signature: 'json_valid(json)',
    doc: '1 if the text is JSON, otherwise 0.',
    example: "json_valid('[1]') = 1",
    only: 'before 3',
  },
  {
    name: 'unixepoch',
    min: 1,
    max: many,
    result: 'integer',
    onNull: 'null',
    signature: "unixepoch(time [, 'unixepoch'] [, 'subsec'])",
    doc: "Seconds since 1970; with 'subsec' a REAL with milliseconds. The current time is not available.",
    example: "unixepoch('2024-01-01') = 1704067200",
  },
  {
    name: 'datetime',
    min: 1,
    max: many,
    result: 'text',
    onNull: 'null',
    signature: "datetime(time [, 'unixepoch'] [, 'subsec'])",
    doc: "The time in UTC as YYYY-MM-DD HH:MM:SS; with 'subsec' also milliseconds. A number is read as a Julian day.",
    example: "datetime(0, 'unixepoch') = '1970-01-01 00:00:00'",
  },
  {
    name: 'uuid_blob',
    min: 1,
    max: 1,
    result: 'blob',
    onNull: 'null',
    signature: 'uuid_blob(uuid)',
    doc: 'The 16 bytes of a UUID that is written with dashes. Other text makes the row fail.',
    example: "hex(uuid_blob('018f4e5a-0000-7000-8000-000000000000'))",
    notInSqlite: true,
  },
  {
    name: 'st_x',
    min: 1,
    max: 1,
    result: 'real',
    onNull: 'null',
    signature: 'st_x(geometry)',
    doc: 'The first coordinate of a point, e.g. its longitude; NULL for other geometry.',
    example: 'st_x(position)',
  },
  {
    name: 'st_y',
    min: 1,
    max: 1,
    result: 'real',
    onNull: 'null',
    signature: 'st_y(geometry)',
    doc: 'The second coordinate of a point, e.g. its latitude; NULL for other geometry.',
    example: 'st_y(position)',
  },
  {
    name: 'st_astext',
    min: 1,
    max: 1,
    result: 'text',
    onNull: 'null',
    signature: 'st_astext(geometry)',
    doc: 'The geometry as well-known text.',
    example: "st_astext(position) = 'POINT(1 2)'",
  },
  {
    name: 'st_asgeojson',
    min: 1,
    max: 1,
    result: 'json',
    onNull: 'null',
    signature: 'st_asgeojson(geometry)',
    doc: 'The geometry as GeoJSON.',
    example: 'st_asgeojson(position)',
  },
];

export const functions: ReadonlyMap<string, SqlFunction> = new Map(rows.map((row) => [row.name, row]));

/** Functions that exist in SQL but return a new value at every call. They are rejected by name. */
export const nondeterministicFunctions: ReadonlySet<string> = new Set(['random']);

/** The place where a function with a schema is allowed. */
type RequestScope = 'streams' | 'parameter query';

export interface RequestFunction {
  readonly schema: string;
  readonly name: string;
  readonly scope: RequestScope;
  readonly min: number;
  readonly max: number;
  readonly result: ResultType;
  /** Whether the client can choose the value, so that it does not identify the user. */
  readonly clientControlled: boolean;
  readonly signature: string;
  readonly doc: string;
  readonly example: string;
}

export const requestFunctions: readonly RequestFunction[] = [
  {
    schema: 'auth',
    name: 'user_id',
    scope: 'streams',
    min: 0,
    max: 0,
    result: 'text',
    clientControlled: false,
    signature: 'auth.user_id()',
    doc: 'The id of the signed-in user: claim `sub` of the token.',
    example: 'WHERE owner_id = auth.user_id()',
  },
  {
    schema: 'auth',
    name: 'parameters',
    scope: 'streams',
    min: 0,
    max: 0,
    result: 'json',
    clientControlled: false,
    signature: 'auth.parameters()',
    doc: 'All claims of the token, as JSON text.',
    example: "WHERE org_id = auth.parameters() ->> 'org_id'",
  },
  {
    schema: 'auth',
    name: 'parameter',
    scope: 'streams',
    min: 1,
    max: 1,
    result: 'any',
    clientControlled: false,
    signature: "auth.parameter('claim')",
    doc: 'One claim of the token.',
    example: "WHERE org_id = auth.parameter('org_id')",
  },
  {
    schema: 'connection',
    name: 'parameters',
    scope: 'streams',
    min: 0,
    max: 0,
    result: 'json',
    clientControlled: true,
    signature: 'connection.parameters()',
    doc: 'All values that the client sent when it connected, as JSON text. The client chooses them freely.',
    example: "WHERE region = connection.parameters() ->> 'region'",
  },
  {
    schema: 'connection',
    name: 'parameter',
    scope: 'streams',
    min: 1,
    max: 1,
    result: 'any',
    clientControlled: true,
    signature: "connection.parameter('name')",
    doc: 'One value that the client sent when it connected. The client chooses it freely.',
    example: "WHERE region = connection.parameter('region')",
  },
  {
    schema: 'subscription',
    name: 'parameters',
    scope: 'streams',
    min: 0,
    max: 0,
    result: 'json',
    clientControlled: true,
    signature: 'subscription.parameters()',
    doc: 'All values that the client sent with its subscription to the stream, as JSON text. The client chooses them freely.',
    example: "WHERE list_id = subscription.parameters() ->> 'list'",
  },
  {
    schema: 'subscription',
    name: 'parameter',
    scope: 'streams',
    min: 1,
    max: 1,
    result: 'any',
    clientControlled: true,
    signature: "subscription.parameter('name')",
    doc: 'One value of the subscription to the stream. The client chooses it freely.',
    example: "WHERE list_id = subscription.parameter('list')",
  },
  {
    schema: 'request',
    name: 'user_id',
    scope: 'parameter query',
    min: 0,
    max: 0,
    result: 'text',
    clientControlled: false,
    signature: 'request.user_id()',
    doc: 'The id of the signed-in user: claim `sub` of the token.',
    example: 'SELECT request.user_id() AS user_id',
  },
  {
    schema: 'request',
    name: 'jwt',
    scope: 'parameter query',
    min: 0,
    max: 0,
    result: 'json',
    clientControlled: false,
    signature: 'request.jwt()',
    doc: 'All claims of the token, as JSON text.',
    example: "SELECT request.jwt() ->> 'org_id' AS org_id",
  },
  {
    schema: 'request',
    name: 'parameters',
    scope: 'parameter query',
    min: 0,
    max: 0,
    result: 'json',
    clientControlled: true,
    signature: 'request.parameters()',
    doc: 'All values that the client sent when it connected, as JSON text. The client chooses them freely.',
    example: "SELECT request.parameters() ->> 'region' AS region",
  },
  {
    schema: 'request',
    name: 'parameter',
    scope: 'parameter query',
    min: 1,
    max: 1,
    result: 'any',
    clientControlled: true,
    signature: "request.parameter('name')",
    doc: 'One value that the client sent when it connected. The client chooses it freely.',
    example: "SELECT request.parameter('region') AS region",
  },
];

export interface MetadataFunction {
  readonly name: string;
  readonly signature: string;
  readonly doc: string;
  readonly example: string;
}

/** The functions of edition 3 for a table of the query. They have no arguments and return TEXT. */
export const metadataFunctions: ReadonlyMap<string, MetadataFunction> = new Map(
  [
    {
      name: 'schema',
      signature: 't.schema()',
      doc: 'The schema of the table that contains the row.',
      example: 'SELECT b.*, b.schema() AS tenant FROM "tenant_%".boats AS "b"',
    },
    {
      name: 'table_name',
      signature: 't.table_name()',
      doc: 'The name of the table that contains the row.',
      example: 'SELECT l.*, l.table_name() AS source FROM "log_%" AS "l"',
    },
    {
      name: 'table_suffix',
      signature: 't.table_suffix()',
      doc: 'The part of the table name that the trailing % matches in this row.',
      example: 'SELECT l.*, l.table_suffix() AS year FROM "log_%" AS "l"',
    },
  ].map((row) => [row.name, row]),
);

export interface TableFunction {
  readonly name: string;
  readonly columns: readonly string[];
  readonly signature: string;
  readonly doc: string;
  readonly example: string;
}

export const tableFunctions: ReadonlyMap<string, TableFunction> = new Map([
  [
    'json_each',
    {
      name: 'json_each',
      columns: ['key', 'value'],
      signature: 'json_each(json)',
      doc: 'One row per element of a JSON array, or per property of an object, with the columns key and value.',
      example:
        'SELECT b.* FROM boats AS "b" JOIN json_each(auth.parameter(\'boats\')) AS e ON b.id = e.value',
    },
  ],
]);

/** Advice about replacements for functions of other databases, in complete sentences. */
export const functionAlternatives: ReadonlyMap<string, string> = new Map([
  ['round/2', 'Store the rounded value in a column, or round it in the app.'],
  ['abs', 'Write CASE WHEN x < 0 THEN 0 - x ELSE x END.'],
  ['age', 'Write unixepoch(a) - unixepoch(b).'],
  ['all', 'Write NOT IN, or compare with each value.'],
  ['any', 'Write x IN y, without ANY.'],
  ['array_agg', 'Sync queries choose rows; they have no aggregates.'],
  ['array_append', 'Store the value in a column.'],
  ['array_contains', 'Write element IN list.'],
  ['array_length', 'Write json_array_length(x).'],
  ['array_position', 'Write element IN list.'],
  ['avg', 'Sync queries choose rows; they have no aggregates.'],
  ['bool_and', 'Sync queries choose rows; they have no aggregates.'],
  ['bool_or', 'Sync queries choose rows; they have no aggregates.'],
  ['btrim', 'Trim the text before it is stored.'],
  ['cardinality', 'Write json_array_length(x).'],
  ['ceil', 'Write iif(x > CAST(x AS integer), CAST(x AS integer) + 1, CAST(x AS integer)).'],
  ['ceiling', 'Write iif(x > CAST(x AS integer), CAST(x AS integer) + 1, CAST(x AS integer)).'],
  ['char_length', 'Write length(x).'],
  ['character_length', 'Write length(x).'],
  ['charindex', 'Write instr(text, part).'],
  ['clock_timestamp', 'Queries cannot read the clock. Send the time as a parameter, or filter in the app.'],
  ['coalesce', 'Write ifnull(a, b); for more values nest it: ifnull(a, ifnull(b, c)).'],
  ['concat', 'Write a || b.'],
  ['concat_ws', 'Write a || b.'],
  ['count', 'Sync queries choose rows; they cannot count them.'],
  ['crypt', 'Store the value in a column.'],
  ['curdate', 'Queries cannot read the clock. Send the time as a parameter, or filter in the app.'],
  ['current_date', 'Queries cannot read the clock. Send the time as a parameter, or filter in the app.'],
  ['current_setting', 'Values of the request come from auth, connection and subscription functions.'],
  ['current_time', 'Queries cannot read the clock. Send the time as a parameter, or filter in the app.'],
  ['current_timestamp', 'Queries cannot read the clock. Send the time as a parameter, or filter in the app.'],
  ['date', 'Write substring(datetime(x), 1, 10).'],
  ['date_part', 'For the year, for example, write substring(datetime(x), 1, 4).'],
  ['date_trunc', 'For the day, for example, write substring(datetime(x), 1, 10).'],
  ['day', 'Write substring(datetime(x), 9, 2).'],
  ['decode', 'Store the value in a column.'],
  ['digest', 'Store the value in a column.'],
  ['encode', 'Write hex(x) or base64(x).'],
  ['exists', 'Write x IN (SELECT … FROM …).'],
  ['floor', 'Write iif(x < CAST(x AS integer), CAST(x AS integer) - 1, CAST(x AS integer)).'],
  ['format', 'Write a || b.'],
  ['gen_random_uuid', 'Store the value in a column.'],
  ['getdate', 'Queries cannot read the clock. Send the time as a parameter, or filter in the app.'],
  ['greatest', 'Write iif(a > b, a, b).'],
  ['group_concat', 'Sync queries choose rows; they have no aggregates.'],
  ['hash', 'Store the value in a column.'],
  ['if', 'Write iif(condition, a, b).'],
  ['initcap', 'Store the changed text in a column.'],
  ['json', 'The value is JSON text already; use it as it is.'],
  ['json_agg', 'Sync queries choose rows; they have no aggregates.'],
  ['json_array', 'Sync the columns, and build the JSON in the app.'],
  ['json_array_elements', 'Write json_each(x) in FROM.'],
  ['json_array_elements_text', 'Write json_each(x) in FROM.'],
  ['json_build_array', 'Sync the columns, and build the JSON in the app.'],
  ['json_build_object', 'Sync the columns, and build the JSON in the app.'],
  ['json_contains', 'Write element IN list.'],
  ['json_each', 'Write x IN list without json_each(), or put json_each() in FROM.'],
  ['json_extract_path', "Write x -> 'a' -> 'b'."],
  ['json_extract_path_text', "Write x -> 'a' ->> 'b'."],
  ['json_group_array', 'Sync queries choose rows; they have no aggregates.'],
  ['json_group_object', 'Sync queries choose rows; they have no aggregates.'],
  ['json_object', 'Sync the columns, and build the JSON in the app.'],
  ['json_query', "Write json_extract(x, '$.path')."],
  ['json_quote', 'The value is JSON text already; use it as it is.'],
  ['json_set', 'Sync the columns, and build the JSON in the app.'],
  ['json_type', 'Read the value with ->> and use typeof(x).'],
  ['json_valid', 'Only bucket definitions support it. Check the text before it is stored.'],
  ['json_value', "Write json_extract(x, '$.path')."],
  ['jsonb', 'The value is JSON text already; use it as it is.'],
  ['jsonb_agg', 'Sync queries choose rows; they have no aggregates.'],
  ['jsonb_array_elements', 'Write json_each(x) in FROM.'],
  ['jsonb_array_elements_text', 'Write json_each(x) in FROM.'],
  ['jsonb_array_length', 'Write json_array_length(x).'],
  ['jsonb_build_array', 'Sync the columns, and build the JSON in the app.'],
  ['jsonb_build_object', 'Sync the columns, and build the JSON in the app.'],
  ['jsonb_extract_path', "Write x -> 'a' -> 'b'."],
  ['jsonb_extract_path_text', "Write x -> 'a' ->> 'b'."],
  ['jsonb_path_exists', "Write json_extract(x, '$.path') IS NOT NULL."],
  ['jsonb_path_query', "Write json_extract(x, '$.path')."],
  ['jsonb_set', 'Sync the columns, and build the JSON in the app.'],
  ['julianday', 'Write unixepoch(x) / 86400.0 + 2440587.5.'],
  ['lcase', 'Write lower(x).'],
  ['least', 'Write iif(a < b, a, b).'],
  ['left', 'Write substring(x, 1, n).'],
  ['len', 'Write length(x).'],
  ['localtime', 'Queries cannot read the clock. Send the time as a parameter, or filter in the app.'],
  ['localtimestamp', 'Queries cannot read the clock. Send the time as a parameter, or filter in the app.'],
  ['locate', 'Write instr(text, part).'],
  ['lpad', 'Store the value in a column.'],
  ['ltrim', 'Trim the text before it is stored.'],
  ['max', 'Sync queries choose rows; they have no aggregates.'],
  ['md5', 'Store the value in a column.'],
  ['mid', 'Write substring(x, start, length).'],
  ['min', 'Sync queries choose rows; they have no aggregates.'],
  ['mod', 'Write x - x / n * n.'],
  ['month', 'Write substring(datetime(x), 6, 2).'],
  ['newid', 'Store the value in a column.'],
  ['now', 'Queries cannot read the clock. Send the time as a parameter, or filter in the app.'],
  ['nullif', 'Write CASE WHEN a = b THEN NULL ELSE a END.'],
  ['nvl', 'Write ifnull(a, b).'],
  ['octet_length', 'Write length(CAST(x AS blob)).'],
  ['parse_json', 'The value is JSON text already; use it as it is.'],
  ['position', 'Write instr(text, part).'],
  ['pow', 'Multiply instead.'],
  ['power', 'Multiply instead.'],
  ['printf', 'Write a || b.'],
  [
    'regexp_like',
    "Regular expressions are not supported. For a prefix write substring(x, 1, n) = '…', for a part instr(x, '…') > 0.",
  ],
  [
    'regexp_match',
    "Regular expressions are not supported. For a prefix write substring(x, 1, n) = '…', for a part instr(x, '…') > 0.",
  ],
  [
    'regexp_matches',
    "Regular expressions are not supported. For a prefix write substring(x, 1, n) = '…', for a part instr(x, '…') > 0.",
  ],
  [
    'regexp_replace',
    "Regular expressions are not supported. For a prefix write substring(x, 1, n) = '…', for a part instr(x, '…') > 0.",
  ],
  ['replace', 'Store the changed text in a column.'],
  ['reverse', 'Store the changed text in a column.'],
  ['right', 'Write substring(x, 0 - n).'],
  ['round', 'Write iif(x < 0, CAST(x - 0.5 AS integer), CAST(x + 0.5 AS integer)).'],
  ['rpad', 'Store the value in a column.'],
  ['rtrim', 'Trim the text before it is stored.'],
  ['sha256', 'Store the value in a column.'],
  ['sign', 'Write CASE WHEN x > 0 THEN 1 WHEN x < 0 THEN 0 - 1 ELSE 0 END.'],
  ['some', 'Write x IN y, without SOME.'],
  ['soundex', 'Store the value in a column.'],
  ['split_part', 'Store the parts in columns.'],
  ['sqrt', 'Store the value in a column.'],
  ['starts_with', "Write substring(x, 1, n) = '…'."],
  [
    'statement_timestamp',
    'Queries cannot read the clock. Send the time as a parameter, or filter in the app.',
  ],
  ['strftime', 'Write datetime(x) or unixepoch(x).'],
  ['string_agg', 'Sync queries choose rows; they have no aggregates.'],
  ['string_to_array', 'Store a JSON array; then IN and json_each() can read it.'],
  ['strpos', 'Write instr(text, part).'],
  ['substr', 'Write substring(x, start, length).'],
  ['sum', 'Sync queries choose rows; they have no aggregates.'],
  ['time', 'Write substring(datetime(x), 12).'],
  ['to_char', 'Write datetime(x) or CAST(x AS text).'],
  ['to_date', 'Write substring(datetime(x), 1, 10).'],
  ['to_json', 'The value is JSON text already; use it as it is.'],
  ['to_jsonb', 'The value is JSON text already; use it as it is.'],
  ['to_number', 'Write CAST(x AS numeric).'],
  ['to_timestamp', "Write datetime(x, 'unixepoch')."],
  ['total', 'Sync queries choose rows; they have no aggregates.'],
  [
    'transaction_timestamp',
    'Queries cannot read the clock. Send the time as a parameter, or filter in the app.',
  ],
  ['translate', 'Store the changed text in a column.'],
  ['trim', 'Trim the text before it is stored.'],
  ['trunc', 'Write CAST(x AS integer).'],
  ['ucase', 'Write upper(x).'],
  ['unnest', 'Write json_each(x).'],
  ['user_id', 'Write auth.user_id(), or request.user_id() in a parameter query.'],
  ['utc_timestamp', 'Queries cannot read the clock. Send the time as a parameter, or filter in the app.'],
  ['uuid', 'A UUID is text already; use it as it is.'],
  ['uuid_generate_v4', 'Store the value in a column.'],
  ['xor', 'Write (a AND NOT b) OR (NOT a AND b).'],
  ['year', 'Write substring(datetime(x), 1, 4).'],
]);
