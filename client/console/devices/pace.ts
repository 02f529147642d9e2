/** The frequency of drawing rows: at once while a person can follow, four times a second when very many change. */

interface Pace {
  /** @param changes rows that came, changed or went */
  readonly note: (changes: number, now: number) => void;
  /** The count of the last second. */
  readonly perSecond: (now: number) => number;
  readonly isSampling: (now: number) => boolean;
  /** Milliseconds from one picture to the next; 0 is the next frame. */
  readonly interval: (now: number) => number;
}

/** Changes of rows in a second from which pictures are samples. */
export const fastest = 200;
/** The interval in milliseconds. */
export const samplingInterval = 250;

const second = 1_000;
/** The second is counted in parts, so that it needs no memory for each change. */
const parts = 10;

export function keepPace(): Pace {
  const counts = new Map<number, number>();
  const partOf = (now: number): number => Math.floor(now / (second / parts));

  function perSecond(now: number): number {
    let sum = 0;
    // After a jump of the clock, parts may lie in the future.
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
