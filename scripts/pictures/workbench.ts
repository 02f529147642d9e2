/** Takes the pictures of the packaged extension in a real VS Code. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { openStream } from '../../test/support/clients/syncStream.ts';
import { goTo, openByName } from '../../test/support/editor/keyboard.ts';
import { startAndDeploy } from '../../test/support/editor/localService.ts';
import { recordNews, untilNews } from '../../test/support/editor/news.ts';
import {
  answer,
  chooseAction,
  editorLines,
  errorSquiggles,
  hoverOver,
  openFile,
  pick,
  runCommand,
  save,
  takeScreenshot,
  untilNoProblems,
  warningSquiggles,
} from '../../test/support/editor/workbench.ts';
import { vsixPath } from '../package.ts';
import { openPage } from '../rigs/browser.ts';
import { startCodeServer } from '../rigs/editors/codeServer.ts';
import { temporaryFolder } from '../rigs/temporary.ts';
import { root } from '../root.ts';
import { keepAnimation, keepPicture, screenOf, untilAnswered } from './keep.ts';
import type { Frame } from './png.ts';

/** The size in pixels. A page shows the full width, so that the text is readable. */
const size = { width: 860, height: 390 };

const settings = {
  'editor.fontSize': 13,
  'editor.hover.above': false,
  'editor.lightbulb.enabled': 'off',
  'editor.minimap.enabled': false,
  'editor.stickyScroll.enabled': false,
  'breadcrumbs.enabled': false,
  'headwater.local.port': 0,
  'testing.automaticallyOpenTestResults': 'neverOpen',
  'window.commandCenter': false,
  'workbench.activityBar.location': 'hidden',
  'workbench.layoutControl.enabled': false,
  'workbench.colorTheme': 'Default Light Modern',
};

const syncConfig = `config:
  edition: 3

streams:
  open_todos:
    auto_subscribe: true
    query: |
      SELECT todos.id, todos.description
      FROM todos JOIN lists ON lists.id = todos.list_id
      WHERE lists.owner_id = auth.userid() AND NOT todos.completed
  lists:
    query: SELECT id, name FROM lists WHERE owner_id = auth.user_id()
`;

const legacy = `bucket_definitions:
  by_list:
    parameters: SELECT id AS list_id FROM lists WHERE owner_id = request.user_id()
    data:
      - SELECT id, name FROM lists WHERE id = bucket.list_id
      - SELECT id, list_id, description FROM todos WHERE list_id = bucket.list_id
`;

type Tools = Parameters<typeof startCodeServer>[0];
/** The scenes. A scene that adds frames becomes an animation, and any other becomes a picture of its end. */
type Scenes = Readonly<Record<string, (page: Page, addFrame: AddFrame) => Promise<void>>>;
/** @param milliseconds the time for which the frame is shown */
type AddFrame = (milliseconds: number) => Promise<void>;

/** @param chosen the names of pictures; none: all pictures */
export async function takeWorkbench(
  tools: Tools,
  browser: Browser,
  chosen: readonly string[],
): Promise<void> {
  const isChosen = (scenes: Scenes) =>
    chosen.length === 0 || Object.keys(scenes).some((name) => chosen.includes(name));
  if (isChosen(scenesOfApp)) await takeScenes(tools, browser, writeProject(), scenesOfApp);
  if (isChosen(scenesOfLeak)) await takeScenes(tools, browser, writeLeak(), scenesOfLeak);
  if (isChosen(scenesOfTests))
    await takeScenes(tools, browser, copyTeamChat('with a mistake'), scenesOfTests);
  if (isChosen(scenesOfDevices)) await takeScenes(tools, browser, copyTeamChat('as it is'), scenesOfDevices);
}

