/**
 * Limits how much garbage piles up. V8 allows more of it the more memory a machine has, and the service runs beside an
 * editor. Why this is done while it runs: docs/DECISIONS.md.
 */

import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { systemClock } from './ground/clock.ts';
import { repeat, startAlone } from './ground/unattended.ts';

/**
 * Bytes of each half of V8's young generation, which would grow to 32 MiB or more. Less costs speed. It is a
 * least size: 24 MiB have been seen.
 */
const halfSize = 12 * 2 ** 20;
/** Milliseconds between two checks: V8 shrinks the young generation while little happens. */
const checkedEvery = 1000;

/** The limit itself can only be set when a process starts, but how fast it grows can be set at any time. */
export function limitGarbage(): void {
  // How much the old generation may grow before it is collected, in percent. V8 itself allows several times as much. With
  // 30, a change for 1,000 users at once took a tenth more of the processor, and the memory was the same within 5 %.
  setFlagsFromString('--heap-growing-percent=45');
  // Bytes outside of the heap count as well, such as answers that were sent: otherwise 64 MB of them may remain.
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

/** The limit holds until the process ends. */
const unending = new AbortController().signal;

/** V8 prints a warning for a flag that it does not know. */
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

/** The young generation grows once as much as it holds has survived a collection. */
function growYoungGeneration(): void {
  const survivors: unknown[] = [];
  for (let round = 0; round < mostRounds && (sizeOfHalf() ?? halfSize) < halfSize; round += 1) {
    for (let count = 0; count < 2000; count += 1) survivors.push({ count });
  }
}

/** 2000 objects take about 100 KB. */
const mostRounds = 100;

function sizeOfHalf(): number | undefined {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return space && space.space_size / 2;
}
