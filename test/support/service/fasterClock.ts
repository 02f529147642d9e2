import { systemClock } from '../../../server/service/ground/clock.ts';
import type { Clock } from '../../../server/service/ground/world.ts';

/**
 * Returns a clock that is faster than the real one by this factor, for tests that wait for a time limit of the product.
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
