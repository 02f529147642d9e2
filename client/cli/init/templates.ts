/** What `headwater init` writes where there is nothing yet: two tables, and who gets their rows. */

export const firstSyncConfig = `# What clients get. \`headwater deploy\` hands it to the service.
config:
  edition: 3

streams:
  lists:
    # Everyone gets their own lists as soon as they connect.
    auto_subscribe: true
    query: SELECT id, name, created_at FROM lists WHERE owner_id = auth.user_id()

  todos:
    # The app subscribes to the list that is on screen; a list of someone else stays empty.
    query: |
      SELECT todos.id, todos.list_id, todos.description, todos.completed
      FROM todos
      JOIN lists ON lists.id = todos.list_id
      WHERE lists.owner_id = auth.user_id() AND todos.list_id = subscription.parameter('list_id')
`;

export const firstSchema = `-- The tables of the source. The embedded database is made by this file when it is empty.
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
