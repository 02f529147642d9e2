/** Waits for checkpoints of a deployment. */
import type { Clock } from '../../ground/world.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Source } from '../source.ts';

interface PublishingParts {
  readonly storage: Pick<Storage, 'reader'>;
  readonly source: Pick<Source, 'position' | 'mark'>;
  readonly clock: Clock;
}

/** The time limit for a position to be published, and the interval of checks, in milliseconds. */
const patience = 60_000;
const lookedAtEvery = 50;

/** Waits until everything up to the current position of the source is published. Returns false if that takes too long. */
export async function untilPublished(
  { storage, source, clock }: PublishingParts,
  deployment: number,
  signal: AbortSignal,
): Promise<boolean> {
  const reader = storage.reader(deployment);
  const position = await source.position();
  await source.mark();
  const end = clock.steady() + patience;
  while (!signal.aborted && clock.steady() < end) {
    const checkpoint = await reader.checkpoint();
    if (checkpoint !== undefined && checkpoint.position >= position) return true;
    await clock.sleep(lookedAtEvery, signal);
  }
  return false;
}
