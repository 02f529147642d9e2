/** Long work in slices, so that other questions get an answer meanwhile. */
import type { Host } from './host.ts';

/** Milliseconds at a stretch. */
const slice = 10;

/** Returns undefined if nobody wants the result any more. */
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
