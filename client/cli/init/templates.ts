/** The files that `headwater init` writes into an empty folder: two tables, a config that syncs them, and an access test. */

export const firstSyncConfig = `# Defines which rows clients get. \`headwater deploy\` sends it to the service.
config:
  edition: 3

streams:
  lists:
    # Everyone gets their own lists as soon as they connect.
    auto_subscribe: true
    query: SELECT id, name, created_at FROM lists WHERE owner_id = auth.user_id()

  todos:
    # The app subscribes to the list that is on screen. A list of another user stays empty.
    query: |
      SELECT todos.id, todos.list_id, todos.description, todos.completed
      FROM todos
      JOIN lists ON lists.id = todos.list_id
      WHERE lists.owner_id = auth.user_id() AND todos.list_id = subscription.parameter('list_id')
`;

export const firstSchema = `-- The tables of the source. This file creates them in the embedded database while that is empty.
create table lists (
  id uuid primary key default gen_random_uuid(),
  owner_id text not null,
  name text not null,
  created_at timestamptz not null default now()
);

create table todos (
  id uuid primary key default gen_random_uuid(),
  list_id uuid not null references lists (id) on delete cascade,
  description text not null,
  completed boolean not null default false
);

insert into lists (id, owner_id, name)
values ('00000000-0000-0000-0000-000000000001', 'ada', 'Groceries');

insert into todos (list_id, description)
values
  ('00000000-0000-0000-0000-000000000001', 'Bread'),
  ('00000000-0000-0000-0000-000000000001', 'Olives');
`;

/** @param config the path of the config from the folder of the tests */
export const firstTests = (
  config: string,
): string => `# These tests check which users get which rows. Run them with \`headwater test\`.
config: ${config}

users:
  ada: { id: ada }
  bob: { id: bob }

rows:
  lists: [{ id: garden, owner_id: ada }, { id: attic, owner_id: bob }]
  todos: [{ id: roses, list_id: garden, completed: false }]

tests:
  - name: everyone has their own lists
    expect: { ada: { lists: [garden] }, bob: { lists: [attic] } }
  - name: subscribing to the list of another user returns nothing
    subscribe: [{ stream: todos, parameters: { list_id: garden } }]
    expect: { ada: { todos: [roses] }, bob: { todos: none } }

always:
  - name: a list stays with its owner
    table: lists
    holds: owner_id = auth.user_id()
`;
