/** Measures how slow this machine is, by a second of work that is similar to the work of the tests. */
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { patienceFactor, patienceVariable } from './patience.ts';

/** The duration of {@link work} in milliseconds, in two threads on an idle machine where `npm run check` takes 53 s. */
const usualMs = 700;

/** The maximum factor. A clock that jumps during the measurement must not make a limit endless. */
const mostPatient = 20;

/**
 * Measures this machine once, for this process and all processes that it starts. Returns the factor by which limits are multiplied.
 *
 * @param sideBySide how many programs will share a processor that was idle during the measurement
 */
export async function takeMeasure(sideBySide: number): Promise<number> {
  if (process.env[patienceVariable] === undefined) {
    const began = performance.now();
    await Promise.all([workInThread(), workInThread()]);
    const slowness = (performance.now() - began) / usualMs;
    process.env[patienceVariable] = Math.min(mostPatient, Math.max(1, slowness) * sideBySide).toFixed(1);
  }
  return patienceFactor();
}

function workInThread(): Promise<void> {
  return new Promise((resolve, reject) => {
    new Worker(new URL(import.meta.url)).once('message', resolve).once('error', reject);
  });
}

/** Does the work: parses and concatenates texts, and creates and drops many small objects. */
function work(): number {
  let length = 0;
  for (let round = 0; round < 2_000; round += 1) {
    const rows = Array.from({ length: 400 }, (_, id) => ({
      id: `row ${id}`,
      owner: `user ${id % 7}`,
      round,
    }));
    const byOwner = new Map<string, string[]>();
    for (const { id, owner } of JSON.parse(JSON.stringify(rows)) as typeof rows) {
      const own = byOwner.get(owner) ?? [];
      own.push(id.replace(/\d+/, (digits) => `${owner} ${digits}`));
      byOwner.set(owner, own);
    }
    for (const own of byOwner.values()) length += own.toSorted().join('\n').split(' ').length;
  }
  return length;
}

if (!isMainThread && parentPort !== null) parentPort.postMessage(work());
