/** What `headwater init` writes, by file name. */

/** Bytes: as long as the hash that signs with it. */
const secretLength = 32;

/** For this user alone. */
export const secretsFile = '.env';

export function templates(secret: (bytes: number) => string): Readonly<Record<string, string>> {
  return {
    'service.yaml': serviceConfig,
    'sync.yaml': syncConfig,
    'schema.sql': schema,
    [secretsFile]: `# Secrets of this machine. Keep this file out of version control.
PS_ADMIN_TOKEN=${secret(secretLength)}
PS_JWT_SECRET_B64URL=${secret(secretLength)}
PS_DATABASE_PASSWORD=${secret(secretLength)}
`,
    '.gitignore': '.env\n.headwater/\n',
  };
}

const serviceConfig = `# How the service runs. Secrets come from .env, or from the environment.
port: 8080

replication:
  connections:
    # A database of the service's own, made by schema.sql. For yours: type: postgresql, and its uri.
    - type: embedded
      schema: schema.sql
      # Your backend and psql write to it, on this machine only: \`headwater dev\` prints the address.
      port: 5499
      password: !env PS_DATABASE_PASSWORD

client_auth:
  audience: [headwater]
  jwks:
    keys:
      # Signs the tokens of \`headwater generate token\`.
      - kty: oct
        alg: HS256
        kid: dev
        k: !env PS_JWT_SECRET_B64URL

api:
  tokens:
    - !env PS_ADMIN_TOKEN

# Only over HTTP: without this, files about the service's health are written into .probes, too.
healthcheck:
  probes:
    use_http: true
`;

const syncConfig = `# What clients get. \`headwater deploy\` hands it to the service.
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

const schema = `-- The tables of the source. The embedded database is made by this file when it is empty.
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
