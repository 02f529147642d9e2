/**
 * Statements of a stranger that the embedded database has to survive, for scripts, clients and access tests alike. `kept` is a table
 * (id int PRIMARY KEY) that is served meanwhile.
 */

export interface HostileStatement {
  readonly aim: 'read' | 'write' | 'run' | 'connect' | 'exhaust' | 'wedge';
  readonly sql: string;
  /**
   * `refused`: PostgreSQL refuses it. `contained`: PostgreSQL gives up, or the database is ended and starts again; which of them depends
   * on the machine. `harmless`: it may run.
   */
  readonly outcome: 'refused' | 'contained' | 'harmless';
}

/** Ways to run a statement that no filter of the text would find. */
export type Disguise = 'none' | 'block' | 'function' | 'trigger';

export const disguises: readonly Disguise[] = ['none', 'block', 'function', 'trigger'];

/** @param unique a number for the names of the created objects */
export function disguise({ sql }: HostileStatement, as: Disguise, unique: number): string {
  const body = `BEGIN EXECUTE $hostile$${sql}$hostile$;`;
  switch (as) {
    case 'none':
      return `${sql};`;
    case 'block':
      return `DO $block$ ${body} END $block$;`;
    case 'function':
      return `CREATE FUNCTION hostile_${unique}() RETURNS void LANGUAGE plpgsql AS $function$ ${body} END $function$;
SELECT hostile_${unique}();`;
    case 'trigger':
      return `CREATE TABLE bait_${unique} (id int);
CREATE FUNCTION spring_${unique}() RETURNS trigger LANGUAGE plpgsql AS $function$ ${body} RETURN NEW; END $function$;
CREATE TRIGGER spring BEFORE INSERT ON bait_${unique} FOR EACH ROW EXECUTE FUNCTION spring_${unique}();
INSERT INTO bait_${unique} VALUES (1);`;
  }
}

const of =
  (aim: HostileStatement['aim']) =>
  ([outcome, sql]: readonly [HostileStatement['outcome'], string]): HostileStatement => ({
    aim,
    outcome,
    sql,
  });

/** Creates a function with this body, and calls it. */
const calling = (name: string, body: string, language = 'plpgsql') =>
  `CREATE FUNCTION ${name}(n int) RETURNS int LANGUAGE ${language} AS $called$ ${body} $called$; SELECT ${name}(1)`;

const read = [
  ['refused', "SELECT pg_read_file('headwater.password')"],
  ['refused', "SELECT pg_read_file('postgresql.conf')"],
  ['refused', "SELECT pg_read_binary_file('PG_VERSION')"],
  ['refused', "SELECT pg_ls_dir('.')"],
  ['refused', "SELECT pg_stat_file('base')"],
  ['refused', "COPY kept FROM '/pglite/data/PG_VERSION'"],
  ['refused', "SELECT lo_import('/pglite/data/headwater.password')"],
  ['refused', 'SELECT * FROM pg_hba_file_rules'],
  ['refused', "SELECT query_to_xml('SELECT pg_read_file(''PG_VERSION'')', true, true, '')"],
] as const;

const write = [
  ['refused', "COPY (SELECT 'x') TO '/pglite/data/headwater.password'"],
  ['refused', "COPY (SELECT 'x') TO '/pglite/data/pg_hba.conf'"],
  ['refused', "COPY (SELECT 'x') TO '/pglite/data/global/pg_control'"],
  ['refused', "SELECT lo_export(lo_from_bytea(0, 'x'), '/pglite/data/base/1/1259')"],
  ['refused', "ALTER SYSTEM SET listen_addresses = '*'"],
  ['refused', 'SELECT pg_reload_conf()'],
  ['refused', "UPDATE pg_catalog.pg_class SET relname = 'x'"],
  ['refused', 'DELETE FROM pg_catalog.pg_proc'],
  ['refused', 'UPDATE pg_catalog.pg_authid SET rolsuper = true'],
  ['refused', 'UPDATE pg_catalog.pg_database SET datallowconn = false'],
  ['refused', 'DROP FUNCTION pg_catalog.now()'],
  ['refused', 'DROP SCHEMA headwater CASCADE'],
  ['refused', 'DELETE FROM headwater.log'],
  ['refused', 'TRUNCATE headwater.script'],
  ['refused', 'DROP EVENT TRIGGER headwater_ddl'],
  ['refused', 'DROP OWNED BY pg_headwater CASCADE'],
  ['refused', 'DROP EXTENSION plpgsql CASCADE'],
  ['refused', 'ALTER ROLE postgres SUPERUSER'],
  ['refused', 'GRANT pg_write_server_files TO postgres'],
  ['refused', "SELECT set_config('session_authorization', 'pg_headwater', false)"],
  ['harmless', 'DROP TRIGGER "!headwater_capture" ON kept'],
  ['harmless', 'ALTER TABLE kept DISABLE TRIGGER USER'],
] as const;

