/** Starts a real PostgreSQL server for tests, with its own folder and port. It ends with the test's process. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ensureCached } from '../../../scripts/rigs/cache.ts';
import { ensurePostgres, type NoPostgres, type PostgresPrograms } from '../../../scripts/rigs/postgres.ts';
import { run } from '../../../scripts/rigs/process.ts';
import { patient } from '../../../scripts/run/patience.ts';
import type { BatchLimits, PostgresConnection } from '../../../server/service/config/settings.ts';
import { freePort } from './freePort.ts';

/** Use as `describe.skipIf(postgresPrograms.kind === 'missing')`. */
export const postgresPrograms: PostgresPrograms | NoPostgres = await ensurePostgres();

export interface TestPostgres {
  /** The address for the superuser, with the password. */
  readonly uri: string;
  readonly port: number;
  /** The major version, for example `15`. */
  readonly major: number;
  /** Returns the settings of a source, without TLS. */
  connection(changes?: Partial<PostgresConnection>): PostgresConnection;
  /** Runs one statement, or several without parameters. The default database is `postgres`. */
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    args?: readonly unknown[],
    database?: string,
  ): Promise<Row[]>;
  /** Opens a connection, for example for transactions. The caller ends it. */
  client(database?: string): Promise<pg.Client>;
  /** Creates an empty database and returns its name. */
  createDatabase(): Promise<string>;
  /** Ends the server as a crash would. */
  halt(): Promise<void>;
  /** Ends the server as an administrator does: it waits for the readers of its log. Fails if they take too long. */
  shutDown(): Promise<void>;
  /** Starts the server again after {@link halt}. The settings replace former ones with the same names. */
  resume(settings?: ServerSettings): Promise<void>;
  restart(settings?: ServerSettings): Promise<void>;
  /** Copies the current data for {@link putBack}. Several copies need different names. */
  keepCopy(name?: string): Promise<void>;
  /** Ends the server as a crash would, and starts it with the copied data. */
  putBack(name?: string): Promise<void>;
  /** Ends the server, and starts it as a standby that takes over. */
  promote(): Promise<void>;
  /** Ends the server, and starts an empty one with another identity at the same address. */
  becomeAnother(): Promise<void>;
  /** Ends the server and deletes its folder. */
  stop(): Promise<void>;
}

/** Lines of postgresql.conf, without the quotes of their values. */
export type ServerSettings = Readonly<Record<string, string>>;

/** The default limits of a batch in a storage. */
export const usualBatch: BatchLimits = {
  maxRecordCount: 2000,
  maxEstimatedSize: 5_000_000,
  maxCurrentDataBatchSize: 50_000_000,
};

export const superuser = { user: 'postgres', password: 'open sesame: 100%' };

/** Returns the part of a service config that connects to a database of the server. */
export function connectionConfig({ port }: Pick<TestPostgres, 'port'>, database: string) {
  const { user: username, password } = superuser;
  return {
    type: 'postgresql',
    hostname: '127.0.0.1',
    port,
    database,
    username,
    password,
    sslmode: 'disable',
  };
}

const defaults: ServerSettings = {
  wal_level: 'logical',
  max_replication_slots: '30',
  max_wal_senders: '30',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // The files are deleted after the test, so there is no need to wait for the disk.
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '32MB',
  timezone: 'Europe/Berlin',
};

