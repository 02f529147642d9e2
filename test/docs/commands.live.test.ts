/** Runs every command of each page, in order, and compares its output with the page. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/root.ts';
import { difference } from '../support/docs/shown.ts';
import { type Step, stepsOf } from '../support/docs/steps.ts';
import { openTerminal, patience, type Terminal } from '../support/docs/terminal.ts';
import { eventually } from '../support/house/eventually.ts';

/** The commands that are not run here, with the reasons. */
const notRun: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^npm (start|test)\b/, 'runs these very tests, or opens windows'],
  [/^npm run package\b/, 'was done before these tests: its result is what they run'],
  [/^npm (install(?!.*\.tgz)|link)\b/, 'needs the network, or changes the machine; the packages are there'],
  [/^code /, 'needs a desktop'],
  [/ --service http:\/\/localhost:8080$/, "is for the reader's own service"],
];

/**
 * The time limit of a step, in milliseconds. It is longer than the limit of the terminal, so that a failure shows the
 * output.
 */
const longest = 2 * patience;

/** The commands that run until Ctrl-C. */
const goesOn =
  /^headwater (dev|serve)\b|service\.js start\b|node (--env-file=\.env )?(app|client|backend)\.mjs\b/;

/** Creates a user's package, with the file that `npm run package` has made. */
const inPackage = 'mkdir app && cd app && echo "{}" > package.json && cp ../headwater-cli-*.tgz .';

/** Returns the steps that come before a page. The page of an example continues the page about all examples. */
function stepsBefore(path: string): readonly Step[] {
  if (path === 'docs/CI.md') return [{ kind: 'command', command: inPackage }];
  const folder = /^examples\/[^/]+(?=\/)/.exec(path)?.[0];
  if (folder === undefined) return [];
  return [
    { kind: 'command', command: `cd ${folder}` },
    ...stepsOf(readFileSync(join(root, 'examples/README.md'), 'utf8')),
  ];
}

const pages = globSync(['README.md', 'CONTRIBUTING.md', 'docs/*.md', 'examples/*/README.md'], { cwd: root })
  .map((path) => ({
    path,
    steps: [...stepsBefore(path), ...stepsOf(readFileSync(join(root, path), 'utf8'))],
  }))
  .filter(({ steps }) => steps.length > 0);

const reasonAgainst = (command: string) => notRun.find(([pattern]) => pattern.test(command))?.[1];

describe.each(pages)('$path', ({ steps }) => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await openTerminal();
  });
  afterAll(() => terminal.close());

  let reason: string | undefined;
  for (const step of steps) {
    // The expected output of a skipped command is also skipped.
    if (step.kind === 'command') reason = reasonAgainst(step.command);
    else if (step.kind === 'file') reason = undefined;
    if (reason === undefined) test(titleOf(step), () => follow(step, terminal), longest);
    else test.skip(`${titleOf(step)} (${reason})`);
  }
});

test('every skipped command is on some page', () => {
  const commands = pages.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.kind === 'command' ? [step.command] : [])),
  );
  expect(notRun.filter(([pattern]) => !commands.some((command) => pattern.test(command)))).toEqual([]);
});

async function follow(step: Step, terminal: Terminal): Promise<void> {
  if (step.kind === 'file') return terminal.write(step.path, step.text);
  if (step.kind === 'shown next') return terminal.untilShown(step.shown);
  const { command, shown } = step;
  if (goesOn.test(command)) return terminal.start(command, shown ?? []);
  if (!readsRows.test(command)) return check(command, shown, terminal);
  await eventually(() => check(command, shown, terminal));
}

/** Commands that show rows. They are repeated, because changes arrive a moment after they are made. */
const readsRows = /headwater (?:sql "SELECT|preview .*--live)/;

async function check(
  command: string,
  shown: readonly string[] | undefined,
  terminal: Terminal,
): Promise<void> {
  const { code, output } = await terminal.run(command);
  if (shown === undefined) return expect({ code, output }).toMatchObject({ code: 0 });
  const [expected, found] = difference(shown, output) ?? [];
  expect(found).toBe(expected);
}

function titleOf(step: Step): string {
  if (step.kind === 'command') return `$ ${step.command}`;
  return step.kind === 'file' ? `the file ${step.path}` : `then: ${step.shown.join(' / ')}`;
}
