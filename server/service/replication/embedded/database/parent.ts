/**
 * The database's thread is blocked while a statement runs: it would neither notice that the service is gone nor answer it.
 * Another thread does both: it waits for the end of standard input, which the service holds open as long as it lives, and
 * ends the process; and it reports to the service what the first thread is doing.
 */
import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type Pulse, pulseEvery, pulseFile } from './protocol.ts';

/** What the first thread is doing, for the other one to see. */
export interface Workplace {
  /** The database is open. Before, the first thread may be blocked for long, and nothing is reported. */
  open(): void;
  /** Returns what is called when the statement has ended. */
  begin(statement: string): () => void;
  /** Reports why the process is about to end, at once, together with the running statement. */
  reportEnd(reason: string): void;
}

/** Bytes of a statement that are sent. */
const longest = 400;
/** Numbers before the statement. */
const place = { turns: 0, statement: 1, length: 2 } as const;
const headBytes = 3 * Int32Array.BYTES_PER_ELEMENT;

const watchScript = `
const { Socket } = require('node:net');
const { writeSync } = require('node:fs');
const { workerData: memory } = require('node:worker_threads');
const end = () => process.kill(process.pid, 'SIGKILL');
new Socket({ fd: 0 }).on('error', end).on('close', end).resume();
const numbers = new Int32Array(memory, 0, 3);
const text = new Uint8Array(memory, ${headBytes});
let turns = -1, turnedAt = 0, statement = 0, begunAt = 0;
setInterval(() => {
  if (numbers[${place.turns}] === 0) return;
  const now = performance.now();
  if (numbers[${place.turns}] !== turns) { turns = numbers[${place.turns}]; turnedAt = now; }
  if (numbers[${place.statement}] !== statement) { statement = numbers[${place.statement}]; begunAt = now; }
  const pulse = { blocked: Math.round(now - turnedAt) };
  if (statement !== 0) {
    pulse.runs = Math.round(now - begunAt);
    pulse.statement = Buffer.from(text.slice(0, numbers[${place.length}])).toString();
  }
  try { writeSync(${pulseFile}, JSON.stringify(pulse) + '\\n'); } catch {}
}, ${pulseEvery}).unref();
`;

/** In MiB: it does nothing but wait. */
const limits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 };

export function liveWithParent(): Workplace {
  const memory = new SharedArrayBuffer(headBytes + longest);
  const watch = new Worker(watchScript, { eval: true, resourceLimits: limits, workerData: memory });
  // Without the thread, nothing is worse than that a long statement runs to its end.
  watch.on('error', () => {});
  watch.unref();
  const numbers = new Int32Array(memory, 0, 3);
  const text = new Uint8Array(memory, headBytes);
  const turn = () => void Atomics.add(numbers, place.turns, 1);
  let last = 0;
  let running: string | undefined;
  return {
    open() {
      turn();
      setInterval(turn, pulseEvery / 2).unref();
    },
    begin(statement) {
      running = statement.slice(0, longest);
      // Half a character at the end does no harm.
      const { written } = new TextEncoder().encodeInto(statement.slice(0, longest), text);
      Atomics.store(numbers, place.length, written);
      last += 1;
      Atomics.store(numbers, place.statement, last);
      return () => {
        running = undefined;
        Atomics.store(numbers, place.statement, 0);
      };
    },
    reportEnd(reason) {
      const end: Pulse = { blocked: 0, ended: reason, ...(running !== undefined && { statement: running }) };
      try {
        writeSync(pulseFile, `${JSON.stringify(end)}\n`);
      } catch {
        // The service is gone, or reads nothing any more.
      }
    },
  };
}
