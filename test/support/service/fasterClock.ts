import { systemClock } from '../../../server/service/ground/clock.ts';
import type { Clock } from '../../../server/service/ground/world.ts';

/**
 * A clock on which this many seconds pass in each second, for tests that wait for a limit of the product.
 *
 * @param factor values below 1 count as 1
 */
export function fasterClock(factor: number): Clock {
  const speed = Math.max(1, factor);
  const start = systemClock.now();
  const startSteady = systemClock.steady();
  const gone = () => (systemClock.steady() - startSteady) * speed;
  return {
    now: () => start + gone(),
    steady: () => startSteady + gone(),
    sleep: (milliseconds, signal) => systemClock.sleep(milliseconds / speed, signal),
  };
}
