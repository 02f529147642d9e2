/** How much garbage may lie about. On a machine with much memory that is a lot, and this runs beside an editor. */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Of each of the two halves of V8's young generation, which it would let grow to 32 MiB. Less costs speed. */
const halfSize = 12 * 2 ** 20;
/** V8 makes it smaller when little happens. In milliseconds. */
const checkedEvery = 1000;

/** Its limit can only be set when a process is started, which is up to others; how fast it grows can be at any time. */
export function limitGarbage(): void {
  // Of the old generation, in percent of what is in use; V8 itself allows several times of it.
  setFlagsFromString('--heap-growing-percent=30');
  // That of the bytes outside of its heap counts as well, such as answers that were sent: else 64 MB of them may lie there.
  if (isV8Since(13, 6)) setFlagsFromString('--external-memory-accounted-in-global-limit');
  holdYoungGeneration();
  setInterval(holdYoungGeneration, checkedEvery).unref();
}

/** What V8 does not know it complains about. */
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

/** It grows as soon as as much as it holds has survived a collection. */
function growYoungGeneration(): void {
  const survivors: unknown[] = [];
  for (let round = 0; round < mostRounds && (sizeOfHalf() ?? halfSize) < halfSize; round += 1) {
    for (let count = 0; count < 2000; count += 1) survivors.push({ count });
  }
}

/** 2000 objects take some 100 KB. */
const mostRounds = 100;

function sizeOfHalf(): number | undefined {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return space && space.space_size / 2;
}
