/**
 * Replaces extensions that the embedded database does not have. Their types are replaced by types that can hold any text; their
 * functions are missing. Extensions that do not concern tables count as installed.
 */

import { quoteName } from '../../../../engine/sql/names.ts';

/** Returns SQL that replaces an extension, for a schema. Undefined for an extension that is available, or that is unknown here. */
export function standInFor(extension: string, schema: string | undefined): string | undefined {
  const types = textTypes[extension];
  if (types !== undefined) return types.map((type) => textType(type, schema)).join('\n');
  return withoutTables.has(extension) ? 'SELECT' : undefined;
}

/** Returns the extension that contains a missing type. */
export function extensionOfType(type: string): string | undefined {
  return ownerIn({ ...textTypes, ...types }, type);
}

export function extensionOfFunction(name: string): string | undefined {
  return ownerIn(functions, name);
}

export function extensionOfOperators(operatorClass: string): string | undefined {
  return ownerIn(operatorClasses, operatorClass);
}

type Table = Readonly<Record<string, readonly string[]>>;

function ownerIn(table: Table, name: string): string | undefined {
  return Object.entries(table).find(([, names]) => names.includes(name))?.[0];
}

const textTypes: Table = {
  postgis: ['geometry', 'geography', 'box2d', 'box3d'],
  postgis_raster: ['raster'],
  postgis_topology: ['topogeometry'],
};

const types: Table = {
  vector: ['vector', 'halfvec', 'sparsevec'],
  citext: ['citext'],
  hstore: ['hstore'],
  ltree: ['ltree', 'lquery', 'ltxtquery'],
};

const functions: Table = {
  'uuid-ossp': ['uuid_generate_v1', 'uuid_generate_v1mc', 'uuid_generate_v4', 'uuid_generate_v5', 'uuid_nil'],
  pgcrypto: [
    'gen_random_bytes',
    'crypt',
    'gen_salt',
    'digest',
    'hmac',
    'encrypt',
    'pgp_sym_encrypt',
    'pgp_sym_decrypt',
  ],
  pg_trgm: ['similarity', 'word_similarity', 'show_trgm'],
  unaccent: ['unaccent'],
  fuzzystrmatch: ['levenshtein', 'soundex', 'metaphone'],
  moddatetime: ['moddatetime'],
};

const operatorClasses: Table = {
  pg_trgm: ['gin_trgm_ops', 'gist_trgm_ops'],
  vector: ['vector_cosine_ops', 'vector_l2_ops', 'vector_ip_ops', 'halfvec_cosine_ops'],
  intarray: ['gin__int_ops', 'gist__int_ops'],
};

const withoutTables: ReadonlySet<string> = new Set([
  ...['pg_cron', 'pg_net', 'pg_graphql', 'supabase_vault', 'pgsodium', 'pg_stat_statements', 'pgjwt', 'http'],
  ...['pgaudit', 'pg_stat_monitor', 'pg_repack', 'pgtap', 'plpgsql_check', 'index_advisor', 'hypopg'],
  ...['pg_jsonschema', 'pgmq', 'wrappers', 'plv8', 'dblink', 'postgres_fdw', 'pg_prewarm', 'pgrowlocks'],
  ...['pgstattuple', 'sslinfo', 'pgrouting', 'neon', 'pglogical', 'timescaledb', 'pg_uuidv7', 'pg_hashids'],
]);

/** Returns SQL for a type that accepts and ignores modifiers, such as those of `geometry(Point, 4326)`. */
function textType(type: string, schema: string | undefined): string {
  const nameOf = (suffix: string) =>
    `${schema === undefined ? '' : `${quoteName(schema)}.`}${quoteName(`${type}${suffix}`)}`;
  const own = nameOf('');
  return `
CREATE TYPE ${own};
CREATE FUNCTION ${nameOf('_in')}(pg_catalog.cstring) RETURNS ${own} LANGUAGE internal IMMUTABLE STRICT AS 'textin';
CREATE FUNCTION ${nameOf('_out')}(${own}) RETURNS pg_catalog.cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
CREATE FUNCTION ${nameOf('_typmod_in')}(pg_catalog.cstring[]) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS 'SELECT 0';
CREATE TYPE ${own} (INPUT = ${nameOf('_in')}, OUTPUT = ${nameOf('_out')}, TYPMOD_IN = ${nameOf('_typmod_in')}, LIKE = pg_catalog.text);`;
}
