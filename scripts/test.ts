/**
 * `npm test`: runs the checks, the package, the service with real parts, the product on Windows, and four rigs in which it runs in
 * a real VS Code. Parts that mostly wait run in parallel with parts that compute. Each part runs even if another one failed, and
 * nothing is ended because it is slow. The last line counts all tests.
 */
import { chmodSync, existsSync, readFileSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { temporaryFolder } from './rigs/temporary.ts';
import { checks } from './run/checks.ts';
import { runScript } from './run/command.ts';
import { Display } from './run/display.ts';
import { endLeftovers, markDescendants } from './run/leftovers.ts';
import { processorUse, readProcessors } from './run/processors.ts';
import { isProgress } from './run/progress.ts';
import { conclude, duration, type Part, report } from './run/report.ts';
import { findFolderInMemory, lackOfRoom } from './run/room.ts';
import { useFewerRandomCases } from './run/shortForm.ts';
import { format, nothing, ofExitCode, ofRunner } from './run/tally.ts';
import { runVitest, type Watch } from './run/vitest.ts';
import { takeMeasure } from './run/yardstick.ts';

/**
 * The number of programs that share a processor: four test workers and two rigs, each with a service or a browser, run on two
 * processors.
 */
const programsOfProcessor = 4;

/** The name of a rig, and its script. */
type Rig = readonly [string, string];

/** The lanes, which run at the same time. The workbench takes as long as all other rigs together. */
const lanes: readonly (readonly Rig[])[] = [
  [['workbench', 'scripts/rigs/workbench.ts']],
  [
    ['integration', 'scripts/rigs/integration.ts'],
    ['old-editor', 'scripts/rigs/oldEditor.ts'],
    ['web', 'scripts/rigs/web.ts'],
    ['windows', 'scripts/windows/test.ts'],
  ],
];

/** The free memory that two lanes need, in bytes: 1.5 GB for each test worker and 3 GB for each VS Code. */
const memoryOfLanes = 12e9;

/**
 * The maximum number of workbench steps in a run that may need a second try. More indicate that a test does not wait for something.
 */
const mostSecondTries = 3;

/** A line of the summary. A part that is only counted has no duration. */
type Line = Omit<Part, 'seconds'> & Partial<Part>;

if (process.env.TMPDIR === undefined) useFolderInMemory();
const lack = lackOfRoom(tmpdir(), freeBytesOf(tmpdir()));
if (lack !== undefined) {
  console.log(`${lack}\n${format({ ...nothing, failed: 1 })}`);
  process.exit(1);
}
markDescendants();
useFewerRandomCases();
const display = new Display(process.stdout);
const watch: Watch = (suite, progress) => display.take(suite, progress);
const skips: string[] = [];
const factor = await takeMeasure(programsOfProcessor);
display.line(`Limits are ${factor} times those of an idle, fast machine.`);

const before = readProcessors();
const packaged = buildAndPackage();
const lines = (await Promise.all([checksAndService(), rigs()])).flat();
lines.splice(checks.length, 0, await packaged);
lines.push(secondTries(), await nothingLeftBehind());

console.log('\nThe slowest files');
for (const line of display.slowest(10)) console.log(line);
console.log('');
for (const { name, tally, seconds } of lines) {
  const time = seconds === undefined ? '' : duration(seconds);
  console.log(`${name.padEnd(24)} ${time.padStart(8)}  ${format(tally)}`);
}
console.log(`\n${processorUse(before, readProcessors())}`);
if (skips.length > 0) console.log(`\n${frame(skips)}`);
const failures = display.failures();
if (failures.length > 0) console.log(['\nWhat failed, in short', ...failures, ''].join('\n'));
conclude(lines);

/** Keeps temporary files in memory if the machine has enough of it. */
function useFolderInMemory(): void {
  const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8') : '';
  const within = findFolderInMemory({ mounts, freeMemory: freemem(), freeBytesOf });
  if (within === undefined) return;
  const folder = temporaryFolder('tests', within);
  // PostgreSQL runs as another user and needs its own files there.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Runs the checks and the service tests. The checks have no prerequisites. The service tests need the bundles, and mostly wait. */
async function checksAndService(): Promise<readonly Line[]> {
  const checked = await Promise.all(checks.map(async (check) => show(await check(watch))));
  await packaged;
  return [...checked, show(await runVitest('service', { config: 'vitest.live.config.mts' }, watch))];
}

async function rigs(): Promise<readonly Line[]> {
  await packaged;
  const beside = freemem() >= memoryOfLanes ? lanes : [lanes.flat()];
  return (await Promise.all(beside.map(runLane))).flat();
}

async function runLane(lane: readonly Rig[]): Promise<readonly Line[]> {
  const results: Line[] = [];
  for (const [name, script] of lane) results.push(await runRig(name, script));
  return results;
}

async function buildAndPackage(): Promise<Line> {
  const { code, output, seconds } = await runScript('scripts/package.ts');
  return show({ name: 'build and package', tally: ofExitCode(code), seconds, output });
}

/** Runs a rig. A rig that cannot run on this machine skips its tests and gives the reason in lines that start with `SKIPPED`. */
async function runRig(name: string, script: string): Promise<Line> {
  const { code, output, seconds } = await runScript(script, [], {
    echo: display.readRig(name),
    onMessage: (message) => isProgress(message) && display.take(name, message),
  });
  skips.push(...output.split('\n').filter((line) => line.startsWith('SKIPPED')));
  const tally = ofRunner(output, code);
  // Failing tests have already been shown. The end of the output explains a crash before the first test.
  const isCrash = tally.passed === 0 && tally.failed > 0;
  return show({ name, tally, seconds, output: isCrash ? output.slice(-3_000) : '' });
}

function show(part: Part & { readonly output: string }): Part {
  report(part, (line) => display.line(line));
  return part;
}

function secondTries(): Line {
  const { secondTries: count } = display;
  console.log(
    `\nSecond tries of workbench steps: ${count}${count > mostSecondTries ? ', which is too many' : ''}.`,
  );
  return { name: 'second tries', tally: ofExitCode(count > mostSecondTries ? 1 : 0) };
}

async function nothingLeftBehind(): Promise<Line> {
  const leftovers = await endLeftovers();
  for (const command of leftovers) console.log(`This was still running and has been stopped: ${command}`);
  return { name: 'nothing left behind', tally: ofExitCode(leftovers.length === 0 ? 0 : 1) };
}

function frame(sentences: readonly string[]): string {
  const rule = '!'.repeat(72);
  return [rule, ...new Set(sentences), rule].join('\n');
}
