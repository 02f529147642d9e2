/** Statements with an unknown effect on tables: nothing counts as missing after one of them. */
import { describe, expect, test } from 'vitest';
import { analyze, readScripts } from '../../../server/engine/index.ts';

const table = 'CREATE TABLE tasks (id uuid PRIMARY KEY, title text);\n';
const config = `config: { edition: 3 }
streams:
  tasks: { query: "SELECT id, province FROM tasks" }
  other: { query: SELECT * FROM nowhere }
`;

function missingAfter(sql: string): readonly string[] {
  const source = readScripts([{ path: '1.sql', text: table + sql }]);
  return analyze(config, { ...source, kind: 'sync' })
    .findings.map(({ code }) => code)
    .filter((code) => code.startsWith('unknown-'));
}

const makes = (body: string) =>
  `CREATE FUNCTION make() RETURNS void LANGUAGE plpgsql AS $$ BEGIN ${body} END $$;\n`;

describe('Nothing is missing after', () => {
  test.each([
    ['a DO block with DDL', 'DO $$ BEGIN ALTER TABLE tasks ADD COLUMN province text; END $$;'],
    ['a DO block with dynamic SQL', "DO $$ BEGIN EXECUTE 'x' || 'y'; END $$;"],
    ['a call of a function with DDL', `${makes('CREATE TABLE nowhere ();')}SELECT public.make();`],
    ['a procedure', `${makes('CREATE TABLE nowhere ();').replace('FUNCTION', 'PROCEDURE')}CALL make();`],
    [
      'an indirect call',
      `${makes('CREATE TABLE nowhere ();')}CREATE FUNCTION outer_one() RETURNS void LANGUAGE sql AS 'SELECT make()';\nSELECT outer_one();`,
    ],
    [
      'an event trigger',
      `${makes("EXECUTE 'x';")}CREATE EVENT TRIGGER t ON ddl_command_end EXECUTE FUNCTION make();`,
    ],
    ['SELECT INTO', 'SELECT 1 AS id INTO nowhere;'],
    ['an included file', '\\i other.sql'],
    ['results that are run', "SELECT 'CREATE TABLE nowhere ()' \\gexec"],
    ['a condition of psql', '\\if true\nDROP TABLE tasks;\n\\endif'],
    ['a schema with elements', 'CREATE SCHEMA app CREATE TABLE nowhere (id int);'],
    ['a renamed schema', 'ALTER SCHEMA app RENAME TO other;'],
    ['a foreign schema', 'IMPORT FOREIGN SCHEMA public FROM SERVER s INTO public;'],
    ['a search path that is set by a function', "SELECT set_config('search_path', 'app', false);"],
    ['an undone transaction', 'BEGIN; DROP TABLE tasks; ROLLBACK;'],
    ['a function of an extension', "SELECT AddGeometryColumn('tasks', 'province', 4326, 'POINT', 2);"],
    ['an unreadable CREATE TABLE', 'CREATE TABLE :name (id int);'],
  ])('%s', (_, sql) => {
    expect(missingAfter(sql)).toEqual([]);
  });
});

describe('Missing names are reported after', () => {
  test.each([
    ['an enum in a DO block', 'DO $$ BEGIN CREATE TYPE state AS ENUM (); EXCEPTION WHEN OTHERS THEN END $$;'],
    ['a function that is never called', makes("EXECUTE 'x';")],
    ['a function without DDL', `${makes('PERFORM 1;')}SELECT make();`],
    ['a grant in a DO block', 'DO $$ BEGIN GRANT EXECUTE ON FUNCTION f() TO anon; END $$;'],
    ['a trigger in a DO block', 'DO $$ BEGIN CREATE TRIGGER t EXECUTE FUNCTION f(); END $$;'],
    ['the first lines of a dump', "SELECT pg_catalog.set_config('search_path', '', false);"],
    ['rows', "INSERT INTO tasks SELECT gen_random_uuid(), 'x'; SELECT setval('s', 1);"],
    ['a change of a table', 'ALTER TABLE tasks OWNER TO postgres;'],
    ['a schema', 'CREATE SCHEMA IF NOT EXISTS app;'],
    ['a commit', 'BEGIN; COMMIT;'],
    ['a temporary result', 'SELECT 1 AS id INTO TEMP scratch;'],
  ])('%s', (_, sql) => {
    expect(missingAfter(sql)).toEqual(['unknown-column', 'unknown-table']);
  });
});
