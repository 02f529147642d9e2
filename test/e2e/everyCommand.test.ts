/**
 * Every command for a user of a screen reader: each question gets the focus and is answered by the keyboard, the final result is
 * announced or gets the focus, and the panel stays closed.
 */

import { equal, ok } from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { temporaryFolder } from '../../scripts/rigs/temporary.ts';
import { patient } from '../../scripts/run/patience.ts';
import {
  type Answer,
  elsewhere,
  given,
  type Result,
  session,
  type Visit,
} from '../support/editor/commandSession.ts';
import { defaultAnswer } from '../support/editor/deployPage.ts';
import { example, serviceConfig } from '../support/editor/exampleProject.ts';
import { choose, tabTo } from '../support/editor/keyboard.ts';
import { manifest } from '../support/editor/manifest.ts';
import { type Read, readScreen, recordAnnouncements } from '../support/editor/reader.ts';
import { untilStatus } from '../support/editor/statusBar.ts';
import { keepFailures, openFile, openWorkbench, type Workbench } from '../support/editor/workbench.ts';
import { type ForeignService, openForeignService } from '../support/processes/foreignService.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../support/processes/postgres.ts';

/** Commands of the workbench that bring the screen back to its beginning. */
const tidying = [
  'notifications.clearAll',
  'workbench.action.closePanel',
  'workbench.action.focusFirstEditorGroup',
  'workbench.action.openEditorAtIndex1',
];

const keys = [...'abcdefghijklmnopqrstuvwxyz'];
const leads = ['k', 'l'];

/** The keys of each command: two after each other, because there are more commands than keys. */
const chords = new Map(
  [...tidying, ...manifest.contributes.commands.map(({ command }) => command)].map((command, index) => [
    command,
    { lead: leads[Math.floor(index / keys.length)] ?? '', key: keys[index % keys.length] ?? '' },
  ]),
);

const patience = patient(60_000);

describe('Every command, with a screen reader', () => {
  let workbench: Workbench;
  let foreign: ForeignService;
  let postgres: TestPostgres | undefined;
  /** Has an open transaction, so that no copy begins. */
  let holder: Awaited<ReturnType<TestPostgres['client']>> | undefined;
  const heard: string[] = [];

  before(async () => {
    foreign = await openForeignService();
    if (postgresPrograms.kind !== 'missing') postgres = await startPostgres();
    await postgres?.query(readFileSync(join(example, 'schema.sql'), 'utf8'));
    await postgres?.query('CREATE PUBLICATION powersync FOR TABLE lists, todos');
    holder = await postgres?.client();
    await holder?.query('BEGIN');
    await holder?.query('SELECT pg_current_xact_id()');
    const project = temporaryFolder('spoken');
    cpSync(example, project, { recursive: true });
    rmSync(join(project, 'playground'), { recursive: true });
    writeFileSync(join(project, 'service.yaml'), serviceConfig);
    writeFileSync(
      join(project, '.env'),
      `PS_DATA_SOURCE_URI=${postgres?.uri ?? 'postgres://localhost/none'}\n`,
    );
    workbench = await openWorkbench(project, {
      settings: {
        'editor.accessibilitySupport': 'on',
        'headwater.targets': [{ name: elsewhere, url: foreign.url }],
        // Deploys and copies on this machine are also confirmed.
        'headwater.allowDeployTo': [],
      },
      keybindings: [...chords].map(([command, { lead, key }]) => ({
        key: `ctrl+alt+${lead} ${key}`,
        command,
        ...(command in given && { args: given[command] }),
      })),
    });
    await recordAnnouncements(workbench.page);
    await openFile(workbench.page, 'sync.yaml');
    await workbench.page.locator('.part.editor .codelens-decoration', { hasText: 'Deploy' }).waitFor();
  });

  keepFailures('every', () => workbench);

  after(async () => {
    console.log(heard.join('\n'));
    await workbench?.close();
    await holder?.end();
    await postgres?.stop();
    await foreign?.close();
  });

  for (const visit of session.alone) it(titleOf(visit), () => follow(visit));

  (postgresPrograms.kind === 'missing' ? describe.skip : describe)('while a copy cannot begin', () => {
    const [start, ...others] = session.held;
    it(titleOf(start), async () => {
      await follow(start);
      // The other database has other rows, so a copy is pending.
      await untilStatus(workbench.page, /local(: (?!starting|waiting).+| \d+ rows)/);
    });
    for (const visit of others) it(titleOf(visit), () => follow(visit));
  });

  async function follow({ command, answers, result }: Visit): Promise<void> {
    const { page } = workbench;
    const before = await begin(page);
    await press(page, command);
    for (const answer of answers) await give(page, answer);
    const after = await untilReached(page, (now) => isReached(result, before, now));
    heard.push(`${command}: ${wordsOf(before, after)}`);
    equal(after.isPanelOpen, result.kind === 'panel');
    ok(after.isPanelOpen || after.focused !== undefined, 'Nothing has the focus.');
  }
});

