/** The database's process as the service sees it: started when first needed, again after it ended. */
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../log.ts';
import { SourceFailure } from '../source.ts';
import type { Answer, DatabaseProblem, Request, Told } from './database/protocol.ts';

export interface DatabaseProcess {
  /** Loopback port of its own, on which Postgres clients connect. */
  readonly port: number;
  ask(request: Request): Promise<Answer>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** An error in a statement, in the database's words. */
export class StatementFailure extends Error {
  readonly code: string | undefined;
  readonly position: number | undefined;

  constructor({ message, code, position }: DatabaseProblem) {
    super(message);
    this.code = code;
    this.position = position;
  }
}

export function startDatabase(folder: string, log: Log): Promise<DatabaseProcess> {
  const child = fork(program(), [folder], {
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => log.write('debug', `database: ${text.trim()}`));
  }
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let isStopping = false;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      if (!isStopping)
        log.write(
          'error',
          'The process of the embedded database has ended. It starts again when it is needed.',
          {
            ...(code !== null && { code }),
            ...(signal !== null && { signal }),
          },
        );
      for (const { reject } of waiting.values()) reject(gone());
      waiting.clear();
      resolve();
    });
  });
  const ask = (request: Request): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (!child.connected) return reject(gone());
      last += 1;
      waiting.set(last, { resolve, reject });
      child.send({ id: last, request });
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    ended.then(() => reject(gone()));
    const stop = (): Promise<void> => {
      isStopping = true;
      child.kill('SIGTERM');
      return ended;
    };
    child.on('message', (told: Told) => {
      if (told.kind === 'ready') resolve({ port: told.port, ask, ended, stop });
      else if (told.kind === 'broken') reject(new SourceFailure('other', 'SVC_S1101', told.problem.message));
      else settle(waiting, told);
    });
  });
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

function settle(waiting: Map<number, Waiting>, told: Extract<Told, { id: number }>): void {
  const one = waiting.get(told.id);
  waiting.delete(told.id);
  if (told.kind === 'answer') one?.resolve(told.answer);
  else one?.reject(new StatementFailure(told.problem));
}

function gone(): SourceFailure {
  return new SourceFailure('closed', 'SVC_S1101', 'The process of the embedded database has ended.');
}

/** Beside the service's bundle, or among its sources. */
function program(): string {
  const bundled = join(import.meta.dirname, 'database.js');
  return existsSync(bundled) ? bundled : join(import.meta.dirname, 'database', 'main.ts');
}
