/**
 * The process of the embedded database: opens the folder given as its argument, listens on a free loopback port for
 * Postgres clients, and answers the service over its channel. Ends when the service does. One in memory has no folder and
 * no clients.
 */
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { setModesPrivately, writePrivately } from '../../../ground/privateFiles.ts';
import { startAlone } from '../../../ground/unattended.ts';
import { confine } from './confinement/confine.ts';
import { watchForFaults } from './confinement/faults.ts';
import { logIn } from './confinement/login.ts';
import { serveConnection } from './connection.ts';
import { createCluster, hasCluster, MemoryCluster } from './emptyCluster.ts';
import { openExtensions } from './extensions.ts';
import { liveWithParent } from './parent.ts';
import {
  type Answer,
  type DatabaseProblem,
  type FromDatabase,
  inMemory,
  passwordVariable,
  type Request,
  type ToDatabase,
} from './protocol.ts';
import { type Verifier, verifierOf } from './scram.ts';
import { openSession, type Session } from './session.ts';
import { standStill } from './standStill.ts';

/**
 * Little memory; values look as those that are captured do (`capture.ts`); and names are looked up as on Supabase, where
 * extensions have a schema of their own. One that does not exist is passed over.
 */
const settings = [
  'search_path="$user", public, extensions',
  'shared_buffers=8MB',
  'timezone=UTC',
  'datestyle=ISO',
  'intervalstyle=postgres',
  'bytea_output=hex',
  'extra_float_digits=1',
  // The creator of a role may act as that role, like a superuser.
  'createrole_self_grant=set, inherit',
  // Rows that do not fit into memory are sorted on disk.
  'temp_file_limit=2GB',
  // A slot would keep the log forever.
  'max_replication_slots=0',
  // V8 has less room for nested calls than PostgreSQL expects, and PostgreSQL does not survive the end of it.
  'max_stack_depth=400kB',
];

/** `ENOSPC` in WASI, and as Node calls it. */
const noSpace: ReadonlySet<unknown> = new Set([51, 'ENOSPC']);

/**
 * The work of a PostgreSQL function before V8 optimises it: 15 times V8's default. Large functions reach the default during
 * each start, and optimising them takes as much processor time as the rest of the start.
 */
const optimiseAfter = '--wasm-tiering-budget=200000000';

/** An end of the process does not wait for these: activity may never come, and scripts can take very long. */
const unawaited: ReadonlySet<Request['kind']> = new Set(['activity', 'load']);

const tell = (told: FromDatabase): void => {
  if (process.connected) process.send?.(told);
};

setFlagsFromString(optimiseAfter);
const workplace = liveWithParent();
writePrivately();
setModesPrivately();
process.on('disconnect', () => process.exit(0));
// The service says when it is time: Ctrl-C in a terminal, and its end, reach both.
for (const signal of ['SIGINT', 'SIGBREAK', 'SIGHUP'] as const) process.on(signal, () => {});

// The password comes in a variable, because everybody can read the command lines of processes.
const password = process.env[passwordVariable] ?? '';
delete process.env[passwordVariable];

const [, , folderName = '', idleTime = ''] = process.argv;

open(folderName, { verifier: verifierOf(password), idle: Number(idleTime) }).catch((error: unknown) => {
  tell({ kind: 'broken', problem: problemOf(error) });
  process.exitCode = 1;
  process.disconnect?.();
});

