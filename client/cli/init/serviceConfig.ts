/** The service config that `headwater init` writes. */
import { type FirstSource, isOnThisMachine, variableNames } from './firstSource.ts';

interface NewService {
  readonly port: number;
  readonly database: FirstSource;
  readonly supabase: { readonly keySet?: string } | undefined;
}

export function serviceConfigText({ port, database, supabase }: NewService): string {
  return `# How the service runs. Secrets come from .env, or from the environment.
_type: self-hosted
port: ${port}

replication:
  connections:
${connectionText(database)}
${database.kind === 'embedded' ? '' : storageText}client_auth:
${supabase === undefined ? '  audience: [headwater]\n' : supabaseText(supabase)}  jwks:
    keys:
      # Signs the tokens of \`headwater generate token\`, for development. Remove it in production.
      - kty: oct
        alg: HS256
        kid: dev
        k: !env ${variableNames.key}

api:
  tokens:
    - !env ${variableNames.token}

# Probes use only HTTP. Without this, the service also writes files about its health into .probes.
healthcheck:
  probes:
    use_http: true
`;
}

/** The comment in a config with an embedded part mentions that other services cannot run the config. */
const storageText = `# The rows for clients are stored in a folder, for one process. Other services, and several processes,
# need type: postgresql and a uri.
# headwater-ignore service-embedded-only
storage:
  type: embedded
  path: .headwater

`;

function connectionText(database: FirstSource): string {
  switch (database.kind) {
    case 'embedded': {
      const { schema, port } = database;
      const made =
        schema.length === 0 ? '' : `, created by ${schema.length === 1 ? schema[0] : 'these files'}`;
      return `    # The service's own database${made}. For your database: type: postgresql, and its uri.
    # headwater-ignore service-embedded-only
    - type: embedded
${schemaText(schema)}      # Your backend and psql can write to it, on this machine only. \`headwater dev\` prints the address.
      port: ${port}
      password: !env ${variableNames.password}
`;
    }
    case 'postgresql':
      return `    # It needs wal_level = logical, and a publication named powersync. \`headwater doctor\` checks both.
    - type: postgresql
      uri: !env ${database.variable}
${isOnThisMachine(database.address) ? '      sslmode: disable\n' : ''}`;
  }
}

function schemaText(paths: readonly string[]): string {
  const [only, second] = paths;
  if (only === undefined) return '';
  if (second === undefined) return `      schema: ${scalar(only)}\n`;
  return `      schema:\n${paths.map((path) => `        - ${scalar(path)}\n`).join('')}`;
}

function scalar(path: string): string {
  return /^[\w./][\w./ @-]*$/.test(path) && !path.endsWith(' ') ? path : JSON.stringify(path);
}

function supabaseText({ keySet }: NonNullable<NewService['supabase']>): string {
  const uri = keySet === undefined ? '' : `  jwks_uri: ${keySet}\n`;
  return `  supabase: true
  supabase_jwt_secret: !env ${variableNames.supabase}
${uri}  audience: [authenticated, headwater]
`;
}
