/** A workbench as a user meets it, in Chromium: its screen, and the steps of a user. */
import { cpSync, existsSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { vsixPath } from '../../../scripts/package.ts';
import { launchBrowser, openPage } from '../../../scripts/rigs/browser.ts';
import { type Keybinding, startCodeServer } from '../../../scripts/rigs/editors/codeServer.ts';
import { install, type Ready } from '../../../scripts/rigs/install.ts';
import { artifacts } from '../../../scripts/rigs/rig.ts';
import { temporaryFolder } from '../../../scripts/rigs/temporary.ts';
import { startWebWorkbench } from '../../../scripts/rigs/webWorkbench.ts';
import { patient } from '../../../scripts/run/patience.ts';
import { recordNews } from './news.ts';

export interface Workbench {
  readonly page: Page;
  /** The open folder, on this disk or in memory. */
  readonly folder: string;
  close(): Promise<void>;
}

export const workspaceFixture = join(import.meta.dirname, '../../fixtures/workspace');

export interface WorkbenchOptions {
  /** The content of the window: the folder, nothing, or a workspace file in the folder. Default: the folder. */
  readonly opens?: 'folder' | 'nothing' | `${string}.code-workspace`;
  /** Packages of further extensions. */
  readonly beside?: readonly string[];
  /** Variables for the extension. */
  readonly env?: Readonly<Record<string, string>>;
  /** The settings of the user. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly keybindings?: readonly Keybinding[];
  /** The language of extensions. The workbench itself is always English here. */
  readonly language?: string;
}

/** Opens VS Code with a server: the extension is installed from its package, and the language server is a process. */
export async function openWorkbench(
  from = workspaceFixture,
  {
    opens = 'folder',
    beside = [],
    settings = {},
    keybindings = [],
    env = {},
    language,
  }: WorkbenchOptions = {},
): Promise<Workbench> {
  const tools = await needTools();
  const folder = temporaryFolder('workspace');
  cpSync(from, folder, { recursive: true });
  const server = await startCodeServer(tools, {
    purpose: 'user-interface',
    vsix: [needPackage(), ...beside],
    settings,
    keybindings,
    env,
  });
  const query = new URLSearchParams({ payload: JSON.stringify([['skipWelcome', 'true']]) });
  if (opens === 'folder') query.set('folder', folder);
  else if (opens === 'nothing') query.set('ew', 'true');
  else query.set('workspace', join(folder, opens));
  return openIn(tools, folder, `http://${server.host}/?${query}`, server.stop, language);
}

/** Opens a workbench that is already running. Its address contains the folder. */
export async function openRunningWorkbench(url: string, stop: () => Promise<void>): Promise<Workbench> {
  return openIn(await needTools(), new URL(url).searchParams.get('folder') ?? '', url, stop);
}

/** Opens VS Code for the Web, which has no processes and keeps the files in memory. */
export async function openWebWorkbench(from = workspaceFixture): Promise<Workbench> {
  const tools = await needTools();
  const { url, stop } = await startWebWorkbench(tools.codeServer, { kind: 'files', folder: from });
  return openIn(tools, 'tmp:/', url, stop);
}

/** Returns the path of the VSIX. */
function needPackage(): string {
  const path = vsixPath();
  if (!existsSync(path)) throw new Error(`${path} is missing: run \`npm run package\` first.`);
  return path;
}

async function needTools(): Promise<Ready> {
  const tools = await install();
  if (tools.kind === 'missing') throw new Error(`${tools.what}. ${tools.fix}`);
  return tools;
}

async function openIn(
  { chromium }: Ready,
  folder: string,
  url: string,
  stop: () => Promise<void>,
  language?: string,
): Promise<Workbench> {
  const browser = await launchBrowser(chromium);
  const page = await openPage(browser);
  await recordNews(page);
  await stopAnimations(page);
  // A language pack would set this.
  if (language !== undefined)
    await page.addInitScript((spoken) => {
      Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => spoken, set() {} });
    }, language);
  await page.goto(url);
  await page.locator('.monaco-workbench .part.statusbar').waitFor();
  const close = async () => {
    await browser.close();
    await stop();
  };
  return { page, folder, close };
}

/**
 * Stops the animations of the workbench. `workbench.reduceMotion` does not stop those of progress bars. Each frame takes processor
 * time, because there is no graphics card.
 */
async function stopAnimations(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (window.top !== window) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, ::before, ::after { animation: none !important; }');
    document.adoptedStyleSheets.push(sheet);
  });
}

