/** Runs long work in slices, so that other requests are answered in between. */
import type { Host } from './host.ts';

/** The length of a slice in milliseconds. */
const slice = 10;

/** Returns undefined if the result is no longer wanted. */
export async function inSlices<T>(
  work: Generator<void, T, void>,
  { now, rest }: Host['clock'],
  isWanted: () => boolean,
): Promise<T | undefined> {
  for (let start = now(); ; ) {
    const step = work.next();
    if (step.done) return step.value;
    if (now() - start < slice) continue;
    await rest();
    if (!isWanted()) return undefined;
    start = now();
  }
}
