/** Measures how slow this machine is, with a second of work that resembles that of the tests. */
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { patienceFactor, patienceVariable } from './patience.ts';

/** Wall-clock time of {@link work} in two threads on an idle machine where `npm run check` takes 53 s, in milliseconds. */
const usualMs = 700;

/** A clock that jumps during the measurement must not make a limit endless. */
const mostPatient = 20;

/**
 * Measures this machine once, for this process and all that it starts. Returns the factor by which limits are stretched.
 *
 * @param sideBySide how many programs will share a processor, which was idle when it was measured
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

/** Texts are read, taken apart and put together, and many small objects come and go. */
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