/** Starts a server. `files` are written to its folder, by name, for example certificates and pg_hba.conf. */
export async function startPostgres(
  settings: ServerSettings = {},
  files: Readonly<Record<string, string>> = {},
): Promise<TestPostgres> {
  if (postgresPrograms.kind === 'missing')
    throw new Error(`${postgresPrograms.what}. ${postgresPrograms.fix}`);
  const programs = postgresPrograms;
  const folder = await copyTemplate(programs);
  for (const [name, text] of Object.entries(files)) writeOwned(join(folder, name), text);
  const port = await freePort();
  let current: ServerSettings = { ...defaults, ...settings };
  let server = await startServer(programs, folder, port, current);
  const copies = new Set<string>();
  const copyOf = (name: string) => {
    copies.add(`${folder}.${name}`);
    return `${folder}.${name}`;
  };
  let databases = 0;
  const authority = `${superuser.user}:${encodeURIComponent(superuser.password)}@127.0.0.1:${port}`;

  const client = async (database = 'postgres') => {
    const opened = new pg.Client({ host: '127.0.0.1', port, database, ...superuser });
    // A test may end the server while the client is connected.
    opened.on('error', () => undefined);
    await opened.connect();
    return opened;
  };

  const rig: TestPostgres = {
    uri: `postgresql://${authority}/postgres`,
    port,
    major: Number.parseInt(programs.version, 10),
    connection: (changes) => ({ ...connectionTo(port), ...changes }),
    query: async (sql, args, database) => {
      const opened = await client(database);
      try {
        const result = await opened.query(sql, args === undefined ? undefined : [...args]);
        return Array.isArray(result) ? (result.at(-1)?.rows ?? []) : result.rows;
      } finally {
        await opened.end();
      }
    },
    client,
    createDatabase: async () => {
      databases += 1;
      await rig.query(`CREATE DATABASE test_${databases} STRATEGY = file_copy`);
      return `test_${databases}`;
    },
    halt: () => server.end(),
    shutDown: async () => {
      const [pid] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGINT');
      const deadline = performance.now() + shutDownWithin;
      try {
        while (await isListening(port)) {
          if (performance.now() > deadline) throw new Error('The server does not end.');
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      } finally {
        await server.end();
      }
    },
    resume: async (changes) => {
      current = { ...current, ...changes };
      server = await startServer(programs, folder, port, current);
    },
    restart: async (changes) => {
      await rig.halt();
      await rig.resume(changes);
    },
    keepCopy: async (name = 'kept') => {
      const copy = copyOf(name);
      await rig.halt();
      rmSync(copy, { recursive: true, force: true });
      await demand('cp', ['-a', folder, copy]);
      await rig.resume();
    },
    putBack: async (name = 'kept') => {
      await rig.halt();
      rmSync(folder, { recursive: true });
      await demand('cp', ['-a', copyOf(name), folder]);
      await rig.resume();
    },
    promote: async () => {
      await rig.halt();
      writeOwned(join(folder, 'recovery.signal'), '');
      await rig.resume({ restore_command: '/bin/false' });
    },
    becomeAnother: async () => {
      await rig.halt();
      rmSync(folder, { recursive: true });
      // Not a copy of the template, which would have the same identifier.
      mkdirSync(folder, { mode: 0o700 });
      await initialise(programs, folder);
      await rig.resume();
    },
    stop: async () => {
      await server.end();
      for (const copy of copies) rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return rig;
}

/** The time limit of a shutdown in milliseconds. A shutdown takes some hundredths of a second unless something blocks it. */
const shutDownWithin = patient(30_000);

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function connectionTo(port: number): PostgresConnection {
  return {
    type: 'postgresql',
    id: 'default',
    tag: 'default',
    debugApi: false,
    hostname: '127.0.0.1',
    port,
    username: superuser.user,
    password: superuser.password,
    database: 'postgres',
    tls: { mode: 'disable' },
    rejectIpRanges: [],
    maxPoolSize: 8,
    connectTimeoutSeconds: 20,
    slotNamePrefix: 'powersync_',
    heartbeatSeconds: 60,
    snapshotSocketTimeoutSeconds: 30,
  };
}

interface Server {
  /** Ends the server immediately. Its folder remains. */
  end(): Promise<void>;
}

/**
 * The server is on a leash: when this process ends, even if it is killed, the input of the shell also ends, and the shell then ends
 * the server and deletes its folder.
 */
const leash = `
"$0" -D "$1" & server=$!
read -r word
kill -QUIT $server
wait $server
[ "$word" = keep ] || rm -rf "$1"
`;

async function startServer(
  programs: PostgresPrograms,
  folder: string,
  port: number,
  settings: ServerSettings,
): Promise<Server> {
  const lines = Object.entries({ ...settings, port: String(port) });
  const text = lines.map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`).join('');
  // Included by the template's postgresql.conf.
  writeFileSync(join(folder, 'test.conf'), text);
  const shell = spawn('sh', ['-c', leash, join(programs.bin, 'postgres'), folder], {
    ...owner(),
    cwd: folder,
    stdio: ['pipe', 'ignore', 'pipe'],
    // The shell must survive a signal to the test's process group, because it cleans up.
    detached: true,
    // If a test sets `lc_messages` to another locale than C, messages are in German where PostgreSQL has translations.
    env: { LC_ALL: 'C', LANGUAGE: 'de' },
  });
  await readiness(shell);
  const gone = new Promise<void>((resolve) => shell.once('exit', () => resolve()));
  const end = async () => {
    shell.ref();
    shell.stdin?.end('keep\n');
    await gone;
  };
  return { end };
}

async function readiness(shell: ChildProcess): Promise<void> {
  let log = '';
  await new Promise<void>((resolve, reject) => {
    shell.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-20_000);
      if (log.includes('ready to accept connections')) resolve();
      // The leash does not notice a failed start. Clients that connect too early get an error, which is ignored here.
      if (/FATAL: {2}(?!the database system is (starting|not yet))|database system is shut down/.test(log)) {
        shell.stdin?.end('keep\n');
        reject(new Error(`PostgreSQL did not start: ${log}`));
      }
    });
    shell.once('error', reject);
    shell.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)));
  });
  // The output is still read, so that the server never waits for a full pipe.
  shell.stderr?.removeAllListeners('data').resume();
  // A test that forgot to stop the server can still end.
  shell.unref();
  for (const pipe of [shell.stdin, shell.stderr]) if (pipe instanceof Socket) pipe.unref();
}

/** Copies a template. `initdb` takes more than a second, so it runs once per version, and each server gets a copy. */
async function copyTemplate(programs: PostgresPrograms): Promise<string> {
  const root = join(tmpdir(), `headwater-postgres-${process.getuid?.()}`);
  mkdirSync(root, { recursive: true });
  // Each server's user deletes its own folder.
  chmodSync(root, 0o1777);
  const template = await ensureCached(
    `template-${programs.version}-r3`,
    (into) => initialise(programs, into),
    {
      root,
    },
  );
  const folder = mkdtempSync(join(root, 'server-'));
  await demand('cp', ['-a', `${template}/.`, folder]);
  return folder;
}

async function initialise(programs: PostgresPrograms, folder: string): Promise<void> {
  const { uid, gid } = owner();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  const passwordFile = `${folder}.password`;
  writeFileSync(passwordFile, superuser.password);
  await demand(join(programs.bin, 'initdb'), [
    ...['-D', folder, '-U', superuser.user, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
    // Segments of 1 MB. The usual 16 MB would be a third of the data that is copied for each server.
    ...['--encoding=UTF8', '--locale=C', '--no-sync', '--wal-segsize=1'],
  ]);
  rmSync(passwordFile);
  writeFileSync(join(folder, 'postgresql.conf'), "include = 'test.conf'\n", { flag: 'a' });
}

/** Writes a file that only its owner can read, because the server requires this for keys. */
function writeOwned(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  const { uid, gid } = owner();
  if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid);
}

async function demand(command: string, args: readonly string[]): Promise<void> {
  const identity = command === 'cp' ? {} : owner();
  const { code, output } = await run(command, args, { timeoutMs: 60_000, ...identity });
  if (code !== 0) throw new Error(`${command}: ${output}`);
}

/** Returns the user to run the server as. The server refuses to run as root. */
function owner(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function idOf(flag: '-u' | '-g'): number {
  for (const user of ['postgres', 'nobody']) {
    try {
      return Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: 'pipe' }));
    } catch {
      // There is no such user.
    }
  }
  throw new Error('There is neither a user postgres nor a user nobody to run PostgreSQL as');
}
