/** The names in generated queries. They are few, so that queries share them. */
export const tables = ['boats', 'trips', 'crew', 'photos'] as const;
export const columns = ['id', 'name', 'owner_id', 'boat_id', 'kind', 'tags', 'length_m'] as const;
export const oddTables = [
  'public.boats',
  'other.trips',
  '"boats"',
  'Boats',
  '"Log_A"',
  '"log_%"',
  '"tenant_%".boats',
  '"other"."crew"',
] as const;
export const literals = [
  "'a'",
  "''",
  "'it''s'",
  '0',
  '1',
  '-1',
  '2.5',
  '.5',
  'NULL',
  'TRUE',
  'false',
] as const;

/** Scalar functions of both engines with their counts of arguments. */
export const functions: readonly (readonly [name: string, least: number, most: number])[] = [
  ['upper', 1, 1],
  ['lower', 1, 1],
  ['length', 1, 1],
  ['substring', 2, 3],
  ['instr', 2, 2],
  ['hex', 1, 1],
  ['base64', 1, 1],
  ['typeof', 1, 1],
  ['ifnull', 2, 2],
  ['iif', 3, 3],
  ['json_extract', 2, 2],
  ['json_array_length', 1, 2],
  ['json_keys', 1, 1],
  ['unixepoch', 1, 2],
  ['datetime', 1, 3],
  ['uuid_blob', 1, 1],
  ['st_x', 1, 1],
  ['st_asgeojson', 1, 1],
];

export const unknownFunctions = [
  'coalesce',
  'now',
  'substr',
  'random',
  'count',
  'max',
  'json_valid',
  'row_number',
  'uper',
  'any',
  'exists',
] as const;

export const types = ['text', 'integer', 'real', 'numeric', 'blob', 'TEXT', '"text"'] as const;
export const wrongTypes = [
  'int',
  'varchar(10)',
  'boolean',
  'date',
  'text[]',
  'double precision',
  'json',
] as const;
export const reserved = [
  'order',
  'user',
  'end',
  'table',
  'select',
  'group',
  'current_user',
  'limit',
] as const;