function titleOf({ command, answers, result }: Visit): string {
  const asked = answers.map((answer) =>
    'label' in answer ? answer.label : 'button' in answer ? answer.button : answer.title,
  );
  return `${[command, ...asked].join(' → ')} → ${result.kind}`;
}

async function press(page: Page, command: string): Promise<void> {
  const { lead, key } = chords.get(command) ?? { lead: '', key: '' };
  await page.keyboard.press(`Control+Alt+Key${lead.toUpperCase()}`);
  await page.keyboard.press(`Key${key.toUpperCase()}`);
}

/** Answers a question by the keyboard, as soon as it has the focus. */
async function give(page: Page, answer: Answer): Promise<void> {
  switch (answer.kind) {
    case 'choose':
      await untilReached(page, ({ question }) => question !== undefined);
      return choose(page, answer.label);
    case 'type': {
      await untilReached(page, ({ question }) => question?.includes(answer.title) === true);
      if (answer.text !== undefined) await page.keyboard.type(answer.text);
      return page.keyboard.press('Enter');
    }
    case 'dialog':
      await untilReached(page, ({ question }) => question !== undefined);
      await tabTo(page, 'Tab', new RegExp(`^${answer.button}$`));
      return page.keyboard.press('Enter');
    case 'page':
      equal(await defaultAnswer(page), answer.button);
      return page.keyboard.press('Enter');
  }
}

/** Brings the screen back to its beginning: the sync config has the focus, and nothing else is open. */
async function begin(page: Page): Promise<Read> {
  await dismiss(page);
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  for (const command of tidying) await press(page, command);
  await page.locator('.part.panel').waitFor({ state: 'hidden' });
  await page
    .locator('.editor-group-container.active .tab.active[data-resource-name="sync.yaml"]')
    .first()
    .waitFor();
  return readScreen(page);
}

function isReached(result: Result, before: Read, now: Read): boolean {
  if (now.question !== undefined) return false;
  switch (result.kind) {
    case 'announced':
      return now.announced.slice(before.announced.length).some((text) => result.text.test(text));
    case 'opened':
      return now.focused !== before.focused && result.text.test(now.focused ?? '');
    case 'panel':
      return now.isPanelOpen;
  }
}

function wordsOf(before: Read, { announced, focused, isPanelOpen }: Read): string {
  const said = announced.slice(before.announced.length);
  return [
    ...(said.length > 0 ? [`announced: ${said.join(' / ')}`] : []),
    ...(focused === before.focused ? [] : [`focused: ${focused}`]),
    ...(isPanelOpen ? ['panel'] : []),
  ].join('; ');
}

async function untilReached(page: Page, isReached: (now: Read) => boolean): Promise<Read> {
  const deadline = performance.now() + patience;
  for (;;) {
    const now = await readScreen(page);
    if (isReached(now)) return now;
    if (performance.now() > deadline)
      throw new Error(
        `This is not the result: ${JSON.stringify({ ...now, announced: now.announced.slice(-3) })}`,
      );
    // A look with each frame would draw 60 frames per second while a service starts.
    await page.waitForTimeout(100);
  }
}

/** Closes the question of the last command, which may still come. */
async function dismiss(page: Page): Promise<void> {
  for (let quiet = 0; quiet < 10; quiet += 1) {
    const { question } = await readScreen(page);
    if (question !== undefined) quiet = 0;
    await page.keyboard.press('Escape');
    await nextFrame(page);
  }
}

function nextFrame(page: Page): Promise<void> {
  return page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => done())));
}
