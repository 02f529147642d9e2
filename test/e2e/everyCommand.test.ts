/** Every command for a user of a screen reader: its answer is announced, or its question gets the focus, and the panel stays closed. */
import { equal } from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { temporaryFolder } from '../../scripts/rigs/temporary.ts';
import { root } from '../../scripts/root.ts';
import { patient } from '../../scripts/run/patience.ts';
import { manifest } from '../support/editor/manifest.ts';
import { type Read, readScreen, recordAnnouncements } from '../support/editor/reader.ts';
import { keepFailures, openFile, openWorkbench, type Workbench } from '../support/editor/workbench.ts';

/** Commands that show a log, which is in the panel. */
const forThePanel = new Set(['headwater.showLog', 'headwater.showServiceLog']);

/** Arguments that a view or a lens gives to its command. */
const given: Readonly<Record<string, unknown>> = {
  'headwater.openScript': { script: 'schema.sql', line: 1 },
};

const last = ['headwater.restartLocalService', 'headwater.resetLocalDatabase', 'headwater.stopLocalService'];
const all = manifest.contributes.commands.map(({ command }) => command);
const inOrder = [...all.filter((command) => !last.includes(command)), ...last];

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
  [...tidying, ...inOrder].map((command, index) => [
    command,
    { lead: leads[Math.floor(index / keys.length)] ?? '', key: keys[index % keys.length] ?? '' },
  ]),
);

async function press(page: Page, command: string): Promise<void> {
  const { lead, key } = chords.get(command) ?? { lead: '', key: '' };
  await page.keyboard.press(`Control+Alt+Key${lead.toUpperCase()}`);
  await page.keyboard.press(`Key${key.toUpperCase()}`);
}

const patience = patient(30_000);

describe('Every command, with a screen reader', () => {
  let workbench: Workbench;
  const heard: string[] = [];

  before(async () => {
    const project = temporaryFolder('spoken');
    cpSync(join(root, 'examples/todo'), project, { recursive: true });
    for (const name of ['service.yaml', '.env', 'playground'])
      rmSync(join(project, name), { recursive: true });
    workbench = await openWorkbench(project, {
      settings: { 'editor.accessibilitySupport': 'on' },
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
  });

  for (const command of inOrder) {
    it(`${command} answers or asks`, async () => {
      const { page } = workbench;
      const before = await begin(page);
      await press(page, command);
      const after = await untilReached(
        page,
        before,
        (now) => now.question !== undefined || isAnswer(before, now),
      );
      heard.push(`${command}: ${wordsOf(before, after)}`);
      equal(after.isPanelOpen, forThePanel.has(command));
    });
  }
});

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

function isAnswer(before: Read, now: Read): boolean {
  return now.announced.length > before.announced.length || now.editors !== before.editors || now.isPanelOpen;
}

function wordsOf(before: Read, { announced, question, editors, isPanelOpen }: Read): string {
  const said = announced.slice(before.announced.length);
  if (said.length > 0) return `announced: ${said.join(' / ')}`;
  if (question !== undefined) return `asked: ${question}`;
  return editors === before.editors ? `panel: ${isPanelOpen}` : `opened: ${editors}`;
}

async function untilReached(page: Page, before: Read, isReached: (now: Read) => boolean): Promise<Read> {
  const deadline = performance.now() + patience;
  while (performance.now() < deadline) {
    const now = await readScreen(page);
    if (isReached(now)) return now;
    await nextFrame(page);
  }
  throw new Error(
    `Nothing is announced, and nothing gets the focus: ${JSON.stringify({ before: before.editors })}`,
  );
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