async function takeScenes(tools: Tools, browser: Browser, folder: string, scenes: Scenes): Promise<void> {
  const server = await startCodeServer(tools, { purpose: 'user-interface', vsix: [vsixPath()], settings });
  const page = await openPage(browser);
  await recordNews(page);
  try {
    await page.setViewportSize(size);
    const query = new URLSearchParams({ folder, payload: JSON.stringify([['skipWelcome', 'true']]) });
    await page.goto(`http://${server.host}/?${query}`);
    await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
    for (const [name, act] of Object.entries(scenes)) {
      const frames: Frame[] = [];
      const addFrame = async (milliseconds: number): Promise<void> => {
        await untilAnswered(page, `${name}.png`);
        frames.push({ png: await screenOf(page), milliseconds });
      };
      await act(page, addFrame).catch(async (error: unknown) => {
        await takeScreenshot(page, `picture-failed-${name}`);
        throw error;
      });
      if (frames.length > 0) keepAnimation(frames, name);
      else await keepPicture(page, name);
      await page.keyboard.press('Escape');
    }
  } finally {
    await page.close();
    await server.stop();
  }
}

/** Writes a project with a mistake, as created by `headwater init`. */
function writeProject(): string {
  const folder = join(temporaryFolder('pictures'), 'my-app');
  mkdirSync(folder);
  execFileSync(process.execPath, [join(root, 'dist/cli.js'), 'init'], { cwd: folder });
  const service = join(folder, 'service.yaml');
  // Another service may be running on this machine.
  writeFileSync(service, readFileSync(service, 'utf8').replace(/^ {6}port: \d+\n/m, ''));
  writeFileSync(join(folder, 'sync.yaml'), syncConfig);
  writeFileSync(join(folder, 'sync-rules.yaml'), legacy);
  return folder;
}

/** Writes the leak that the README shows, with its test. */
function writeLeak(): string {
  const folder = join(temporaryFolder('pictures'), 'leak');
  mkdirSync(folder);
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  for (const [, name = '', text = ''] of readme.matchAll(/```yaml leak\/(\S+)\n([\s\S]*?)```/g))
    writeFileSync(join(folder, name), text);
  return folder;
}

/** Copies the example. The mistake sends the reports to all members. */
function copyTeamChat(state: 'as it is' | 'with a mistake'): string {
  const folder = join(temporaryFolder('pictures'), 'team-chat');
  cpSync(join(root, 'examples/team-chat'), folder, { recursive: true });
  const service = join(folder, 'service.yaml');
  // Another service may be running on this machine.
  const ports = /^port: .*\n|^ +port: .*\n/gm;
  writeFileSync(service, readFileSync(service, 'utf8').replace(ports, ''));
  if (state === 'as it is') return folder;
  const config = join(folder, 'sync.yaml');
  const text = readFileSync(config, 'utf8');
  writeFileSync(config, text.replace('IN moderated_channels', 'IN my_channels'));
  return folder;
}

