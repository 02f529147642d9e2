-- The source: what the backend of the app would keep. The embedded database is made of this file when it is empty.

create table channels (
  id text primary key,
  name text not null
);

create table members (
  id text primary key,
  channel_id text not null references channels (id) on delete cascade,
  user_id text not null,
  role text not null default 'member' check (role in ('member', 'moderator')),
  unique (channel_id, user_id)
);

create table messages (
  id uuid primary key default gen_random_uuid(),
  channel_id text not null references channels (id) on delete cascade,
  author_id text not null,
  body text not null,
  sent_at timestamptz not null default now()
);

create table reports (
  id uuid primary key default gen_random_uuid(),
  channel_id text not null references channels (id) on delete cascade,
  reason text not null
);

insert into channels (id, name) values
  ('general', 'General'),
  ('board', 'The board');

insert into members (id, channel_id, user_id, role) values
  ('m1', 'general', 'ada', 'moderator'),
  ('m2', 'general', 'grace', 'member'),
  ('m3', 'board', 'ada', 'member');

insert into messages (channel_id, author_id, body) values
  ('general', 'ada', 'Welcome!'),
  ('board', 'ada', 'Grace does not get this one.');

insert into reports (channel_id, reason) values
  ('general', 'Only moderators get this one.');
