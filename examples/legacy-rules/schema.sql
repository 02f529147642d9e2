-- The source: what the backend of the app would keep. The embedded database is made of this file when it is empty.

create table labels (
  id text primary key,
  name text not null
);

create table projects (
  id text primary key,
  owner_id text not null,
  name text not null
);

create table tasks (
  id uuid primary key default gen_random_uuid(),
  project_id text not null references projects (id) on delete cascade,
  title text not null,
  done boolean not null default false
);

insert into labels (id, name) values ('urgent', 'Urgent');

insert into projects (id, owner_id, name) values
  ('bridge', 'ada', 'A bridge'),
  ('tunnel', 'grace', 'Nobody else sees this one');

insert into tasks (project_id, title, done) values
  ('bridge', 'Measure the river', true),
  ('bridge', 'Draw a plan', false),
  ('tunnel', 'Dig', false);
