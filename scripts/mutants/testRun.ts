/** Runs tests in a separate process, so that an endless loop can be ended. */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { temporaryFolder } from '../rigs/temporary.ts';
import { root } from '../root.ts';
import { type FileReport, notRun, type Order } from './protocol.ts';

interface TestRun {
  readonly reports: readonly FileReport[];
  /** The end of the run. `late`: it took longer than its limit and was ended. */
  readonly end: 'passed' | 'failed' | 'late';
  /** The errors that the process printed. */
  readonly printed: string;
}

const folder = temporaryFolder('mutants');

export function runTests(order: Omit<Order, 'folder'>, limitMs: number): Promise<TestRun> {
  const child = fork(join(root, 'scripts/mutants/host.ts'), {
    cwd: root,
    // Vite would otherwise print a warning about how our configuration is loaded.
    env: { ...process.env, VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const reports: FileReport[] = [];
  let printed = '';
  child.on('message', (report: FileReport) => reports.push(report));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.send({ ...order, folder } satisfies Order);
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, limitMs);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      if (code === notRun) reject(new Error(`The tests could not be run.\n${printed}`));
      resolve({ reports, end: isLate ? 'late' : code === 0 ? 'passed' : 'failed', printed });
    });
  });
}
