/**
 * How long tests and rigs wait on this machine. A limit ends what hangs; it never judges how fast something is. So limits
 * are written for an idle, fast machine, and `patient` stretches them by what the yardstick measured at the start.
 */
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

const variable = 'HEADWATER_PATIENCE';

/** Wall-clock time of {@link work} in two threads on an idle machine where `npm run check` takes 53 s, in milliseconds. */
const usualMs = 700;

/** A clock that jumps during the measurement must not make a limit endless. */
const mostPatient = 20;

/** A limit for this machine, from one for an idle, fast machine. */
export function patient(limit: number): number {
  return Math.ceil(limit * factor());
}

/** By how much limits are stretched: 1 or more. Without a measurement, twice is assumed. */
function factor(): number {
  const given = Number(process.env[variable]);
  return given >= 1 ? given : 2;
}

/** Measures this machine once, for this process and all that it starts. Returns the factor. */
export async function takeMeasure(): Promise<number> {
  if (process.env[variable] === undefined) {
    const began = performance.now();
    await Promise.all([workInThread(), workInThread()]);
    const slowness = (performance.now() - began) / usualMs;
    process.env[variable] = Math.min(mostPatient, Math.max(1, slowness)).toFixed(1);
  }
  return factor();
}

function workInThread(): Promise<void> {
  return new Promise((resolve, reject) => {
    new Worker(new URL(import.meta.url)).once('message', resolve).once('error', reject);
  });
}

/** What most of our tests do: texts are read, taken apart and put together, and many small objects come and go. */
function work(): number {
  let length = 0;
  for (let round = 0; round < 2_000; round += 1) {
    const rows = Array.from({ length: 400 }, (_, id) => ({
      id: `row ${id}`,
      owner: `user ${id % 7}`,
      round,
    }));
    const byOwner = new Map<string, string[]>();
    for (const { id, owner } of JSON.parse(JSON.stringify(rows)) as typeof rows)
      byOwner.set(owner, [
        ...(byOwner.get(owner) ?? []),
        id.replace(/\d+/, (digits) => `${owner} ${digits}`),
      ]);
    for (const own of byOwner.values()) length += own.toSorted().join('\n').split(' ').length;
  }
  return length;
}

if (!isMainThread && parentPort !== null) parentPort.postMessage(work());
