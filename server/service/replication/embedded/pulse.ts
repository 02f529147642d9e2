/** Distinguishes a database that runs a long statement from one whose process hangs, because neither of them answers. */
import type { Readable } from 'node:stream';
import { repeat, startAlone } from '../../ground/unattended.ts';
import type { Clock } from '../../ground/world.ts';
import { type SourceProblem, sourcePatience } from '../source.ts';
import { type Pulse, pulseEvery } from './database/protocol.ts';
import { oneLine } from './databaseEnd.ts';

export interface Pulses {
  /** Reports that the database is open. From now on, there is a pulse every second. */
  opened(): void;
  /** Returns the reason why the database does not answer, or undefined if no reason is known. */
  problem(): SourceProblem | undefined;
  /** Returns the milliseconds since the current statement began; 0 if no statement is running. */
  statementTime(): number;
  /** Resolves to the last pulse when no other can follow, because the process has ended. */
  last(): Promise<Pulse | undefined>;
}

/**
 * The times in milliseconds after which a statement or a silence is reported. They are long, because a busy machine may not run a
 * process for some seconds.
 */
const reportedAfter = { statement: 3_000, silence: sourcePatience } as const;

/**
 * Follows the pulses. Silence is counted in turns of this process, so the time while it could not run, or the machine was asleep,
 * does not count.
 */
export function followPulses(file: Readable | undefined, pid: number | undefined, clock: Clock): Pulses {
  // There is no file if the process could not be started.
  if (file === undefined)
    return {
      opened: () => {},
      problem: () => undefined,
      statementTime: () => 0,
      last: async () => undefined,
    };
  let last: Pulse | undefined;
  let silence = 0;
  let rest = '';
  const closed = new AbortController();
  const whole = new Promise<void>((resolve) => {
    file.once('close', resolve);
  });
  file.setEncoding('utf8');
  file.on('error', () => {});
  file.once('close', () => closed.abort());
  file.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      // The second thread of a process that is ending may send one more pulse.
      if (last?.ended === undefined) last = JSON.parse(line) as Pulse;
      silence = 0;
    }
  });
  startAlone('Counting silence', () =>
    repeat('Counting silence', { every: pulseEvery, clock, signal: closed.signal }, () => {
      silence += pulseEvery;
    }),
  );
  return {
    opened: () => {
      last = { blocked: 0 };
      silence = 0;
    },
    problem: () => last && pulseProblem(last, silence, pid),
    statementTime: () => (last?.runs === undefined ? 0 : last.runs + silence),
    last: () => whole.then(() => last),
  };
}

/** @param silence the milliseconds since the pulse */
export function pulseProblem(
  { blocked, runs, held = 0, statement = '' }: Pulse,
  silence: number,
  pid: number | undefined,
): SourceProblem | undefined {
  if (silence >= reportedAfter.silence) return silent(silence, pid);
  const text = oneLine(statement);
  if (runs === undefined && held >= reportedAfter.statement)
    return {
      level: 'warning',
      message: `A client has had a transaction open for ${seconds(held + silence)} without a statement, and all others wait until it ends. Its last statement: ${text}`,
    };
  if (runs === undefined)
    return blocked >= reportedAfter.silence ? silent(blocked + silence, pid) : undefined;
  if (runs < reportedAfter.statement) return undefined;
  return {
    level: 'warning',
    message: `The embedded database has been running a statement for ${seconds(runs + silence)}, and does nothing else until it ends: ${text || 'unknown'}`,
  };
}

function silent(time: number, pid: number | undefined): SourceProblem {
  return {
    level: 'warning',
    kind: 'silence',
    message: `The process of the embedded database (${pid}) has not answered for ${seconds(time)}: it was stopped, it hangs, or this machine is too busy. Resume or end the process: it starts again when it is needed.`,
  };
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}
