/** The process of the embedded database, as the service sees it. It is started when first needed, and again after it has ended. */
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { repeat, startAlone } from '../../ground/unattended.ts';
import type { World } from '../../ground/world.ts';
import { type FailureKind, SourceFailure } from '../source.ts';
import { noCodeFromStrings } from './database/confinement/confine.ts';
import {
  type Answer,
  type DatabaseProblem,
  type FromDatabase,
  type LoadScripts,
  type Pulse,
  passwordVariable,
  pulseEvery,
  pulseFile,
  type Read,
  type Request,
  type ToDatabase,
} from './database/protocol.ts';
import { DatabaseEnd } from './databaseEnd.ts';
import { type DatabaseLimits, usualLimits } from './limits.ts';
import type { StatementPlace } from './loading/places.ts';
import { followPulses, type Pulses } from './pulse.ts';
import { readInTime } from './readInTime.ts';
import { loadInTime } from './scripts/loadInTime.ts';

export interface DatabaseProcess {
  /** The loopback port on which PostgreSQL clients connect. */
  readonly port: number;
  ask(request: Request): Promise<Answer>;
  /** Runs a statement of the user. If it takes too long, the process is ended, because nothing else can end the statement. */
  read(request: Read, signal: AbortSignal): Promise<Answer>;
  /**
   * Runs scripts of the project. Fails with `FatalStatement` if one of their statements takes too long or ends the process.
   *
   * @param longest the time limit for one statement, in milliseconds
   */
  load(request: LoadScripts, longest?: number): Promise<Answer>;
  readonly problem: Pulses['problem'];
  /** Marks the database as complete. From then on, it is shut down cleanly instead of being killed. */
  keep(): void;
  /** Resolves when the process has ended, to undefined if it was asked to end. */
  readonly ended: Promise<DatabaseEnd | undefined>;
  /**
   * Stops the process, which first answers earlier questions and then shuts down cleanly. If a long statement blocks it, the
   * process is killed, and unanswered questions fail with this reason.
   */
  stop(reason?: StopReason): Promise<void>;
}

type StopReason = Extract<FailureKind, 'closed' | 'reset'>;

/** An error in a statement, with the message of the database. */
export class StatementFailure extends Error {
  readonly code: string | undefined;
  readonly position: number | undefined;

  constructor({ message, code, position }: DatabaseProblem) {
    super(message);
    this.code = code;
    this.position = position;
  }
}

/**
 * The time limit for closing files, in milliseconds. Normally, some hundred are enough. A killed process recovers at the next
 * start.
 */
const stopsWithin = 2_000;

/** The wait in milliseconds after which the reason for waiting is logged. */
const silentWait = 2_000;

const startSentences = {
  new: 'Waiting for the embedded database to be created',
  kept: 'Waiting for the embedded database to start',
} as const;

interface Start {
  /** The data folder, or {@link inMemory}. */
  readonly folder: string;
  /** The password of the database's clients. */
  readonly password: string;
  readonly limits?: DatabaseLimits;
  /** The content of the folder. A database with new content is killed instead of stopped until `keep` is called. */
  readonly content?: 'kept' | 'new';
  /** Ends the process when aborted, even during its start, which takes seconds. */
  readonly closing?: AbortSignal;
}

