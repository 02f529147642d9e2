/** The types that values can be cast to. */

export const castTypes: ReadonlyMap<string, string> = new Map([
  ['text', 'Text. Numbers become their digits, blobs are read as UTF-8.'],
  ['integer', 'A whole number. Text is read up to its last leading digit; 0 if there is none.'],
  ['real', 'A floating point number. Text is read as far as it is a number; 0.0 if it is none.'],
  ['numeric', 'A number: INTEGER if the text has no point and no exponent, else REAL.'],
  ['blob', 'The bytes of the text, in UTF-8.'],
]);

/** Type names of other databases, with the nearest type that exists here. */
export const castAlternatives: ReadonlyMap<string, string> = new Map([
  ['bigint', 'integer'],
  ['bool', 'integer'],
  ['boolean', 'integer'],
  ['bytea', 'blob'],
  ['char', 'text'],
  ['character varying', 'text'],
  ['character', 'text'],
  ['date', 'text'],
  ['decimal', 'numeric'],
  ['double precision', 'real'],
  ['double', 'real'],
  ['float', 'real'],
  ['float4', 'real'],
  ['float8', 'real'],
  ['int', 'integer'],
  ['int2', 'integer'],
  ['int4', 'integer'],
  ['int8', 'integer'],
  ['json', 'text'],
  ['jsonb', 'text'],
  ['serial', 'integer'],
  ['smallint', 'integer'],
  ['string', 'text'],
  ['timestamp with time zone', 'text'],
  ['timestamp without time zone', 'text'],
  ['timestamp', 'text'],
  ['timestamptz', 'text'],
  ['uuid', 'text'],
  ['varchar', 'text'],
]);