/** Called in a suite: keeps a picture of each failure, and removes those of earlier runs. */
export function keepFailures(rig: string, workbench: () => Workbench): void {
  before(() => {
    for (const old of globSync(`${rig}-*.png`, { cwd: artifacts })) rmSync(join(artifacts, old));
  });
  afterEach(async function () {
    const test = this.currentTest;
    const title = test?.title.replaceAll(/\W+/g, '-');
    if (test?.isFailed()) await takeScreenshot(workbench().page, `${rig}-failed-${title}`);
  });
}

/** Saves a screenshot in `artifacts/`. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(artifacts, `${name}.png`) });
}

/** Opens the view of the service from the activity bar. */
export async function openServiceView(page: Page): Promise<void> {
  await showSidebar(page, 'Headwater', serviceView(page));
}

/** Chooses an entry in the menu of the open view in the side bar. */
export async function chooseInServiceView(page: Page, title: string): Promise<void> {
  const more = page.locator('.part.sidebar .composite.title .codicon-toolbar-more').first();
  const item = page.locator('.monaco-menu .action-menu-item', { hasText: title }).first();
  await insist(`The menu of the view has no "${title}".`, async () => {
    await openServiceView(page);
    await more.click();
    // A menu that has just opened ignores clicks.
    for (let clicks = 3; clicks > 0 && (await comes(item)); clicks -= 1) {
      await succeeds(item.click({ timeout: glance }));
      if (await succeeds(item.waitFor({ state: 'hidden', timeout: glance }))) return true;
    }
    await page.keyboard.press('Escape');
    return false;
  });
}

/** Returns the visible rows of the view of the service. */
export function serviceRows(page: Page): Locator {
  return serviceView(page).locator('.monaco-list-row');
}

function serviceView(page: Page): Locator {
  return page.locator('[id="workbench.view.extension.headwater"]');
}

/** Shows the files of the folder. */
export async function openExplorer(page: Page): Promise<void> {
  await showSidebar(page, 'Explorer', page.locator('.explorer-folders-view').first());
}

/** Shows the log of the extension. A problem that is opened at the same time may take the panel. */
export async function showLog(page: Page): Promise<void> {
  const log = page.locator('.part.panel .output-view');
  await insist('The panel does not show the log.', async () => {
    await runCommand(page, 'Headwater: Show Log');
    return comes(log);
  });
}

/** Shows a view in the side bar. Does not click if the view is already visible, because a click would hide it. */
async function showSidebar(page: Page, title: string, content: Locator): Promise<void> {
  const icon = page.locator(`.activitybar .action-label[aria-label^="${title}"]`).first();
  await insist(`The side bar does not show ${title}.`, async () => {
    if (await content.isVisible()) return true;
    await icon.click();
    return comes(content);
  });
}

/** @param path of a file, or of one in a folder: `playground/sync.yaml` */
export async function openFile(page: Page, path: string): Promise<void> {
  await openExplorer(page);
  const [name = '', folder] = path.split('/').reverse();
  const rows = (level: number) =>
    page.locator(`.explorer-folders-view .monaco-list-row[aria-level="${level}"]`);
  // A click on a folder that is open would close it.
  if (folder !== undefined) {
    const row = rows(1).filter({ hasText: folder });
    if ((await row.getAttribute('aria-expanded')) !== 'true') await row.click();
  }
  await rows(folder === undefined ? 1 : 2)
    .filter({ hasText: name })
    .dblclick();
  await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
}

/** Returns the marks of errors. They have no size, so Playwright never considers them visible. */
export function errorSquiggles(page: Page): Locator {
  return page.locator('.part.editor .squiggly-error');
}

export function warningSquiggles(page: Page): Locator {
  return page.locator('.part.editor .squiggly-warning');
}

/** Returns the visible lines of the editor. Those of the output panel do not count. */
export function editorLines(page: Page): Locator {
  return page.locator('.part.editor .view-lines .view-line');
}

/** `line:column` of the SQL mistakes in `sync-sql.yaml`, one for each kind of scalar. */
export const sqlMistakes = ['5:47', '7:57', '11:22', '17:11'];

/** `line:column` of all listed problems with this code, in their order. */
export async function placesOf(page: Page, code: string): Promise<string[]> {
  const rows = await linesOf(page.locator('.markers-panel .monaco-list-row', { hasText: code }));
  return rows.map((row) => /Ln (\d+), Col (\d+)/.exec(row)?.slice(1).join(':') ?? row);
}

/** Shows the Problems panel. Its rows contain the message, the source, the code and the place. */
export async function openProblems(page: Page): Promise<Locator> {
  await page.keyboard.press('Control+Shift+KeyM');
  await page.locator('.markers-panel').waitFor();
  return page.locator('.markers-panel .monaco-list-row');
}