async function open(folder: string, door: Door): Promise<void> {
  const isAlone = folder === inMemory;
  if (isAlone) standStill();
  else {
    // The lock needs SQLite, which an editor's Node may not have.
    (await import('./lock.ts')).lockDatabase(folder);
    if (!hasCluster(folder)) createCluster(folder);
    // Killed statements have left files there. Only a server with several processes removes them on its own.
    rmSync(join(folder, 'base/pgsql_tmp'), { recursive: true, force: true });
  }
  const database = await PGlite.create({
    ...(isAlone ? { fs: new MemoryCluster() } : { dataDir: folder }),
    startParams: [...PGlite.defaultStartParams, ...settings.flatMap((each) => ['-c', each])],
  });
  confine(database);
  watchForFaults(database, (reason) => {
    workplace.reportEnd(reason);
    process.exit(1);
  });
  const extensions = await openExtensions(database);
  const owner = await logIn(database);
  const activity = openActivity();
  const session = openSession({ database, owner, extensions, workplace, onTurn: activity.happened });
  const server = isAlone ? undefined : await listen(session, door);
  const waiting = new Set<number>();
  const answering = new Set<Promise<void>>();
  const stop = (): void => {
    server?.close();
    Promise.all(answering)
      .then(() => database.close())
      .finally(() => process.exit(0));
  };
  process.on('message', ({ id, request }: ToDatabase) => {
    if (request.kind === 'cancel') return void waiting.delete(id);
    if (request.kind === 'stop') return stop();
    if (request.kind === 'read') waiting.add(id);
    const begin = (): boolean => {
      const isWanted = waiting.delete(id);
      if (isWanted) tell({ kind: 'begun', id });
      return isWanted;
    };
    const begins = (script: string, start: number) => tell({ kind: 'begun', id, place: { script, start } });
    const answered = answer(session, activity, request, { begin, begins }).then(
      (given) => tell({ kind: 'answer', id, answer: given }),
      (error: unknown) => tell({ kind: 'failure', id, problem: problemOf(error) }),
    );
    if (unawaited.has(request.kind)) return;
    answering.add(answered);
    void answered.then(() => answering.delete(answered));
  });
  process.on('SIGTERM', stop);
  workplace.open();
  tell({ kind: 'ready', port: (server?.address() as { port: number } | undefined)?.port ?? 0 });
}

/** The conditions for clients. */
interface Door {
  readonly verifier: Verifier;
  /** Milliseconds that an open transaction may wait for its client. */
  readonly idle: number;
}

function listen(session: Session, door: Door): Promise<Server> {
  let connections = 0;
  let open = 0;
  const warn = (text: string) => tell({ kind: 'warning', message: text });
  // Each message is answered on its own: without delay, or clients wait for 40 ms.
  const server = createServer({ noDelay: true }, (socket) => {
    connections += 1;
    const id = connections;
    open += 1;
    startAlone('A connection of the embedded database', async () => {
      try {
        await serveConnection({ session, socket, id, warn, ...door });
      } finally {
        open -= 1;
        if (open === 0) await session.forget();
      }
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

interface Activity {
  readonly turns: () => number;
  readonly happened: () => void;
  readonly wait: (after: number) => Promise<void>;
}

function openActivity(): Activity {
  let turns = 0;
  let waiting: (() => void)[] = [];
  return {
    turns: () => turns,
    happened() {
      turns += 1;
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    async wait(after) {
      if (turns <= after) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

interface Beginnings {
  /** Whether the work is still wanted, for work that may be cancelled. */
  readonly begin: () => boolean;
  /** For a statement in a script. */
  readonly begins: (script: string, start: number) => void;
}

async function answer(
  session: Session,
  activity: Activity,
  request: Request,
  { begin, begins }: Beginnings,
): Promise<Answer> {
  const turns = activity.turns();
  switch (request.kind) {
    case 'activity':
      await activity.wait(request.after);
      return { rows: [], columns: [], turns: activity.turns() };
    case 'execute':
      await session.execute(request.sql);
      activity.happened();
      return { rows: [], columns: [], turns };
    case 'load': {
      await session.load(request, begins);
      activity.happened();
      return { rows: [], columns: [], turns };
    }
    case 'copy':
      return { rows: [], columns: [], lines: await session.copyOut(request.select), turns };
    case 'read': {
      const found = await session.read(request, begin);
      if (found === undefined) return { rows: [], columns: [], turns };
      const { fields, rows, truncated, types } = found;
      const oids = fields.map(({ type }) => type);
      return { rows, columns: fields.map(({ name }) => name), oids, types, truncated, turns };
    }
    case 'query': {
      const { rows, fields } = await session.query(request);
      return { rows, columns: fields.map(({ name }) => name), turns };
    }
  }
}

function problemOf(error: unknown): DatabaseProblem {
  if (!(error instanceof Error) || 'syscall' in error) return { message: fileProblem(error) };
  const { code, position } = error as Error & { code?: unknown; position?: unknown };
  return {
    message: error.message,
    ...(typeof code === 'string' && { code }),
    ...(typeof position === 'string' && { position: Number(position) }),
  };
}

/** The file system of the database throws objects without a message, with the number of an error of WASI; Node has codes. */
function fileProblem(error: unknown): string {
  const { code, errno } = Object(error) as { readonly code?: unknown; readonly errno?: unknown };
  const reason = code ?? errno ?? error;
  return noSpace.has(reason)
    ? 'The disk with the embedded database is full: free some space.'
    : `The embedded database cannot use its folder (error ${reason}).`;
}
