/** Words in lower case that cannot be a table, column or alias name unless they are quoted. */
export const reservedWords: ReadonlySet<string> = new Set(
  `all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate
  collation concurrently constraint create cross current_catalog current_date current_role current_schema
  current_time current_timestamp current_user default deferrable desc distinct do else end except false fetch
  for foreign freeze from full grant group having ilike in initially inner intersect into is isnull join
  lateral leading left like limit localtime localtimestamp natural not notnull null offset on only or order
  outer overlaps placing precision references returning right select session_user similar some symmetric
  table tablesample then to trailing true union user using variadic verbose when where window with`.split(
    /\s+/,
  ),
);

/** Functions that can also be written as values, without parentheses. */
export const valueWords: ReadonlySet<string> = new Set(
  `current_catalog current_date current_role current_schema current_time current_timestamp current_user localtime
  localtimestamp session_user user`.split(/\s+/),
);

/** Reserved words that can be used only as functions. */
export const callableWords: ReadonlySet<string> = new Set(['all', 'any', 'some']);

/** Keywords that can also be names. */
export const nameKeywords: ReadonlySet<string> = new Set(['primary', 'unique']);
