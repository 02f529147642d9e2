/** The rate of drawing rows: at once while a person can follow, and four times a second while very many rows change. */

interface Pace {
  /** @param changes the number of added, changed and removed rows */
  readonly note: (changes: number, now: number) => void;
  /** Returns the number of changes in the last second. */
  readonly perSecond: (now: number) => number;
  readonly isSampling: (now: number) => boolean;
  /** Returns the milliseconds until the next drawing; 0 means the next frame. */
  readonly interval: (now: number) => number;
}

/** The number of changes per second above which only samples are drawn. */
export const fastest = 200;
/** The interval in milliseconds. */
export const samplingInterval = 250;

const second = 1_000;
/** The last second is counted in parts, so that single changes need no memory. */
const parts = 10;

export function keepPace(): Pace {
  const counts = new Map<number, number>();
  const partOf = (now: number): number => Math.floor(now / (second / parts));

  function perSecond(now: number): number {
    let sum = 0;
    // Parts may be in the future after a jump of the clock.
    for (const [part, count] of counts)
      if (part <= partOf(now) - parts || part > partOf(now)) counts.delete(part);
      else sum += count;
    return sum;
  }
  const isSampling = (now: number): boolean => perSecond(now) > fastest;

  return {
    note: (changes, now) => void counts.set(partOf(now), (counts.get(partOf(now)) ?? 0) + changes),
    perSecond,
    isSampling,
    interval: (now) => (isSampling(now) ? samplingInterval : 0),
  };
}
