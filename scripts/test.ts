/**
 * `npm test`: the checks, the package, the service with real parts, the product on Windows, and three rigs in which it
 * runs in a real VS Code.
 * Each runs even if one before it failed. The last line counts them all.
 */
import { checkAll, report } from './check.ts';
import { runVitest } from './checks.ts';
import { runScript } from './run/command.ts';
import { endLeftovers, markDescendants } from './run/leftovers.ts';
import { add, format, nothing, ofExitCode, ofRunner, type Tally } from './run/tally.ts';

/** The first run of a rig installs code-server and Chromium. */
const rigTimeoutSeconds = 900;

const rigs = [
  ['windows', 'scripts/windows/test.ts'],
  ['integration', 'scripts/rigs/integration.ts'],
  ['workbench', 'scripts/rigs/workbench.ts'],
  ['web', 'scripts/rigs/web.ts'],
] as const;

interface Line {
  readonly name: string;
  readonly tally: Tally;
  readonly seconds?: number;
}

markDescendants();
const skips: string[] = [];
const lines: Line[] = [];

heading('checks');
lines.push(...(await checkAll()));
heading('package');
lines.push(await buildAndPackage());
heading('service');
lines.push(await serviceTests());
for (const [name, script] of rigs) {
  heading(name);
  lines.push(await runRig(name, script));
}
lines.push(await nothingLeftBehind());

heading('summary');
for (const { name, tally, seconds } of lines) {
  const time = seconds === undefined ? '' : `${seconds.toFixed(1)} s`;
  console.log(`${name.padEnd(24)} ${time.padStart(8)}  ${format(tally)}`);
}
if (skips.length > 0) console.log(`\n${frame(skips)}`);
const total = lines.reduce((sum, { tally }) => add(sum, tally), nothing);
console.log(format(total));
process.exitCode = total.failed > 0 ? 1 : 0;

async function buildAndPackage(): Promise<Line> {
  const { code, seconds } = await runScript('scripts/package.ts', [], { timeoutSeconds: 120, echo });
  return { name: 'build and package', tally: ofExitCode(code), seconds };
}

/** On what was just built, with real databases, processes and client SDKs. */
async function serviceTests(): Promise<Line> {
  const outcome = await runVitest('service', 'vitest.live.config.mts');
  report(outcome);
  return outcome;
}

/** A rig that cannot run on this machine skips its tests and says why in lines that start with `SKIPPED`. */
async function runRig(name: string, script: string): Promise<Line> {
  const { code, output, seconds } = await runScript(script, [], {
    timeoutSeconds: rigTimeoutSeconds,
    echo,
  });
  skips.push(...output.split('\n').filter((line) => line.startsWith('SKIPPED')));
  return { name, tally: ofRunner(output, code), seconds };
}

async function nothingLeftBehind(): Promise<Line> {
  const leftovers = await endLeftovers();
  for (const command of leftovers) console.log(`This was still running and has been stopped: ${command}`);
  return { name: 'nothing left behind', tally: ofExitCode(leftovers.length === 0 ? 0 : 1) };
}

function heading(name: string): void {
  console.log(`\n── ${name} ${'─'.repeat(60 - name.length)}`);
}

function echo(text: string): void {
  process.stdout.write(text);
}

function frame(sentences: readonly string[]): string {
  const rule = '!'.repeat(72);
  return [rule, ...new Set(sentences), rule].join('\n');
}
