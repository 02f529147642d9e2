-- The source: what the backend of the app would keep. The embedded database is made of this file when it is empty.

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

insert into lists (id, owner_id, name) values
  ('00000000-0000-0000-0000-000000000001', 'ada', 'Groceries'),
  ('00000000-0000-0000-0000-000000000002', 'grace', 'Nobody else sees this one');

insert into todos (list_id, description, completed) values
  ('00000000-0000-0000-0000-000000000001', 'Bread', true),
  ('00000000-0000-0000-0000-000000000001', 'Olives', false),
  ('00000000-0000-0000-0000-000000000002', 'A surprise for Ada', false);
