/**
 * `npm run pictures`: takes the pictures of the README and of the tutorial, in a real VS Code with the packaged extension, and
 * draws the icon of the Marketplace. `npm run pictures -- icon` draws only the icon.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { startAndDeploy } from '../test/support/editor/localService.ts';
import {
  answer,
  editorLines,
  errorSquiggles,
  hoverOver,
  openFile,
  openServiceView,
  pick,
  runCommand,
  save,
} from '../test/support/editor/workbench.ts';
import { vsixPath } from './package.ts';
import { launchBrowser, openPage } from './rigs/browser.ts';
import { startCodeServer } from './rigs/editors/codeServer.ts';
import { install } from './rigs/install.ts';
import { temporaryFolder } from './rigs/temporary.ts';
import { root } from './root.ts';

const pictures = join(root, 'docs/pictures');

/** Pixels: as wide as a page shows it, so that it can be read. */
const size = { width: 860, height: 390 };

const settings = {
  'editor.fontSize': 13,
  'editor.hover.above': false,
  'editor.lightbulb.enabled': 'off',
  'editor.minimap.enabled': false,
  'editor.stickyScroll.enabled': false,
  'breadcrumbs.enabled': false,
  'headwater.local.port': 0,
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

async function takePictures(): Promise<void> {
  const tools = await install();
  if (tools.kind === 'missing') throw new Error(`${tools.what}. ${tools.fix}`);
  mkdirSync(pictures, { recursive: true });
  const browser = await launchBrowser(tools.chromium);
  try {
    await drawIcon(browser);
    if (!process.argv.includes('icon')) await takeScenes(tools, browser);
  } finally {
    await browser.close();
  }
}

async function takeScenes(tools: Parameters<typeof startCodeServer>[0], browser: Browser): Promise<void> {
  const folder = writeProject();
  const server = await startCodeServer(tools, { purpose: 'user-interface', vsix: [vsixPath()], settings });
  try {
    const page = await openPage(browser);
    await page.setViewportSize(size);
    const query = new URLSearchParams({ folder, payload: JSON.stringify([['skipWelcome', 'true']]) });
    await page.goto(`http://${server.host}/?${query}`);
    for (const [name, act] of Object.entries(scenes)) {
      await act(page);
      await page.screenshot({ path: join(pictures, `${name}.png`) });
      console.log(`docs/pictures/${name}.png`);
      await page.keyboard.press('Escape');
    }
  } finally {
    await server.stop();
  }
}

/** The Marketplace takes no SVG. */
async function drawIcon(browser: Browser): Promise<void> {
  const page = await openPage(browser);
  await page.setViewportSize({ width: 256, height: 256 });
  const drawing = readFileSync(join(root, 'images/icon.svg'), 'utf8');
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${drawing}`);
  await page.screenshot({ path: join(root, 'images/icon.png'), omitBackground: true });
  await page.close();
  console.log('images/icon.png');
}

/** As `headwater init` makes it, with a mistake. */
function writeProject(): string {
  const folder = join(temporaryFolder('pictures'), 'my-app');
  mkdirSync(folder);
  execFileSync(process.execPath, [join(root, 'dist/cli.js'), 'init'], { cwd: folder });
  const service = join(folder, 'service.yaml');
  // Another one may run on this machine.
  writeFileSync(service, readFileSync(service, 'utf8').replace(/^ {6}port: \d+\n/m, ''));
  writeFileSync(join(folder, 'sync.yaml'), syncConfig);
  writeFileSync(join(folder, 'sync-rules.yaml'), legacy);
  return folder;
}

/** One after the other, each from where the one before has ended. */
const scenes: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'quick-fix': async (page) => {
    await openFile(page, 'sync.yaml');
    await toggleSidebar(page);
    await errorSquiggles(page).first().waitFor({ state: 'attached' });
    const hover = await hoverOver(page, 'userid');
    await hover.getByText('Quick Fix...').waitFor();
  },
  service: async (page) => {
    await clickOn(page, 'userid');
    await page.keyboard.press('Control+.');
    await page.locator('.action-widget .monaco-list-row', { hasText: 'user_id' }).first().click();
    await save(page);
    await startAndDeploy(page, 'With the database in service.yaml');
    await page.keyboard.press('Control+Home');
    await toggleSidebar(page);
    await dragSash(page, 300);
    await openServiceView(page);
    await treeRow(page, 'Active config').click();
    await treeRow(page, 'todos').waitFor();
  },
  'explain-row': async (page) => {
    await toggleSidebar(page);
    await runCommand(page, 'Headwater: Explain Row');
    await pick(page, 'todos');
    const row = '{"id": "7", "list_id": "1", "description": "Bread", "completed": 1}';
    await answer(page, 'Explain Row: Row', row);
    await editorLines(page).filter({ hasText: 'goes nowhere' }).first().waitFor();
  },
  migration: async (page) => {
    await toggleSidebar(page);
    await page.locator('.pane-header', { hasText: 'my-app' }).click();
    await openFile(page, 'sync-rules.yaml');
    await toggleSidebar(page);
    await clickOn(page, 'bucket_definitions');
    await page.keyboard.press('Control+Shift+R');
    await page.locator('.action-widget .monaco-list-row', { hasText: 'Migrate' }).first().click();
    await page.locator('.tab.active.dirty').waitFor();
    await runCommand(page, 'File: Compare Active File with Saved');
    await page.locator('.monaco-diff-editor .line-insert').first().waitFor();
  },
};

async function clickOn(page: Page, word: string): Promise<void> {
  await editorLines(page).locator('span', { hasText: word }).last().click();
}

function toggleSidebar(page: Page): Promise<void> {
  return page.keyboard.press('Control+B');
}

/** Of the side bar: `to` is where its right edge goes. */
async function dragSash(page: Page, to: number): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (box === null) throw new Error('There is no side bar.');
  await page.mouse.move(box.x + box.width, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(to, box.y + 20, { steps: 5 });
  await page.mouse.up();
}

function treeRow(page: Page, text: string): Locator {
  return page.locator('.tree-explorer-viewlet-tree-view .monaco-list-row', { hasText: text }).first();
}

if (import.meta.main) await takePictures();
