/** Small projects as the tools for migrations lay them out: all make the tables `lists` and `todos`, with the same columns. */

export interface Layout {
  readonly name: string;
  /** By path. */
  readonly files: Readonly<Record<string, string>>;
  /** Of the sync config. */
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

/** Reads all that the layouts make, one column that they do not, and a table that they do not. */
export const layoutConfig = `config: { edition: 3 }
streams:
  lists: { query: "SELECT id, owner_id, name, gone FROM lists" }
  todos: { query: SELECT * FROM todos }
  other: { query: SELECT * FROM nowhere }
`;
