/** Breaks one promise in a copy of the tree, and runs the tests that are named for the promise until one of them fails. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { NamedTest } from '../../test/support/docs/promises.ts';
import type { Edit } from '../../test/support/house/edits.ts';
import { reachableFrom, sourcesIn } from '../../test/support/house/imports.ts';
import type { TreeCopy } from './copy.ts';

/** The verdict. `broken`: the build or an entire test file failed, which says nothing about the promise. */
export type Verdict = 'noticed' | 'unnoticed' | 'skipped' | 'broken';

/** The time limit of a test in milliseconds. A test whose promise is broken may wait forever, or for a keep-alive of 72 s. */
const testTimeout = 60_000;

export async function tryBreach(
  copy: TreeCopy,
  edits: readonly Edit[],
  tests: readonly NamedTest[],
): Promise<{ readonly verdict: Verdict; readonly output: string }> {
  const takeBack = copy.apply(edits);
  try {
    const runs = runsFor(tests);
    if (runs.some(({ isLive }) => isLive)) {
      const { code, output } = await run(copy, ['scripts/bootstrap.mjs', 'build']);
      if (code !== 0) return { verdict: 'broken', output };
    }
    const verdicts: Verdict[] = [];
    let all = '';
    for (const each of runs) {
      const { verdict, output } = await runTests(copy, each);
      if (verdict === 'noticed') return { verdict, output };
      verdicts.push(verdict);
      all += output;
    }
    const verdict = (['broken', 'unnoticed', 'skipped'] as const).find((one) => verdicts.includes(one));
    return { verdict: verdict ?? 'skipped', output: all };
  } finally {
    takeBack();
  }
}

interface TestRun {
  readonly file: string;
  readonly isLive: boolean;
  /** A regular expression that matches the full names of the tests. */
  readonly pattern: string;
}

/** Returns the runs, unit tests first. Workbench steps are left out, because they have their own rig. */
function runsFor(tests: readonly NamedTest[]): readonly TestRun[] {
  const titles = new Map<string, string[]>();
  for (const { path, title } of tests)
    for (const file of testFilesOf(path)) titles.set(file, [...(titles.get(file) ?? []), toPattern(title)]);
  return [...titles]
    .filter(([file]) => !file.startsWith('test/e2e/'))
    .map(([file, patterns]) => ({
      file,
      isLive: file.endsWith('.live.test.ts'),
      pattern: patterns.join('|'),
    }))
    .toSorted((one, other) => Number(one.isLive) - Number(other.isLive));
}

/** Returns the test files that contain the tests of a file, which may be shared. */
function testFilesOf(path: string): readonly string[] {
  if (path.endsWith('.test.ts')) return [path];
  const sources = sourcesIn('test');
  const files = sources.filter((source) => source.path.endsWith('.test.ts')).map((source) => source.path);
  return files.filter((file) => reachableFrom([file], sources).has(path));
}

/** Returns a regular expression for the title of a test. Placeholders match anything. */
function toPattern(title: string): string {
  const placeholder = /\$\{[^}]*\}|\$[\w.]+|%[sdifjoO#$]/g;
  const parts = title.split(placeholder).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return parts.join('.*');
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

async function runTests(
  copy: TreeCopy,
  { file, isLive, pattern }: TestRun,
): Promise<{ readonly verdict: Verdict; readonly output: string }> {
  const reported = join(copy.folder, 'artifacts/security.json');
  rmSync(reported, { force: true });
  const config = isLive ? 'vitest.live.config.mts' : 'vitest.config.mts';
  const { output } = await run(copy, [
    ...['node_modules/vitest/vitest.mjs', 'run', file, '--config', config, '--testNamePattern', pattern],
    ...['--bail', '1', '--testTimeout', String(testTimeout), '--hookTimeout', String(testTimeout)],
    ...['--reporter', 'json', '--outputFile', reported],
  ]);
  if (!existsSync(reported)) return { verdict: 'broken', output };
  const { testResults } = JSON.parse(readFileSync(reported, 'utf8')) as Report;
  const ran = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed' || status === 'failed');
  const failures = ran.flatMap(({ failureMessages }) => failureMessages);
  if (failures.length > 0) return { verdict: 'noticed', output: failures.join('\n') };
  return { verdict: ran.length > 0 ? 'unnoticed' : /\bfail/i.test(output) ? 'broken' : 'skipped', output };
}

function run(
  { folder }: TreeCopy,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}
