/** Waits for conditions that must become true. A time limit ends a test that hangs, and is longer on a slow machine. */
import { vi } from 'vitest';
import { patient } from '../../../scripts/run/patience.ts';

/** Repeats a check until it stops throwing, and returns its result. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: patient(60_000), interval: 20 });
}

/** Waits until a condition holds. It is checked 200 times a second, so it should be cheap. */
export async function untilTrue(condition: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(condition, { timeout: patient(60_000), interval: 5 });
}
