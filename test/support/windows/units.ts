/**
 * Runs files of unit tests on Windows, in one process. Wine cannot run Vitest itself, because Vitest needs a native program. But
 * the part of Vitest that tests use is JavaScript, and Node runs TypeScript.
 *
 *     units.ts <file> …
 *
 * Prints a line of JSON for each file.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { patient } from '../../../scripts/run/patience.ts';

export interface UnitResult {
  /** The path from the root, with `/`. */
  readonly file: string;
  readonly passed: number;
  readonly skipped: number;
  /** The failures with their reasons. */
  readonly failed: readonly string[];
}

interface Task {
  readonly type: 'suite' | 'test';
  readonly name: string;
  readonly mode: string;
  readonly tasks?: readonly Task[];
  readonly result?: { readonly state: string; readonly errors?: readonly { readonly stack?: string }[] };
}

/** The configuration of Vitest that the tests need. */
const config = {
  root: process.cwd(),
  testTimeout: patient(120_000),
  hookTimeout: patient(120_000),
  retry: 0,
  maxConcurrency: 1,
  sequence: { hooks: 'stack', setupFiles: 'list', seed: 1 },
  setupFiles: [],
  includeTaskLocation: false,
  fakeTimers: {},
  expect: {},
  snapshotOptions: { updateSnapshot: 'none' },
  chaiConfig: {},
  experimental: {},
};
Object.assign(globalThis, {
  __vitest_worker__: { config, ctx: { pool: 'forks' }, environment: { name: 'node' }, durations: {} },
});

// Bundlers can import names from JSON, but Node cannot.
registerHooks({
  load: (url, context, next) => {
    if (!url.endsWith('/package.json') || context.importAttributes.type === 'json') return next(url, context);
    const text = readFileSync(fileURLToPath(url), 'utf8');
    return { format: 'module', shortCircuit: true, source: `export const { version } = ${text};` };
  },
});

// Keeps the process alive, because some tests wait for events that do not.
setInterval(() => {}, 1 << 30);

const { startTests } = await import('vitest/internal/browser');
for (const file of process.argv.slice(2)) {
  const runner = {
    config,
    importFile: (path: string) => import(pathToFileURL(path).href),
  };
  const [ran] = await startTests([file], runner as unknown as Parameters<typeof startTests>[1]);
  const result: { -readonly [Key in keyof UnitResult]: UnitResult[Key] } & { failed: string[] } = {
    file: relative(process.cwd(), file).replaceAll('\\', '/'),
    passed: 0,
    skipped: 0,
    failed: [],
  };
  count(ran as Task, '', result);
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
process.exit();

function count(
  task: Task,
  above: string,
  result: { passed: number; skipped: number; failed: string[] },
): void {
  const name = above === '' ? task.name : `${above} > ${task.name}`;
  for (const inside of task.tasks ?? []) count(inside, name, result);
  const errors = task.result?.errors ?? [];
  if (task.result?.state === 'fail' && (task.type === 'test' || errors.length > 0))
    result.failed.push([name, ...errors.map(({ stack }) => stack ?? '')].join('\n'));
  else if (task.type === 'test' && task.result?.state === 'pass') result.passed += 1;
  else if (task.type === 'test') result.skipped += 1;
}
