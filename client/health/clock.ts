/**
 * Returns a clock in milliseconds for measuring ages. It never runs backwards when the clock of the machine is set
 * back, and unlike `performance.now`, it counts the time during which the machine was asleep.
 */
export function createAgeClock(
  wall: () => number = Date.now,
  steady: () => number = () => performance.now(),
): () => number {
  let ahead = Number.NEGATIVE_INFINITY;
  return () => {
    const elapsed = steady();
    ahead = Math.max(ahead, wall() - elapsed);
    return elapsed + ahead;
  };
}

/** Returns the time in milliseconds since 1970, for measuring ages. */
export const ageTime = createAgeClock();
