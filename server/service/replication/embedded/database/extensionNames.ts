/** Those that are usual on hosted Postgres. None needs another one. */
export const extensionNames: readonly string[] = [
  ...['uuid-ossp', 'pgcrypto', 'citext', 'pg_trgm', 'hstore', 'ltree', 'btree_gin', 'btree_gist'],
  ...['fuzzystrmatch', 'intarray', 'tablefunc', 'unaccent'],
];
