/** Runs every command of each page, in order, and compares its output with the page. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/root.ts';
import { findChromium } from '../support/console/console.ts';
import { openReadersBrowser, type ReadersBrowser } from '../support/docs/browser.ts';
import { difference } from '../support/docs/shown.ts';
import { type Step, stepsOf } from '../support/docs/steps.ts';
import { openTerminal, patience, type Terminal } from '../support/docs/terminal.ts';
import { eventually } from '../support/house/eventually.ts';
import {
  openRecordedService,
  type RecordedService,
  recordedToken,
} from '../support/processes/recordedService.ts';

/** The commands that are not run here, with the reasons. */
const notRun: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^npm (start|test)\b/, 'runs these very tests, or opens windows'],
  [/^npm run package\b/, 'was done before these tests: its result is what they run'],
  [/^npm link\b/, 'changes the machine; the command is there'],
  [/^code /, 'needs a desktop'],
];

/**
 * The time limit of a step, in milliseconds. It is longer than the limit of the terminal, so that a failure shows the
 * output.
 */
const longest = 2 * patience;

/** The commands that run until Ctrl-C. */
const goesOn =
  /^headwater (dev|serve)\b|service\.js start\b|node (--env-file=\.env )?(app|client|backend)\.mjs\b|npx vite(?! build)/;

/** The pages that are about the files of the repository. Their reader has a clone, and all other readers have an empty folder. */
const aboutTheClone = /^examples\/|^docs\/WRITES\.md$/;

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

const chromium = await findChromium();

describe.each(pages)('$path', ({ path, steps }) => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk(path, steps);
  });
  afterAll(async () => {
    await desk.browser?.close();
    await desk.terminal.close();
    await desk.service?.stop();
  });

  let reason: string | undefined;
  for (const step of steps) {
    // The expected output of a skipped command is also skipped.
    if (step.kind === 'command') reason = reasonAgainst(step.command);
    else if (step.kind === 'file') reason = undefined;
    if (step.kind === 'browser' && chromium === undefined) test.skip(`${titleOf(step)} (needs Chromium)`);
    else if (reason === undefined) test(titleOf(step), () => follow(step, desk), longest);
    else test.skip(`${titleOf(step)} (${reason})`);
  }
});

interface Desk {
  readonly terminal: Terminal;
  readonly browser: ReadersBrowser | undefined;
  /** The PowerSync service that the reader runs already, with recorded answers. */
  readonly service: RecordedService | undefined;
}

const usesOwnService = / --service http:\/\/localhost:8080\b/;

async function openDesk(path: string, steps: readonly Step[]): Promise<Desk> {
  const terminal = await openTerminal(aboutTheClone.test(path) ? 'a clone' : 'an empty folder');
  const needsBrowser = chromium !== undefined && steps.some(({ kind }) => kind === 'browser');
  const needsService = steps.some((step) => step.kind === 'command' && usesOwnService.test(step.command));
  return {
    terminal,
    browser: needsBrowser ? await openReadersBrowser(chromium) : undefined,
    service: needsService ? await startOwnService(terminal) : undefined,
  };
}

test('every skipped command is on some page', () => {
  const commands = pages.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.kind === 'command' ? [step.command] : [])),
  );
  expect(notRun.filter(([pattern]) => !commands.some((command) => pattern.test(command)))).toEqual([]);
});

async function startOwnService(terminal: Terminal): Promise<RecordedService> {
  await terminal.run(`export PS_ADMIN_TOKEN=${recordedToken}`);
  return openRecordedService(Number(terminal.reach('8080')));
}

async function follow(step: Step, { terminal, browser }: Desk): Promise<void> {
  if (step.kind === 'browser') return browser?.follow(terminal.reach(step.address), step.lines);
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
  if (step.kind === 'browser') return `${step.address} shows: ${step.lines.join(' / ')}`;
  return step.kind === 'file' ? `the file ${step.path}` : `then: ${step.shown.join(' / ')}`;
}
