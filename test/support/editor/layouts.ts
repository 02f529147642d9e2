/** Small projects in the layouts of migration tools. All of them create the tables `lists` and `todos` with the same columns. */

export interface Layout {
  readonly name: string;
  /** The texts of the files by path. */
  readonly files: Readonly<Record<string, string>>;
  /** The path of the sync config. */
  readonly config: string;
}

const lists = 'CREATE TABLE lists (id uuid PRIMARY KEY, owner_id text, name text);\n';
const todos = 'CREATE TABLE todos (id uuid PRIMARY KEY, list_id uuid REFERENCES lists (id));\n';
const done = 'ALTER TABLE todos ADD COLUMN done boolean;\n';
const usual = 'powersync/sync-config.yaml';

export const layouts: readonly Layout[] = [
  {
    name: 'Supabase',
    config: usual,
    files: {
      'supabase/migrations/20240101000000_lists.sql': `${lists}ALTER TABLE lists ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON lists FOR SELECT TO authenticated USING (owner_id = auth.uid()::text);\n`,
      'supabase/migrations/20240102000000_todos.sql': todos,
      'supabase/migrations/20240103000000_done.sql': done,
      'supabase/seed.sql': "INSERT INTO lists VALUES (gen_random_uuid(), 'ada', 'Groceries');\n",
    },
  },
  {
    name: 'Prisma with migrations',
    config: usual,
    files: {
      'prisma/migrations/1_init/migration.sql': lists + todos,
      'prisma/migrations/2_done/migration.sql': done,
    },
  },
  {
    name: 'Prisma without migrations',
    config: usual,
    files: {
      'prisma/schema.prisma': `datasource db {
  provider = "postgresql"
  url      = env("DATABASE_URL")
}
model List {
  id      String  @id @db.Uuid
  ownerId String? @map("owner_id")
  name    String?
  todos   Todo[]
  @@map("lists")
}
model Todo {
  id     String   @id @db.Uuid
  listId String?  @map("list_id") @db.Uuid
  list   List?    @relation(fields: [listId], references: [id])
  done   Boolean?
  @@map("todos")
}
`,
    },
  },
  {
    name: 'Drizzle',
    config: 'sync-rules.yaml',
    files: {
      'drizzle/0000_lists.sql': `${lists}--> statement-breakpoint\n${todos}`,
      'drizzle/0001_done.sql': done,
      'drizzle/meta/_journal.json': '{}',
    },
  },
  {
    name: 'Rails with schema.rb',
    config: 'config/powersync.yaml',
    files: {
      'db/schema.rb': `ActiveRecord::Schema[7.1].define(version: 2024_01_01_000000) do
  create_table "lists", id: :uuid, force: :cascade do |t|
    t.text "owner_id"
    t.text "name"
  end

  create_table "todos", id: :uuid, force: :cascade do |t|
    t.uuid "list_id"
    t.boolean "done"
  end
end
`,
    },
  },
  {
    name: 'Rails with structure.sql',
    config: 'config/powersync.yaml',
    files: { 'db/structure.sql': `SET statement_timeout = 0;\n${lists}${todos}${done}` },
  },
  {
    name: 'Flyway',
    config: usual,
    files: {
      'src/main/resources/db/migration/V1__lists.sql': lists,
      'src/main/resources/db/migration/V2__todos.sql': todos,
      'src/main/resources/db/migration/V10__done.sql': done,
      'src/main/resources/db/migration/R__view.sql':
        'CREATE OR REPLACE VIEW open AS SELECT id FROM todos WHERE NOT done;\n',
      'src/main/resources/db/migration/U2__todos.sql': 'DROP TABLE todos;\n',
    },
  },
  {
    name: 'golang-migrate',
    config: usual,
    files: {
      'db/migrations/000001_lists.up.sql': lists,
      'db/migrations/000001_lists.down.sql': 'DROP TABLE lists;\n',
      'db/migrations/000002_todos.up.sql': todos + done,
      'db/migrations/000002_todos.down.sql': 'DROP TABLE todos;\n',
    },
  },
  {
    name: 'goose',
    config: usual,
    files: {
      'migrations/00001_lists.sql': `-- +goose Up\n${lists}\n-- +goose Down\nDROP TABLE lists;\n`,
      'migrations/00002_todos.sql': `-- +goose Up\n${todos}${done}\n-- +goose Down\nDROP TABLE todos;\n`,
    },
  },
  {
    name: 'dbmate',
    config: usual,
    files: {
      'db/migrations/1_lists.sql': `-- migrate:up\n${lists}\n-- migrate:down\nDROP TABLE lists;\n`,
      'db/migrations/2_todos.sql': `-- migrate:up\n${todos}${done}\n-- migrate:down\nDROP TABLE todos;\n`,
    },
  },
  {
    name: 'Hasura',
    config: usual,
    files: {
      'hasura/migrations/default/1_lists/up.sql': lists,
      'hasura/migrations/default/1_lists/down.sql': 'DROP TABLE lists;\n',
      'hasura/migrations/default/2_todos/up.sql': todos + done,
      'hasura/migrations/default/2_todos/down.sql': 'DROP TABLE todos;\n',
    },
  },
  {
    name: 'Prisma in several files',
    config: usual,
    files: {
      'prisma/schema/main.prisma': 'datasource db {\n  provider = "postgresql"\n}\n',
      'prisma/schema/lists.prisma': `model List {
  id      String  @id @db.Uuid
  ownerId String? @map("owner_id")
  name    String?
  @@map("lists")
}
`,
      'prisma/schema/todos.prisma': `model Todo {
  id     String   @id @db.Uuid
  listId String?  @map("list_id") @db.Uuid
  done   Boolean?
  @@map("todos")
}
`,
      'prisma/migrations/migration_lock.toml': 'provider = "postgresql"\n',
    },
  },
  {
    name: 'Drizzle with a folder for each migration',
    config: usual,
    files: {
      'drizzle.config.ts': '',
      'drizzle/20240101000000_lists/migration.sql': lists,
      'drizzle/20240101000000_lists/snapshot.json': '{}',
      'drizzle/20240102000000_todos/migration.sql': `${todos}--> statement-breakpoint\n${done}`,
    },
  },
  {
    name: 'Laravel with a dump of its schema',
    config: 'docker/powersync/sync-rules.yaml',
    files: {
      artisan: '',
      'database/migrations/2024_01_01_000000_create_lists_table.php': '<?php\n',
      'database/schema/pgsql-schema.sql': `SET default_table_access_method = heap;\n${lists}${todos}${done}`,
    },
  },
  {
    name: 'Ecto with structure.sql',
    config: 'config/sync_rules.yaml',
    files: {
      'mix.exs': '',
      'priv/repo/migrations/20240101000000_lists.exs': '',
      'priv/repo/structure.sql': `${lists}${todos}${done}INSERT INTO public."schema_migrations" (version) VALUES (20240101000000);\n`,
    },
  },
  {
    name: 'Django with the SQL of its migrations',
    config: 'infra/powersync/sync-rules.yaml',
    files: {
      'manage.py': '',
      'todos/migrations/0001_initial.py': '',
      'todos/sql/0001_initial.sql': `BEGIN;\n--\n-- Create model List\n--\n${lists}${todos}COMMIT;\n`,
      'todos/sql/0002_todo_done.sql': `BEGIN;\n${done}COMMIT;\n`,
    },
  },
  {
    name: 'Knex with SQL files',
    config: usual,
    files: {
      'knexfile.js': '',
      'migrations/20240101000000_lists.js': '',
      'migrations/sql/20240101000000_lists.up.sql': lists,
      'migrations/sql/20240101000000_lists.down.sql': 'DROP TABLE lists;\n',
      'migrations/sql/20240102000000_todos.up.sql': todos + done,
      'migrations/sql/20240102000000_todos.down.sql': 'DROP TABLE todos;\n',
    },
  },
  {
    name: 'TypeORM with a dump beside its entities',
    config: 'server/sync-rules.yaml',
    files: {
      'server/src/data-source.ts': '',
      'server/src/migrations/1700000000000-Lists.ts': '',
      'server/db/init.sql': lists + todos + done,
    },
  },
  {
    name: 'Sequelize with SQL files',
    config: usual,
    files: {
      '.sequelizerc': '',
      'migrations/20240101-lists.js': '',
      'migrations/sqls/20240101-lists-up.sql': lists,
      'migrations/sqls/20240101-lists-down.sql': 'DROP TABLE lists;\n',
      'migrations/sqls/20240102-todos-up.sql': todos + done,
      'migrations/sqls/20240102-todos-down.sql': 'DROP TABLE todos;\n',
    },
  },
  {
    name: 'Liquibase',
    config: usual,
    files: {
      'db/changelog/db.changelog-master.yaml': 'databaseChangeLog: []\n',
      'db/changelog/001-lists.sql': `--liquibase formatted sql\n--changeset ada:1\n${lists}--rollback DROP TABLE lists;\n`,
      'db/changelog/002-todos.sql': `--liquibase formatted sql\n--changeset ada:2 splitStatements:false\n${todos}${done}--rollback DROP TABLE todos;\n`,
    },
  },
  {
    name: 'Atlas',
    config: usual,
    files: {
      'atlas.hcl': '',
      'migrations/20240101000000_lists.sql': `-- Create "lists" table\n${lists}`,
      'migrations/20240102000000_todos.sql': todos + done,
      'migrations/atlas.sum': 'h1:\n',
    },
  },
  {
    name: 'sql-migrate',
    config: usual,
    files: {
      'migrations/1_lists.sql': `-- +migrate Up\n${lists}-- +migrate Down\nDROP TABLE lists;\n`,
      'migrations/2_todos.sql': `-- +migrate Up\n${todos}${done}-- +migrate Down\nDROP TABLE todos;\n`,
    },
  },
  {
    name: 'node-pg-migrate',
    config: usual,
    files: {
      'migrations/1700000000000_lists.sql': `-- Up Migration\n${lists}-- Down Migration\nDROP TABLE lists;\n`,
      'migrations/1700000000001_todos.sql': `-- Up Migration\n${todos}${done}-- Down Migration\nDROP TABLE todos;\n`,
    },
  },
  {
    name: 'a folder of files, with Windows line ends and byte order marks',
    config: 'powersync.yaml',
    files: {
      'database/01_lists.sql': `\ufeff${lists.replaceAll('\n', '\r\n')}`,
      'database/02_todos.sql': `\ufeff-- todos\r\n${todos.replaceAll('\n', '\r\n')}${done}`,
      'database/README.md': '',
    },
  },
  { name: 'one file', config: 'sync.yaml', files: { 'schema.sql': lists + todos + done } },
  {
    name: 'pg_dump',
    config: 'sync.yaml',
    files: {
      'database/dump.sql': `\\restrict abc
SET client_encoding = 'UTF8';
SELECT pg_catalog.set_config('search_path', '', false);
CREATE TABLE public.lists (id uuid NOT NULL, owner_id text, name text);
ALTER TABLE public.lists OWNER TO postgres;
CREATE TABLE public.todos (id uuid NOT NULL, list_id uuid, done boolean);
COPY public.lists (id, owner_id, name) FROM stdin;
00000000-0000-0000-0000-000000000001\tada\tGroceries
\\.
ALTER TABLE ONLY public.lists ADD CONSTRAINT lists_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.todos ADD CONSTRAINT todos_pkey PRIMARY KEY (id);
\\unrestrict abc
`,
    },
  },
  {
    name: 'a monorepo, with the database of another app',
    config: 'apps/mobile/powersync/sync-config.yaml',
    files: {
      'apps/mobile/supabase/migrations/1_init.sql': lists + todos + done,
      'apps/admin/migrations/1_init.sql': 'CREATE TABLE lists (id integer PRIMARY KEY, gone text);\n',
    },
  },
];

/** Reads all columns that the layouts create, a column that they do not create, and a table that they do not create. */
export const layoutConfig = `config: { edition: 3 }
streams:
  lists: { query: "SELECT id, owner_id, name, gone FROM lists" }
  todos: { query: SELECT * FROM todos }
  other: { query: SELECT * FROM nowhere }
`;
