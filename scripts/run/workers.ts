/** The folder in which workers of a test run record their process ids, so that a worker that hangs can be ended. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @param runner the process id of Vitest */
export function workersFolder(runner: number): string {
  return join(tmpdir(), `headwater-workers-${runner}`);
}
