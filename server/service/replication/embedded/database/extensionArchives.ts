/** The archives of the extensions that are common on hosted PostgreSQL. Each archive is complete without the others. */
export interface ExtensionArchive {
  /** The name of the archive, without `.tar.gz`. */
  readonly name: string;
  /** The package that contains it, in `dist/`. */
  readonly package: string;
  /** The names for `CREATE EXTENSION`. */
  readonly extensions: readonly string[];
}

export const databasePackage = '@electric-sql/pglite';
const vectorPackage = '@electric-sql/pglite-pgvector';

const contrib = [
  ...['uuid-ossp', 'pgcrypto', 'citext', 'pg_trgm', 'hstore', 'ltree', 'btree_gin', 'btree_gist'],
  ...['fuzzystrmatch', 'intarray', 'tablefunc', 'unaccent'],
];

export const extensionArchives: readonly ExtensionArchive[] = [
  ...contrib.map((name) => ({ name, package: databasePackage, extensions: [name] })),
  {
    name: 'spi',
    package: databasePackage,
    extensions: ['moddatetime', 'autoinc', 'insert_username', 'refint'],
  },
  { name: 'vector', package: vectorPackage, extensions: ['vector'] },
];
