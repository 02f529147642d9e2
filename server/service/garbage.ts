/**
 * Limits how much garbage piles up. V8 allows more garbage on a machine with more memory, but the service runs beside an editor.
 * docs/DECISIONS.md explains why the limit is set while the process runs.
 */

import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { systemClock } from './ground/clock.ts';
import { repeat, startAlone } from './ground/unattended.ts';

/**
 * The minimum size of each half of V8's young generation, in bytes. V8 would let a half grow to 32 MiB or more; a smaller one
 * costs speed. Halves of 24 MiB have been observed.
 */
const halfSize = 12 * 2 ** 20;
/** The interval between checks, in milliseconds. Checks repeat because V8 shrinks the young generation while little happens. */
const checkedEvery = 1000;

/**
 * Limits how fast the heap grows. Its maximum size can only be set when a process starts, but its growth can be set at any time.
 */
export function limitGarbage(): void {
  // The percentage by which the old generation may grow before it is collected. V8's own value is several times as high. With 30,
  // a change for 1,000 users at once took a tenth more processor time, and memory use was the same within 5 %.
  setFlagsFromString('--heap-growing-percent=45');
  // Includes bytes outside of the heap, such as sent answers. Otherwise, 64 MB of them may remain.
  if (isV8Since(13, 6)) setFlagsFromString('--external-memory-accounted-in-global-limit');
  holdYoungGeneration();
  startAlone('Limiting garbage', () =>
    repeat(
      'Limiting garbage',
      { every: checkedEvery, clock: systemClock, signal: unending },
      holdYoungGeneration,
    ),
  );
}

/** A signal that never aborts, because the limit holds until the process ends. */
const unending = new AbortController().signal;

/** Whether V8 is at least this version. An older V8 prints a warning for a flag that it does not know. */
function isV8Since(major: number, minor: number): boolean {
  const [ours = 0, next = 0] = process.versions.v8.split('.').map(Number);
  return ours > major || (ours === major && next >= minor);
}

function holdYoungGeneration(): void {
  const half = sizeOfHalf();
  if (half === undefined || half >= halfSize) return;
  setFlagsFromString(`--semi-space-growth-factor=${Math.ceil(halfSize / half)}`);
  growYoungGeneration();
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Makes V8 enlarge the young generation, which it does once as many bytes have survived a collection as one half holds. */
function growYoungGeneration(): void {
  const survivors: unknown[] = [];
  for (let round = 0; round < mostRounds && (sizeOfHalf() ?? halfSize) < halfSize; round += 1) {
    for (let count = 0; count < 2000; count += 1) survivors.push({ count });
  }
}

/** The maximum number of rounds. The 2000 objects of one round take about 100 KB. */
const mostRounds = 100;

function sizeOfHalf(): number | undefined {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return space && space.space_size / 2;
}