/** Resolves when the status bar shows no problems. */
export async function untilNoProblems(page: Page): Promise<void> {
  await page.locator('#status\\.problems a[aria-label="No Problems"]').waitFor();
}

/** Saves the file that is being edited. A second editor group has an active tab of its own. */
export async function save(page: Page): Promise<void> {
  const tab = page.locator('.editor-group-container.active .tab.active');
  await tab.and(page.locator('.dirty')).waitFor();
  await page.keyboard.press('Control+S');
  await tab.and(page.locator(':not(.dirty)')).waitFor();
}

export async function closeTab(page: Page): Promise<void> {
  const tab = page.locator('.tab.active');
  const name = await tab.getAttribute('aria-label');
  await tab.locator('.tab-actions .action-label').click();
  await page.locator(`.tab[aria-label="${name}"]`).waitFor({ state: 'detached' });
}

export async function hoverOver(page: Page, text: string): Promise<Locator> {
  const box = await editorLines(page).locator('span', { hasText: text }).last().boundingBox();
  if (box === null) throw new Error(`"${text}" is not on the screen.`);
  const at = { x: box.x + 10, y: box.y + box.height / 2 };
  // The editor reacts only to movement: a pointer that does not move never shows a hover.
  await page.mouse.move(at.x, at.y);
  await page.mouse.move(at.x + 4, at.y);
  const hover = page.locator('.monaco-hover:not(.hidden) .monaco-hover-content');
  await hover.first().waitFor();
  return hover.first();
}

/** Returns the texts of the elements, as soon as there is one. */
export async function linesOf(elements: Locator): Promise<string[]> {
  await elements.first().waitFor();
  return (await elements.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
}

/** Milliseconds until a list is opened again. The palette, for example, shows only commands that existed when it opened. */
const glance = patient(2_000);

/**
 * Runs a command by its title in the palette, with its category. Tries again, because the extension of the command may still be
 * starting. Does not use the mouse, which would then hover over something.
 */
export async function runCommand(page: Page, title: string): Promise<void> {
  const row = page
    .locator('.quick-input-list .monaco-list-row')
    .filter({ has: page.getByText(title, { exact: true }) })
    .first();
  const input = page.locator('.quick-input-widget input');
  await insist(`The palette has no "${title}".`, async () => {
    // A key is lost if the page has just closed the view that had the focus.
    await page.keyboard.press('F1');
    if (!(await comes(input))) return false;
    // An editor that opens late takes the focus, which closes the palette.
    const isFilled = await succeeds(input.fill(`>${title}`, { timeout: glance }));
    if (isFilled && (await comes(row))) {
      const isChosen = async () => (await row.getAttribute('class'))?.includes('focused');
      while (!(await isChosen())) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      // The rows of the palette must not be taken for those of a list that the command shows.
      await row.waitFor({ state: 'hidden' });
      return true;
    }
    await page.keyboard.press('Escape');
    return false;
  });
}

/** Repeats a step of a user until it succeeds, because what opens late in the window may undo it. */
export async function insist(
  failure: string | (() => Promise<string>),
  step: () => Promise<boolean>,
): Promise<void> {
  for (let tries = 10; tries > 0; tries -= 1) if (await step()) return;
  throw new Error(typeof failure === 'string' ? failure : await failure());
}

/** Whether the element appears soon. */
export function comes(element: Locator): Promise<boolean> {
  return succeeds(element.waitFor({ timeout: glance }));
}

export function succeeds(act: Promise<void>): Promise<boolean> {
  return act.then(
    () => true,
    () => false,
  );
}

/**
 * Chooses an action from the menu at the line with this text. Late lenses move the lines and close the menu, so both steps are
 * tried again together.
 */
export async function chooseAction(page: Page, line: string, title: string): Promise<void> {
  const action = page.locator('.action-widget .monaco-list-row', { hasText: title }).first();
  await insist(`There is no action "${title}" at "${line}".`, async () => {
    await editorLines(page).filter({ hasText: line }).first().click();
    await page.keyboard.press('Control+.');
    if ((await comes(action)) && (await succeeds(action.click({ timeout: glance })))) return true;
    await page.keyboard.press('Escape');
    return false;
  });
}

/** Picks an entry of the list that a command shows. */
export async function pick(page: Page, label: string): Promise<void> {
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first();
  // A hidden list still has its rows, and the next list reuses their elements for other labels.
  await row.waitFor();
  await row.click();
}

/** Types an answer into the box with this title. */
export async function answer(page: Page, title: string, text: string): Promise<void> {
  await page.locator('.quick-input-title', { hasText: title }).waitFor();
  await page.locator('.quick-input-widget input').fill(text);
  await page.keyboard.press('Enter');
}