/** The scenes, in order. Each starts where the previous one has ended. */
const scenesOfApp: Scenes = {
  'quick-fix': async (page, addFrame) => {
    // The space below the line is needed for its message.
    await page.setViewportSize({ ...size, height: 460 });
    await openFile(page, 'sync.yaml');
    await toggleSidebar(page);
    await errorSquiggles(page).first().waitFor({ state: 'attached' });
    await editorLines(page).locator('span', { hasText: 'userid' }).last().waitFor();
    // A hover that comes before the server has registered its fixes shows none, and stays as it is.
    const showsFix = () =>
      hoverOver(page, 'userid')
        .then((hover) => hover.getByText('Quick Fix...').waitFor({ timeout: 5_000 }))
        .then(
          () => true,
          () => false,
        );
    while (!(await showsFix())) await page.mouse.move(0, 0);
    await addFrame(4_000);
    await page.mouse.move(0, 0);
    await clickOn(page, 'userid');
    await page.keyboard.press('Control+.');
    const fix = page.locator('.action-widget .monaco-list-row', { hasText: 'user_id' }).first();
    await fix.waitFor();
    await addFrame(2_500);
    await fix.click();
    await untilNoProblems(page);
    await addFrame(2_500);
  },
  service: async (page) => {
    await page.setViewportSize(size);
    await save(page);
    await startAndDeploy(page, 'With the database in service.yaml');
    await page.keyboard.press('Control+Home');
    await toggleSidebar(page);
    await dragSash(page, 300);
    await runCommand(page, 'View: Show Headwater');
    await treeRow(page, 'Active config').click();
    await treeRow(page, 'todos').waitFor();
    await connectApp(page);
    // A row without clients does not open.
    await treeRow(page, 'Clients').filter({ hasText: '1' }).click();
    await treeRow(page, 'ada').waitFor();
    // The report about the token is longer than the status bar of a small window.
    await page.locator('.statusbar-item[id$="headwater.report"]').waitFor({ state: 'detached' });
  },
  'explain-row': async (page) => {
    // The explanation is short.
    await page.setViewportSize({ ...size, height: 250 });
    await toggleSidebar(page);
    await runCommand(page, 'Headwater: Explain Row');
    await pick(page, 'todos');
    const row = '{"id": "7", "list_id": "1", "description": "Bread", "completed": 1}';
    await answer(page, 'Explain Row: Row', row);
    await editorLines(page).filter({ hasText: 'is not synced:' }).first().waitFor();
  },
  migration: async (page) => {
    await page.setViewportSize({ ...size, height: 480 });
    await runCommand(page, 'File: Focus on Files Explorer');
    await openFile(page, 'sync-rules.yaml');
    await toggleSidebar(page);
    await chooseAction(page, 'bucket_definitions', 'Migrate');
    await page.locator('.tab.active.dirty').waitFor();
    await runCommand(page, 'File: Compare Active File with Saved');
    await page.locator('.monaco-diff-editor .line-insert').first().waitFor();
  },
};

const scenesOfLeak: Scenes = {
  leak: async (page, addFrame) => {
    await page.setViewportSize({ width: 900, height: 450 });
    await openFile(page, 'sync.yaml');
    await toggleSidebar(page);
    const warning = warningSquiggles(page).first();
    await warning.waitFor({ state: 'attached' });
    await addFrame(2_000);
    await page.keyboard.press('F8');
    await page.keyboard.press('Escape');
    await runCommand(page, 'Show or Focus Hover');
    await page.locator('.monaco-hover:not(.hidden)', { hasText: 'row-not-compared' }).first().waitFor();
    await page.getByText('Checking for quick fixes').first().waitFor({ state: 'detached' });
    await addFrame(4_000);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await runCommand(page, 'Headwater: Run Access Tests');
    await openByName(page, 'access.sync-test.yaml');
    const failure = page.getByText('hello != none').first();
    await failure.waitFor();
    await addFrame(2_000);
    await failure.click();
    await page.getByText('eve gets messages hello, which is not expected').first().waitFor();
    await page.locator('.monaco-diff-editor .view-line', { hasText: 'hello' }).first().waitFor();
    await addFrame(4_000);
    await page.keyboard.press('Escape');
    await openByName(page, 'sync.yaml');
    await editorLines(page).last().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('End');
    await page.keyboard.type(' AND members.channel_id = messages.channel_id');
    await warning.waitFor({ state: 'detached' });
    await save(page);
    await page.keyboard.press('Escape');
    await page.locator('.suggest-widget.visible').waitFor({ state: 'detached' });
    await addFrame(3_000);
    await runCommand(page, 'Headwater: Run Access Tests');
    await openByName(page, 'access.sync-test.yaml');
    await page.locator('.part.editor .codicon-testing-passed-icon').first().waitFor();
    await addFrame(4_000);
  },
};

