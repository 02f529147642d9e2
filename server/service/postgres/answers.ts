/**
 * Finds out whether an answer will still come. A late answer may have been lost, together with the connection that should have
 * delivered it. So the server is asked over another connection whether it is still working on the answer.
 */
import type { Socket } from 'node:net';
import type pg from 'pg';
import { systemClock } from '../ground/clock.ts';
import { type HearingPatience, listenFor } from '../ground/hearing.ts';

interface Question {
  /** The id of the server's process. */
  readonly process: number;
  readonly work: Work;
}

export type Work =
  /** A statement. The server's process is working until the statement has ended. */
  | 'statement'
  /** A replication command. Servers before version 14 do not report what they are doing for it. */
  | 'command'
  /** A stream of changes. Its process was just asked for a sign of life, so it has work until it waits again. */
  | 'stream';

/** Fails if the server does not answer this question either. */
export type AskServer = (question: Question) => Promise<'working' | 'idle' | 'gone' | 'unknown'>;

/** Whether it is certain that there is no pooler between this process and the server's process. */
export interface Direct {
  isSure: boolean;
}

/**
 * The patience is long, because a statement may take long, and an overloaded server is slow to accept the connection for the
 * question.
 */
const patience: HearingPatience = { ask: 5, giveUp: 15 };

interface Internals {
  readonly processID: number | null;
  readonly readyForQuery?: boolean;
  readonly connection: { readonly stream: Socket };
}

export function processOf(client: pg.ClientBase): number {
  return (client as unknown as Internals).processID ?? 0;
}

interface Watch {
  readonly work: Work;
  readonly direct: Direct;
  readonly askServer: AskServer;
  /** Asks a stream for a sign of life. */
  readonly prompt?: (() => void) | undefined;
}

/** Closes a connection on which no answer will come, so that waiting callers get an error. Watches until the connection ends. */
export function watchAnswers(client: pg.ClientBase, { work, direct, askServer, prompt }: Watch): void {
  const internals = client as unknown as Internals;
  const socket = internals.connection.stream;
  const ended = new AbortController();
  client.once('end', () => ended.abort());
  const giveUp = (): void => {
    socket.destroy(Object.assign(new Error('silence'), { code: 'ETIMEDOUT' }));
  };
  const ear = listenFor(
    {
      patience,
      // A socket that is paused because its data is not being read is not silent.
      isExpected: () => internals.readyForQuery !== true && !socket.isPaused(),
      ask: async ({ asked }) => {
        prompt?.();
        // Normally the stream itself answers.
        if (prompt !== undefined && asked === 0) return;
        const state = await askServer({ process: processOf(client), work });
        if (state === 'idle' || (state === 'gone' && direct.isSure)) ear.take('denied');
        else ear.take('heard');
      },
      renew: giveUp,
    },
    systemClock,
    ended.signal,
  );
  socket.on('data', () => ear.take('heard'));
}

export const stateOfProcess = `SELECT state, wait_event FROM pg_catalog.pg_stat_activity WHERE pid = $1`;

export interface ProcessState {
  /** Null if the role may not see it. */
  readonly state: string | null;
  readonly wait_event: string | null;
}

export function toAnswer(found: ProcessState | undefined, work: Work): Awaited<ReturnType<AskServer>> {
  if (found === undefined) return 'gone';
  const { state, wait_event: event } = found;
  if (work === 'command') return 'working';
  if (work === 'stream') return /^WalSender/i.test(event ?? '') ? 'idle' : 'working';
  if (state === null) return 'unknown';
  return state === 'active' && event !== 'ClientRead' && event !== 'ClientWrite' ? 'working' : 'idle';
}
