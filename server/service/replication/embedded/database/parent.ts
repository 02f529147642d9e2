/**
 * A second thread for the database's process. The main thread is blocked while a statement runs, so it could neither answer the
 * service nor notice that the service has ended. The second thread waits for the end of standard input, which the service keeps
 * open while it lives, and then ends the process. It also reports the current work of the main thread to the service.
 */
import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type Pulse, pulseEvery, pulseFile } from './protocol.ts';

/** Shows the current work of the main thread to the second thread. */
export interface Workplace {
  /** Reports that the database is open. Before that, the main thread may be blocked for a long time, so nothing is reported. */
  open(): void;
  /** Reports that a statement begins. Returns a function to call when the statement has ended. */
  begin(statement: string): () => void;
  /** Reports that a client keeps its turn in an open transaction without running a statement, or that its turn is over. */
  hold(turn: 'open' | 'over'): void;
  /** Immediately reports why the process is about to end, together with the running statement. */
  reportEnd(reason: string): void;
}

/** The number of bytes of a statement that are sent. */
const longest = 400;
/** The interval of measuring the memory in milliseconds. A statement may allocate more than a GiB in a second. */
const memoryEvery = 200;

/** The reason, which continues a sentence after "because". */
export const tooMuchMemory = 'it needs more memory than is available';

/**
 * Returns the number of bytes that statements may need in addition to those of an open database: half of the available memory of
 * the machine or the container. PostgreSQL itself takes at most 2 GiB, but answers, which are entirely in memory, take more.
 */
function roomForStatements(): number {
  return Math.min(3 * 2 ** 30, Math.max(2 ** 28, process.availableMemory() / 2));
}

/** The positions of the numbers that precede the statement in the shared memory. */
const place = { turns: 0, statement: 1, length: 2, held: 3 } as const;
const headBytes = 4 * Int32Array.BYTES_PER_ELEMENT;

const watchScript = `
const { Socket } = require('node:net');
const { writeSync } = require('node:fs');
const { workerData: { memory, room } } = require('node:worker_threads');
const end = () => process.kill(process.pid, 'SIGKILL');
new Socket({ fd: 0 }).on('error', end).on('close', end).resume();
const numbers = new Int32Array(memory, 0, 4);
const text = new Uint8Array(memory, ${headBytes});
let turns = -1, turnedAt = 0, statement = 0, begunAt = 0, held = 0, heldAt = 0, most = 0;
const textNow = () => Buffer.from(text.slice(0, numbers[${place.length}])).toString();
const send = (pulse) => { try { writeSync(${pulseFile}, JSON.stringify(pulse) + '\\n'); } catch {} };
setInterval(() => {
  if (numbers[${place.turns}] === 0) return;
  const now = performance.now();
  if (numbers[${place.turns}] !== turns) { turns = numbers[${place.turns}]; turnedAt = now; }
  if (numbers[${place.statement}] !== statement) { statement = numbers[${place.statement}]; begunAt = now; }
  const pulse = { blocked: Math.round(now - turnedAt) };
  if (numbers[${place.held}] !== held) { held = numbers[${place.held}]; heldAt = now; }
  if (statement !== 0) Object.assign(pulse, { runs: Math.round(now - begunAt), statement: textNow() });
  else if (held !== 0) Object.assign(pulse, { held: Math.round(now - heldAt), statement: textNow() });
  send(pulse);
}, ${pulseEvery}).unref();
// A measurement fails when no file handle is left. The next one may succeed.
const resident = () => { try { return process.memoryUsage.rss(); } catch { return 0; } };
setInterval(() => {
  if (numbers[${place.turns}] === 0) return;
  if (most === 0) most = resident() + room;
  if (numbers[${place.statement}] === 0 || resident() <= most) return;
  send({ blocked: 0, ended: '${tooMuchMemory}', statement: textNow() });
  end();
}, ${memoryEvery}).unref();
`;

/** The memory limits of the second thread in MiB. They are low, because the thread only waits. */
const limits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 };

export function liveWithParent(): Workplace {
  const memory = new SharedArrayBuffer(headBytes + longest);
  const watch = new Worker(watchScript, {
    eval: true,
    resourceLimits: limits,
    workerData: { memory, room: roomForStatements() },
  });
  // The process works without the thread, except that a long statement runs to its end.
  watch.on('error', () => {});
  watch.unref();
  const numbers = new Int32Array(memory, 0, 4);
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
      Atomics.store(numbers, place.held, 0);
      // Cutting a character in half at the end does no harm.
      const { written } = new TextEncoder().encodeInto(statement.slice(0, longest), text);
      Atomics.store(numbers, place.length, written);
      last += 1;
      Atomics.store(numbers, place.statement, last);
      return () => {
        running = undefined;
        Atomics.store(numbers, place.statement, 0);
      };
    },
    hold(turn) {
      last += 1;
      Atomics.store(numbers, place.held, turn === 'open' ? last : 0);
    },
    reportEnd(reason) {
      const end: Pulse = { blocked: 0, ended: reason, ...(running !== undefined && { statement: running }) };
      try {
        writeSync(pulseFile, `${JSON.stringify(end)}\n`);
      } catch {
        // The service has ended, or no longer reads.
      }
    },
  };
}