const scenesOfTests: Scenes = {
  'access-test': async (page) => {
    await page.setViewportSize({ width: 1100, height: 760 });
    await openFile(page, 'team-chat.sync-test.yaml');
    await runCommand(page, 'Testing: Focus on Test Explorer View');
    const file = testRow(page, 'team-chat.sync-test.yaml');
    await file.waitFor();
    if ((await file.getAttribute('aria-expanded')) !== 'true')
      await file.locator('.monaco-tl-twistie').click();
    await runCommand(page, 'Test: Run All Tests');
    await testRow(page, 'reports are for moderators', 'failed').waitFor();
    await testRow(page, 'nobody reads a channel', 'passed').waitFor();
    await testRow(page, 'reports are for moderators').dblclick();
    await editorLines(page).filter({ hasText: 'reports are for moderators' }).first().waitFor();
    await page.getByText('grace gets reports p1, which is not expected').first().waitFor();
    await dragSash(page, 330);
    // The query that decided it, below the test.
    await runCommand(page, 'View: Split Editor Down');
    await openByName(page, 'sync.yaml');
    await goTo(page, 26, 5);
    await page.keyboard.press('Shift+End');
    await editorLines(page)
      .filter({ hasText: 'FROM reports WHERE channel_id IN my_channels' })
      .first()
      .waitFor();
  },
};

const scenesOfDevices: Scenes = {
  why: async (page) => {
    await page.setViewportSize({ width: 1180, height: 820 });
    await openFile(page, 'sync.yaml');
    await startAndDeploy(page, 'With the database in service.yaml');
    await runCommand(page, 'View: Close All Editors');
    await toggleSidebar(page);
    await runCommand(page, 'Headwater: Explain Missing Rows');
    const console = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    await console.getByRole('button', { name: 'Any other user' }).click();
    await console.getByLabel('Id', { exact: true }).fill('grace');
    await console.locator('[data-device="live"]').waitFor();
    await console.getByLabel('Table').selectOption('channels');
    await console.locator('.why').first().click();
    await console.locator('.why-panel mark').first().waitFor();
    await console.locator('.why-panel mark').last().scrollIntoViewIfNeeded();
  },
};

/** Connects an app of ada with a token that the editor creates. It stays connected until the service stops. */
async function connectApp(page: Page): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await untilNews(page, /A token for ada was copied/, async () => {
    await runCommand(page, 'Headwater: Create Client Token');
    await answer(page, 'Create Client Token', 'ada');
  });
  const token = await page.evaluate(() => navigator.clipboard.readText());
  const row = (await treeRow(page, 'Local service').textContent()) ?? '';
  const port = Number(/:(\d+)/.exec(row)?.[1]);
  const body = { raw_data: true, client_id: 'phone' };
  await openStream(port, { token, body, headers: { 'user-agent': 'todos/1.0' } });
}

/** Returns a row of the Test Explorer, with the given result. */
function testRow(page: Page, name: string, state?: 'passed' | 'failed'): Locator {
  const rows = page
    .locator('[role="tree"][aria-label="Test Explorer"] [role="treeitem"]')
    .filter({ hasText: name });
  const icon = page.locator(`.computed-state.codicon-testing-${state}-icon`);
  return (state === undefined ? rows : rows.filter({ has: icon })).first();
}

async function clickOn(page: Page, word: string): Promise<void> {
  await editorLines(page).locator('span', { hasText: word }).last().click();
}

function toggleSidebar(page: Page): Promise<void> {
  return page.keyboard.press('Control+B');
}

/** Drags the right edge of the side bar to `to`. */
async function dragSash(page: Page, to: number): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (box === null) throw new Error('There is no side bar.');
  await page.mouse.move(box.x + box.width, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(to, box.y + 20, { steps: 5 });
  await page.mouse.up();
  // The edge is highlighted while the mouse is over it.
  await page.mouse.move(to + 100, box.y + box.height - 40);
}

function treeRow(page: Page, text: string): Locator {
  return page.locator('.tree-explorer-viewlet-tree-view .monaco-list-row', { hasText: text }).first();
}
