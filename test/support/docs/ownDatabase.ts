/** The PostgreSQL server that the reader of a page already has: with TLS, and with a second database for a storage. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../house/eventually.ts';
import { makeCertificates } from '../processes/certificates.ts';
import { postgresPrograms, startPostgres, superuser, type TestPostgres } from '../processes/postgres.ts';
import type { Step } from './steps.ts';

export interface OwnDatabase {
  /** The variables of the reader's environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** Runs the statements of a page one by one. The server restarts after a setting that needs it. */
  run(sql: string): Promise<void>;
  stop(): Promise<void>;
}

/** The reason why this machine cannot follow the SQL of pages. */
export const noOwnDatabase: string | undefined =
  postgresPrograms.kind === 'missing' ? postgresPrograms.what : undefined;

/** Whether the reader of these steps needs a server of their own. */
export function needsOwnDatabase(steps: readonly Step[]): boolean {
  return steps.some(({ kind }) => kind === 'sql');
}

/** The parts of a Supabase database on which migrations rely. */
const supabase = `
CREATE SCHEMA auth;
CREATE TABLE auth.users (id uuid PRIMARY KEY, email text);
CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql AS 'SELECT NULL::uuid';`;

/** @param folder the folder of the reader, for the certificate of the server's authority */
export async function openOwnDatabase(steps: readonly Step[], folder: string): Promise<OwnDatabase> {
  const statements = steps.flatMap((step) => (step.kind === 'sql' ? statementsIn(step.text) : []));
  const certificates = makeCertificates(superuser.user);
  if (certificates === undefined) throw new Error('The program openssl is needed to follow the pages.');
  const { certificate, key } = certificates.server;
  const isPrepared = !statements.some((statement) => setsLevel.test(statement));
  const server = await startPostgres(
    // ALTER SYSTEM overrides these settings.
    {
      ssl: 'on',
      ssl_cert_file: 'server.crt',
      ssl_key_file: 'server.key',
      wal_level: isPrepared ? 'logical' : 'replica',
    },
    { 'server.crt': certificate, 'server.key': key },
  );
  await server.query('CREATE DATABASE storage');
  await server.query(supabase);
  // A page that creates no publication is for readers who already have one.
  if (!statements.some((statement) => statement.startsWith('CREATE PUBLICATION')))
    await server.query('CREATE PUBLICATION powersync FOR ALL TABLES');
  const authority = join(folder, '.authority.crt');
  writeFileSync(authority, certificates.ca);
  return {
    variables: {
      NODE_EXTRA_CA_CERTS: authority,
      PS_SOURCE_URI: addressOf(server, createdUser(statements) ?? superuser, 'postgres'),
      PS_STORAGE_URI: addressOf(server, superuser, 'storage'),
    },
    run: async (sql) => {
      for (const statement of statementsIn(sql)) {
        await server.query(await eventually(() => withRealSlot(statement, server)));
        if (setsLevel.test(statement)) await server.restart();
      }
    },
    stop: () => server.stop(),
  };
}

const setsLevel = /^ALTER SYSTEM SET wal_level\b/;

/** Splits at semicolons, and removes comments. The statements of pages have no semicolon in a string. */
function statementsIn(sql: string): readonly string[] {
  const plain = sql.replaceAll(/--.*$/gm, '');
  return plain.split(';').flatMap((statement) => (statement.trim() === '' ? [] : [statement.trim()]));
}

interface User {
  readonly user: string;
  readonly password: string;
}

/** Returns the user whom the page creates for the service. */
function createdUser(statements: readonly string[]): User | undefined {
  const [, user, password] =
    statements
      .map((statement) => /^CREATE ROLE (\w+) WITH LOGIN .*PASSWORD '(.+)'/.exec(statement))
      .find(Boolean) ?? [];
  return user === undefined || password === undefined ? undefined : { user, password };
}

/** The certificate is valid for `localhost`. */
function addressOf({ port }: TestPostgres, { user, password }: User, database: string): string {
  return `postgresql://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}`;
}

/** Replaces the name of a slot on a page with the name of the slot that no service uses. */
async function withRealSlot(statement: string, server: TestPostgres): Promise<string> {
  const example = /'powersync_\d+_[0-9a-f]{4}'/;
  if (!example.test(statement)) return statement;
  const unused = 'SELECT slot_name FROM pg_replication_slots WHERE NOT active';
  const [slot] = await server.query<{ slot_name: string }>(unused);
  if (slot === undefined) throw new Error('Each replication slot is in use, or there is none.');
  return statement.replace(example, `'${slot.slot_name}'`);
}
