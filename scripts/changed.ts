/**
 * `npm run test:changed [-- BRANCH]`: checks format, lint and types, and runs the tests that the change can affect, if a
 * contributor can wait for them. Lists the tests that only `npm test` runs.
 */
import { sourcesIn } from '../test/support/house/imports.ts';
import { bundles } from './bundles/bundles.ts';
import { changesSince } from './changed/changes.ts';
import { type Selection, selectTests } from './changed/selection.ts';
import { formatAndLint, types } from './run/checks.ts';
import { runScript } from './run/command.ts';
import { conclude, type PartResult, runAndReport } from './run/report.ts';
import { useShortForm } from './run/shortForm.ts';
import { ofExitCode } from './run/tally.ts';
import { runVitest } from './run/vitest.ts';

useShortForm();

const { since, files } = changesSince(process.argv[2]);
const selection = selectTests(files, {
  sources: ['client', 'server', 'scripts', 'test'].flatMap((folder) => sourcesIn(folder)),
  entries: new Map(bundles.map(({ out, entry }) => [out, entry])),
});
console.log(`${amountOf(files.length, 'file')} changed since ${since}.`);
console.log(
  `${amountOf(selection.unit.length, 'file')} of unit tests, ${selection.live.length} of live tests.`,
);

const outcomes = [
  ...(await Promise.all([formatAndLint, types, ...unitTests(selection)].map(runAndReport))),
  ...(await liveTests(selection)),
];
nameRest(selection);
conclude(outcomes);

function unitTests({ unit }: Selection): readonly (() => Promise<PartResult>)[] {
  if (unit.length === 0) return [];
  return [() => runVitest('changed unit tests', { config: 'vitest.config.mts', files: unit })];
}

/** Runs live tests after all others, because they depend on real time. */
async function liveTests({ live, needsBuild }: Selection): Promise<readonly PartResult[]> {
  if (live.length === 0) return [];
  const built = needsBuild ? [await runAndReport(build)] : [];
  if (built.some(({ tally }) => tally.failed > 0)) return built;
  const run = () => runVitest('changed live tests', { config: 'vitest.live.config.mts', files: live });
  return [...built, await runAndReport(run)];
}

async function build(): Promise<PartResult> {
  const ended = await runScript('scripts/package.ts');
  return { ...ended, name: 'build and package', tally: ofExitCode(ended.code) };
}

function nameRest({ left, unread }: Selection): void {
  for (const { reason, tests } of left) {
    console.log(`\nLeft for npm test: ${amountOf(tests.length, 'test file')} that ${reason}.`);
    for (const line of byFolder(tests)) console.log(`  ${line}`);
  }
  if (unread.length > 0) console.log(`\nNo test is known to read ${unread.join(', ')}.`);
}

function byFolder(tests: readonly string[]): readonly string[] {
  const folders = new Map<string, string[]>();
  for (const test of tests) {
    const [, folder = '', name = ''] = /^(.*)\/(.*?)(?:\.live)?\.test\.ts$/.exec(test) ?? [];
    folders.set(folder, [...(folders.get(folder) ?? []), name]);
  }
  return [...folders].map(([folder, names]) => `${folder}: ${names.join(', ')}`);
}

function amountOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