const run = [
  ['refused', "COPY (SELECT 1) TO PROGRAM 'id'"],
  ['refused', "COPY kept FROM PROGRAM 'id'"],
  ['refused', "LOAD '/tmp/x.so'"],
  ['refused', "CREATE FUNCTION c() RETURNS int LANGUAGE c AS '/tmp/x.so', 'c'"],
  ['refused', "CREATE FUNCTION i(bigint) RETURNS text LANGUAGE internal AS 'textout'"],
  ['refused', 'CREATE EXTENSION plpython3u'],
  ['refused', 'GRANT pg_execute_server_program TO postgres'],
  [
    'refused',
    'CREATE FUNCTION e() RETURNS event_trigger LANGUAGE plpgsql AS $e$ BEGIN END $e$; CREATE EVENT TRIGGER e ON sql_drop EXECUTE FUNCTION e()',
  ],
] as const;

const connect = [
  ['refused', 'CREATE EXTENSION file_fdw'],
  ['refused', 'CREATE FOREIGN DATA WRAPPER w'],
  ['refused', "CREATE SUBSCRIPTION s CONNECTION 'host=127.0.0.1 port=1' PUBLICATION p"],
  ['refused', "SELECT pg_create_logical_replication_slot('s', 'pgoutput')"],
  ['refused', "SELECT pg_create_physical_replication_slot('s', true)"],
  ['refused', 'SELECT pg_terminate_backend(pg_backend_pid())'],
] as const;

const exhaust = [
  ['contained', calling('deep', 'BEGIN RETURN deep(n + 1); END')],
  [
    'contained',
    `${calling('planned', 'SELECT n', 'sql')}; CREATE OR REPLACE ${calling('planned', 'SELECT planned(n)', 'sql').slice(7)}`,
  ],
  [
    'contained',
    'CREATE TABLE again (id int); CREATE FUNCTION again() RETURNS trigger LANGUAGE plpgsql AS $a$ BEGIN INSERT INTO again VALUES (1); RETURN NEW; END $a$; CREATE TRIGGER a AFTER INSERT ON again FOR EACH ROW EXECUTE FUNCTION again(); INSERT INTO again VALUES (1)',
  ],
  ['contained', "SELECT repeat('[', 1000000)::jsonb"],
  ['contained', "SELECT 'x' ~ repeat('(', 100000)"],
  ['contained', "DO $d$ BEGIN EXECUTE 'SELECT ' || repeat('1+', 100000) || '1'; END $d$"],
  ['contained', "SELECT array_agg(repeat('x', 100000000)) FROM generate_series(1, 100)"],
  ['contained', "SELECT length(repeat('x', 1000000000) || repeat('y', 1000000000))"],
  [
    'contained',
    'SELECT count(*) FROM (SELECT n FROM generate_series(1, 10000000000) AS n ORDER BY random()) AS sorted',
  ],
  ['contained', 'SELECT pg_advisory_lock(n) FROM generate_series(1, 1000000) AS n'],
  [
    'contained',
    "DO $d$ BEGIN FOR i IN 1..1000000 LOOP PERFORM pg_notify('x', i || repeat('y', 7000)); END LOOP; END $d$",
  ],
  ['contained', 'DECLARE held CURSOR WITH HOLD FOR SELECT * FROM generate_series(1, 10000000000)'],
] as const;

const wedge = [
  ['contained', 'SELECT pg_sleep(1e9)'],
  ['contained', 'DO $d$ BEGIN LOOP END LOOP; END $d$'],
  ['contained', 'SELECT count(*) FROM generate_series(1, 1000000000000)'],
  ['contained', 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT count(*) FROM n'],
  ['contained', "CREATE EXTENSION pgcrypto; SELECT crypt('x', gen_salt('bf', 31))"],
  [
    'contained',
    'CREATE TABLE late (id int); CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $l$ BEGIN LOOP END LOOP; END $l$; CREATE CONSTRAINT TRIGGER l AFTER INSERT ON late DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION late(); INSERT INTO late VALUES (1)',
  ],
  ['refused', 'SELECT 1; COPY kept FROM STDIN (FORMAT binary)'],
  ['refused', 'ALTER ROLE postgres NOLOGIN'],
  ['harmless', "SELECT set_config('default_transaction_read_only', 'on', false)"],
  ['harmless', "SELECT set_config('search_path', 'nowhere', false)"],
  ['harmless', 'ALTER DATABASE postgres SET default_transaction_read_only = on'],
  ['harmless', 'LISTEN something'],
  ['harmless', 'CREATE TEMP TABLE pg_class (oid oid, relkind text)'],
] as const;

export const hostileStatements: readonly HostileStatement[] = [
  ...read.map(of('read')),
  ...write.map(of('write')),
  ...run.map(of('run')),
  ...connect.map(of('connect')),
  ...exhaust.map(of('exhaust')),
  ...wedge.map(of('wedge')),
];
