/** Runs every command of each page, in order, and compares its output with the page. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../support/console/console.ts';
import { openReadersBrowser, type ReadersBrowser } from '../support/docs/browser.ts';
import {
  needsOwnDatabase,
  noOwnDatabase,
  type OwnDatabase,
  openOwnDatabase,
} from '../support/docs/ownDatabase.ts';
import { keepsRunning, pagesWithSteps, reasonAgainst } from '../support/docs/pages.ts';
import { difference } from '../support/docs/shown.ts';
import type { Step } from '../support/docs/steps.ts';
import { openTerminal, patience, type Terminal } from '../support/docs/terminal.ts';
import { eventually } from '../support/house/eventually.ts';
import {
  openRecordedService,
  type RecordedService,
  recordedToken,
} from '../support/processes/recordedService.ts';

/**
 * The time limit of a step, in milliseconds. It is longer than the limit of the terminal, so that a failure shows the
 * output.
 */
const longest = 2 * patience;

/** The pages that are about the files of the repository. Their reader has a clone, and all other readers have an empty folder. */
const aboutTheClone = /^examples\/|^docs\/WRITES\.md$/;

const chromium = await findChromium();

describe.each(pagesWithSteps())('$path', ({ path, steps }) => {
  const reasonAgainstPage = needsOwnDatabase(steps) ? noOwnDatabase : undefined;
  let desk: Desk | undefined;
  beforeAll(async () => {
    if (reasonAgainstPage === undefined) desk = await openDesk(path, steps);
  });
  afterAll(async () => {
    if (desk === undefined) return;
    await desk.browser?.close();
    await desk.terminal.close();
    await desk.service?.stop();
    await desk.database?.stop();
  });

  let reason = reasonAgainstPage;
  for (const step of steps) {
    // The expected output of a skipped command is also skipped.
    if (step.kind === 'command') reason = reasonAgainstPage ?? reasonAgainst(step.command);
    else if (step.kind === 'file') reason = reasonAgainstPage;
    if (step.kind === 'browser' && chromium === undefined) test.skip(`${titleOf(step)} (needs Chromium)`);
    else if (reason === undefined) test(titleOf(step), () => desk && follow(step, desk), longest);
    else test.skip(`${titleOf(step)} (${reason})`);
  }
});

interface Desk {
  readonly terminal: Terminal;
  readonly browser: ReadersBrowser | undefined;
  /** The PowerSync service that the reader runs already, with recorded answers. */
  readonly service: RecordedService | undefined;
  /** The PostgreSQL server that the reader runs already. */
  readonly database: OwnDatabase | undefined;
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
    database: needsOwnDatabase(steps) ? await startOwnDatabase(steps, terminal) : undefined,
  };
}

async function startOwnDatabase(steps: readonly Step[], terminal: Terminal): Promise<OwnDatabase> {
  const database = await openOwnDatabase(steps, terminal.folder);
  for (const [name, value] of Object.entries(database.variables))
    await terminal.run(`export ${name}='${value}'`);
  return database;
}

async function startOwnService(terminal: Terminal): Promise<RecordedService> {
  await terminal.run(`export PS_ADMIN_TOKEN=${recordedToken}`);
  return openRecordedService(Number(terminal.reach('8080')));
}

async function follow(step: Step, { terminal, browser, database }: Desk): Promise<void> {
  if (step.kind === 'browser') return browser?.follow(terminal.reach(step.address), step.lines);
  if (step.kind === 'file') {
    // The reader's database has the tables of the files.
    if (step.path.endsWith('.sql')) await database?.run(step.text);
    return terminal.write(step.path, step.text);
  }
  if (step.kind === 'sql') {
    if (/pg_drop_replication_slot/.test(step.text)) await terminal.interrupt();
    return database?.run(step.text);
  }
  if (step.kind === 'shown next') return terminal.untilShown(step.shown);
  const { command, shown } = step;
  if (keepsRunning.test(command)) return terminal.start(command, shown ?? []);
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
  if (step.kind === 'sql') return step.text.trim();
  return step.kind === 'file' ? `the file ${step.path}` : `then: ${step.shown.join(' / ')}`;
}