export function startDatabase(
  { folder, password, limits = usualLimits, content = 'kept', closing }: Start,
  { log, clock }: Pick<World, 'log' | 'clock'>,
): Promise<DatabaseProcess> {
  const child = fork(program(), [folder, String(limits.idle)], {
    serialization: 'advanced',
    execArgv: [...process.execArgv, noCodeFromStrings],
    env: { ...process.env, [passwordVariable]: password },
    // Nothing is written to the standard input. It is a pipe because its end shows the child that this process has ended.
    stdio: ['pipe', 'pipe', 'pipe', 'ipc', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => log.write('debug', `database: ${text.trim()}`));
  }
  const pulses = followPulses(child.stdio?.[pulseFile] as Readable | undefined, child.pid, clock);
  const waiting = new Map<number, PendingCall>();
  let last = 0;
  let stopReason: StopReason | undefined;
  let killReason: string | undefined;
  let isKept = content === 'kept';
  const ended = new Promise<DatabaseEnd | undefined>((resolve) => {
    child.once('exit', async (code, signal) => {
      const end =
        stopReason === undefined ? endOf(await pulses.last(), { code, signal, killReason }) : undefined;
      if (end !== undefined)
        log.write('error', `${end.message} It starts again when it is needed.`, {
          ...(code !== null && { code }),
          ...(signal !== null && { signal }),
        });
      for (const { reject } of waiting.values()) reject(end ?? goneFailure(stopReason));
      waiting.clear();
      resolve(end);
    });
  });
  const rejectAtEnd = (reject: (reason: Error) => void): void =>
    startAlone('Waiting for the end of the embedded database', async () =>
      reject((await ended) ?? goneFailure(stopReason)),
    );
  const send = (asked: ToDatabase): void => {
    if (child.connected) child.send(asked);
  };
  const ask = (request: Request, begun?: PendingCall['begun']): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (!child.connected) return rejectAtEnd(reject);
      last += 1;
      waiting.set(last, { resolve, reject, begun });
      send({ id: last, request });
    });
  const kill = async (reason: string): Promise<void> => {
    killReason = reason;
    child.kill('SIGKILL');
    await ended;
  };
  const over = new AbortController();
  child.once('exit', () => over.abort());
  startAlone('Watching statements', () =>
    repeat('Watching statements', { every: pulseEvery, clock, signal: over.signal }, async () => {
      if (killReason === undefined && pulses.statementTime() > limits.statement)
        await kill(`it takes longer than ${limits.statement / 1000} s`);
    }),
  );
  const load: DatabaseProcess['load'] = (request, longest = limits.script) =>
    loadInTime({ request, answer: (begun) => ask(request, begun), kill, clock, longest });
  const read: DatabaseProcess['read'] = (request, signal) => {
    const answer = (begun: () => void) => ask(request, begun);
    const id = last + 1;
    const leaveOut = (): void => send({ id, request: { kind: 'cancel' } });
    return readInTime({ answer, leaveOut, kill, clock }, signal);
  };
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    rejectAtEnd(reject);
    const begun = new AbortController();
    for (const event of ['message', 'exit', 'error']) child.once(event, () => begun.abort());
    startAlone('Starting the embedded database', async () => {
      await clock.sleep(silentWait, begun.signal);
      if (!begun.signal.aborted) log.write('info', startSentences[content], { folder });
    });
    const stop = (reason: StopReason = 'closed'): Promise<void> => {
      stopReason = reason;
      if (!isKept) child.kill('SIGKILL');
      // A message is sent on Windows, because a signal would kill the process instead of asking it to stop.
      else if (process.platform === 'win32') send({ id: 0, request: { kind: 'stop' } });
      else child.kill('SIGTERM');
      const late = new AbortController();
      startAlone('Stopping the embedded database', async () => {
        await clock.sleep(stopsWithin, late.signal);
        if (!late.signal.aborted) child.kill('SIGKILL');
      });
      return ended.then(() => late.abort());
    };
    const keep = () => {
      isKept = true;
    };
    // A process that is being stopped no longer answers, which is not a problem.
    const problem = () => (stopReason === undefined ? pulses.problem() : undefined);
    const stopAlone = (): void => startAlone('Stopping the embedded database', stop);
    if (closing?.aborted) stopAlone();
    closing?.addEventListener('abort', stopAlone);
    child.on('message', (told: FromDatabase) => {
      if (told.kind === 'ready') {
        pulses.opened();
        resolve({ port: told.port, ask, read, load, problem, keep, ended, stop });
      } else if (told.kind === 'warning') log.write('warn', told.message);
      else if (told.kind === 'broken') reject(new SourceFailure('other', 'SVC_S1101', told.problem.message));
      else settle(waiting, told);
    });
  });
}

interface PendingCall {
  readonly begun?: ((place?: StatementPlace) => void) | undefined;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

function settle(waiting: Map<number, PendingCall>, told: Extract<FromDatabase, { id: number }>): void {
  const one = waiting.get(told.id);
  if (told.kind === 'begun') {
    one?.begun?.(told.place);
    return;
  }
  waiting.delete(told.id);
  if (told.kind === 'answer') one?.resolve(told.answer);
  else one?.reject(new StatementFailure(told.problem));
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The reason why this process killed the child. Absent: it did not. */
  readonly killReason: string | undefined;
}

function endOf(last: Pulse | undefined, { code, signal, killReason }: Exit): DatabaseEnd {
  const { ended: reason = killReason, statement } = last ?? {};
  if (reason !== undefined) return new DatabaseEnd({ kind: 'statement', reason, statement });
  return new DatabaseEnd({ kind: 'unknown', exit: signal ?? `exit code ${code}` });
}

const goneSentences: Readonly<Record<StopReason, string>> = {
  closed: 'The process of the embedded database has ended.',
  reset: 'The embedded database is being created again.',
};

function goneFailure(reason: StopReason = 'closed'): SourceFailure {
  return new SourceFailure(reason, 'SVC_S1101', goneSentences[reason]);
}

/** Returns the path of the program: next to the service's bundle, or among the sources. */
function program(): string {
  const bundled = join(import.meta.dirname, 'database.js');
  return existsSync(bundled) ? bundled : join(import.meta.dirname, 'database', 'main.ts');
}
