/**
 * The process of the embedded database. It opens the folder from its argument, listens on a free loopback port for PostgreSQL
 * clients, and answers the service over its channel. It ends when the service ends. A database in memory has no folder and no
 * clients.
 */
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { type Extension, PGlite } from '@electric-sql/pglite';
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
 * The settings of PostgreSQL. They save memory, and make values look the same as captured ones (`capture.ts`). Names are looked
 * up as on Supabase, where extensions have a separate schema; a schema that does not exist is skipped.
 */
const settings = [
  'search_path="$user", public, extensions',
  'shared_buffers=8MB',
  'timezone=UTC',
  'datestyle=ISO',
  'intervalstyle=postgres',
  'bytea_output=hex',
  'extra_float_digits=1',
  // The creator of a role may act as that role, as a superuser may.
  'createrole_self_grant=set, inherit',
  // Rows are sorted on disk if they do not fit into memory.
  'temp_file_limit=2GB',
  // A slot would retain the log forever.
  'max_replication_slots=0',
  // V8 has less room for nested calls than PostgreSQL expects, and PostgreSQL does not survive a stack overflow.
  'max_stack_depth=400kB',
];

/** The codes for `ENOSPC`: in WASI, and in Node. */
const noSpace: ReadonlySet<unknown> = new Set([51, 'ENOSPC']);

/**
 * Makes V8 optimise a function of PostgreSQL as late as it can. V8 estimates the work of a loop by the size of its code, so the loop of
 * PostgreSQL's parser, which has 100 KB, seems to be worth it while a project is loaded. Optimising it would take as much processor
 * time as the remaining start, and 600 MB of memory.
 */
const optimiseAfter = '--wasm-tiering-budget=2147483647';

/**
 * V8 counts no round of a loop as more than a quarter of this number, which it reads when it first runs the function. So this number,
 * set while the functions of a start run first, makes rounds of the parser's loop count as 2 KB. The budget itself stays as it was,
 * because V8 read it before.
 */
const countLittle = '--wasm-tiering-budget=8000';

/** Runs `countLittle` after PostgreSQL is in memory, and before it runs. */
const largeLoops: Extension = {
  name: 'large loops',
  setup: async (_, { preRun = [], ...options }) => ({
    emscriptenOpts: { ...options, preRun: [...preRun, () => setFlagsFromString(countLittle)] },
  }),
};

/** Requests that a stop does not wait for, because activity may never come and scripts can take very long. */
const unawaited: ReadonlySet<Request['kind']> = new Set(['activity', 'load']);

const tell = (told: FromDatabase): void => {
  if (process.connected) process.send?.(told);
};

setFlagsFromString(optimiseAfter);
const workplace = liveWithParent();
writePrivately();
setModesPrivately();
process.on('disconnect', () => process.exit(0));
// These signals are ignored, because Ctrl-C in a terminal also reaches the service, and the service asks this process to stop.
for (const signal of ['SIGINT', 'SIGBREAK', 'SIGHUP'] as const) process.on(signal, () => {});

// The password comes in a variable, because all users of the machine can read the command lines of processes.
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
    // The lock needs SQLite, which the Node of an editor may not have.
    (await import('./lock.ts')).lockDatabase(folder);
    if (!hasCluster(folder)) createCluster(folder);
    // Killed statements have left temporary files there. Only a server with several processes removes them automatically.
    rmSync(join(folder, 'base/pgsql_tmp'), { recursive: true, force: true });
  }
  const database = await PGlite.create({
    ...(isAlone ? { fs: new MemoryCluster() } : { dataDir: folder }),
    startParams: [...PGlite.defaultStartParams, ...settings.flatMap((each) => ['-c', each])],
    extensions: { largeLoops },
  });
  setFlagsFromString(optimiseAfter);
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
  /** How long an open transaction may wait for its client, in milliseconds. */
  readonly idle: number;
}

function listen(session: Session, door: Door): Promise<Server> {
  let connections = 0;
  let open = 0;
  const warn = (text: string) => tell({ kind: 'warning', message: text });
  // Messages are answered individually, so they must be sent without delay. Otherwise, clients would wait for 40 ms.
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
  /** Called when the work begins. Returns whether the work is still wanted, because it may have been cancelled. */
  readonly begin: () => boolean;
  /** Called when a statement in a script begins. */
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

/**
 * Explains an error of the file system. PGlite throws objects without a message, with an error number of WASI; Node's errors have
 * codes.
 */
function fileProblem(error: unknown): string {
  const { code, errno } = Object(error) as { readonly code?: unknown; readonly errno?: unknown };
  const reason = code ?? errno ?? error;
  return noSpace.has(reason)
    ? 'The disk with the embedded database is full: free some space.'
    : `The embedded database cannot use its folder (error ${reason}).`;
}
