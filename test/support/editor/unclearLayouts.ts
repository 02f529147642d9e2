/** Small projects whose SQL runs code, so that only a database can tell which tables it creates: the same as in the other layouts. */
import type { Layout } from './layouts.ts';

const lists = 'CREATE TABLE lists (id uuid PRIMARY KEY, owner_id text, name text);\n';
const todos = 'CREATE TABLE todos (id uuid PRIMARY KEY, list_id uuid REFERENCES lists (id));\n';
const done = 'ALTER TABLE todos ADD COLUMN done boolean;\n';
const isNew = `IF NOT EXISTS (
    SELECT 1 FROM information_schema.columns WHERE table_name = 'todos' AND column_name = 'done'
  ) THEN ALTER TABLE todos ADD COLUMN done boolean; END IF;`;

function layout(name: string, sql: string, more: Layout['files'] = {}): Layout {
  return { name, config: 'powersync/sync-config.yaml', files: { 'db/migrations/1_all.sql': sql, ...more } };
}

export const unclearLayouts: readonly Layout[] = [
  layout('a DO block that adds a column', `${lists}${todos}DO $$\nBEGIN\n  ${isNew}\nEND $$;\n`),
  layout('a DO block that creates a table', `${lists}DO $$ BEGIN ${todos} END $$;\n${done}`),
  layout(
    'a DO block that only creates tables',
    `DO $body$ BEGIN ${lists} ${todos} ${done} END $body$ LANGUAGE plpgsql;\n`,
  ),
  layout(
    'SQL that is made at run time',
    `${lists}${todos}DO $$ BEGIN EXECUTE format('ALTER TABLE %I ADD COLUMN %I boolean', 'todos', 'done'); END $$;\n`,
  ),
  layout(
    'a function that is called',
    `${lists}${todos}CREATE FUNCTION add_done() RETURNS void LANGUAGE plpgsql AS $$ BEGIN ${done} END $$;\nSELECT add_done();\n`,
  ),
  layout(
    'a function that another one calls',
    `${lists}${todos}CREATE FUNCTION inner_step() RETURNS void LANGUAGE plpgsql AS $$ BEGIN ${done} END $$;
CREATE FUNCTION outer_step() RETURNS void LANGUAGE plpgsql AS 'BEGIN PERFORM inner_step(); END';
DO $$ BEGIN PERFORM outer_step(); END $$;\n`,
  ),
  layout(
    'a procedure',
    `${lists}${todos}CREATE PROCEDURE add_done() LANGUAGE plpgsql AS $$ BEGIN ${done} END $$;\nCALL add_done();\n`,
  ),
  layout(
    'a function in FROM',
    `${lists}CREATE FUNCTION make() RETURNS int LANGUAGE plpgsql AS $$ BEGIN ${todos}${done} RETURN 1; END $$;\nSELECT * FROM make();\n`,
  ),
  layout(
    'a query whose result becomes a table',
    `${lists}SELECT NULL::uuid AS id, NULL::uuid AS list_id, true AS done INTO todos WHERE false;\n`,
  ),
  layout('an included file', `${lists}\\ir parts/todos.txt\n${done}`, {
    'db/migrations/parts/todos.txt': todos,
  }),
  layout(
    'tables in the statement that creates their schema',
    `${lists}CREATE SCHEMA app CREATE TABLE todos (id uuid PRIMARY KEY, list_id uuid, done boolean);
ALTER TABLE app.todos SET SCHEMA public;\n`,
  ),
  layout(
    'a schema that is renamed',
    `${lists}CREATE SCHEMA draft;\nCREATE TABLE draft.todos (id uuid PRIMARY KEY, list_id uuid, done boolean);
ALTER SCHEMA draft RENAME TO app;\nALTER TABLE app.todos SET SCHEMA public;\n`,
  ),
  layout(
    'a search path that a function sets',
    `${lists}CREATE SCHEMA app;\nSELECT set_config('search_path', 'app', false);
CREATE TABLE todos (id uuid PRIMARY KEY, list_id uuid, done boolean);\nALTER TABLE todos SET SCHEMA public;\n`,
  ),
  layout('changes that are undone', `${lists}${todos}${done}BEGIN;\nDROP TABLE todos;\nROLLBACK;\n`),
];
