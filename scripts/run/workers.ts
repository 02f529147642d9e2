/** The folder in which workers of a test run note their processes, so that a worker that hangs can be ended. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @param runner the process of Vitest */
export function workersFolder(runner: number): string {
  return join(tmpdir(), `headwater-workers-${runner}`);
}
