-- The source tables of sync.yaml.

create table lists (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null,
  name text not null,
  created_at timestamptz not null default now()
);

create table todos (
  id uuid primary key default gen_random_uuid(),
  list_id uuid not null references lists (id) on delete cascade,
  description text not null,
  completed boolean not null default false
);

create publication powersync for table lists, todos;
