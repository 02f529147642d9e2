/**
 * Loaded into the service before its own program: writes one line about the process at each interval into the file
 * SOAK_SAMPLES, and so do its workers. Memory is what is left after a collection of garbage.
 */
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const file = process.env.SOAK_SAMPLES;
const every = Number(process.env.SOAK_EVERY);
const nanoseconds = 1e6;

if (file !== undefined) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const begun = Date.now();
  setInterval(() => {
    // Before the collection, which itself holds up the loop.
    const delayMs = delay.percentile(99) / nanoseconds;
    // Buffers that one collection frees count until V8 has swept them, which the next one waits for.
    collect();
    collect();
    const { heapUsed, external, rss } = process.memoryUsage();
    const sample = {
      pid: process.pid,
      seconds: Math.round((Date.now() - begun) / 1000),
      heapMiB: (heapUsed + external) / 2 ** 20,
      rssMiB: rss / 2 ** 20,
      handles: process.getActiveResourcesInfo().length,
      delayMs,
    };
    appendFileSync(file, `${JSON.stringify(sample)}\n`);
    delay.reset();
  }, every).unref();
}
