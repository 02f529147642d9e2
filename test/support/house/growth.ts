/** Compares two measurements in one process to test how work grows. A limit in seconds would depend on the machine. */
import { expect } from 'vitest';

/** The shortest time in seconds that counts. Shorter work is lost in the other work of the process. */
const shortest = 0.01;

/** Fails if ten times the input takes a processor much more than ten times as long: quadratic work takes a hundred times. */
export function expectLinear(work: (factor: 1 | 10) => void): void {
  const [short, long] = [processorSeconds(() => work(1)), processorSeconds(() => work(10))];
  expect(long).toBeLessThan(Math.max(short, shortest) * 60);
}

function processorSeconds(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1e6;
}
