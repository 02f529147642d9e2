/**
 * `npm run screens -- FOLDER [console|workbench] [AMOUNT …]`: takes pictures of each screen of the console and of the editor, in each size,
 * with each amount of tables and streams, in light and in dark, so that somebody can look at them. Nothing is compared.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { inConsole } from '../test/support/editor/consoleFrame.ts';
import { startAndDeploy } from '../test/support/editor/localService.ts';
import { recordNews } from '../test/support/editor/news.ts';
import {
  editorLines,
  openExplorer,
  openFile,
  openServiceView,
  runCommand,
} from '../test/support/editor/workbench.ts';
import { startProcess, until } from '../test/support/processes/runningProcess.ts';
import { vsixPath } from './package.ts';
import { untilAnswered } from './pictures/keep.ts';
import { launchBrowser, openPage } from './rigs/browser.ts';
import { startCodeServer } from './rigs/editors/codeServer.ts';
import { install, type Ready } from './rigs/install.ts';
import { root } from './root.ts';
import { type Amount, amounts, writeProject } from './screens/project.ts';

const sizes = {
  '1280x800': { width: 1280, height: 800 },
  '1920x1080': { width: 1920, height: 1080 },
  '390x844': { width: 390, height: 844 },
} as const;

const themes = { light: 'Default Light Modern', dark: 'Default Dark Modern' } as const;

/** The screens of the console, with the text that shows that a screen is complete. */
const screens: Readonly<Record<string, string>> = {
  map: '[data-layout="done"], .map-tree, .map-unread, .empty',
  'devices?user=ada': '[data-device="live"], .empty',
  data: '[role="gridcell"], .empty',
  service: '.config, .state-title',
  'slow-and-large': '[role="columnheader"], th, .empty',
};

/** The time in milliseconds for what arrives after a screen is complete, such as rows and numbers. */
const settled = 1_200;

async function takeScreens(): Promise<void> {
  const [folder = join(root, 'artifacts/screens'), ...chosen] = process.argv.slice(2);
  mkdirSync(folder, { recursive: true });
  const tools = await install();
  if (tools.kind === 'missing') throw new Error(`${tools.what}. ${tools.fix}`);
  const browser = await launchBrowser(tools.chromium);
  const wants = (part: string, all: readonly string[]): boolean =>
    all.every((each) => !chosen.includes(each)) || chosen.includes(part);
  try {
    for (const amount of amounts) {
      if (
        !wants(
          amount.name,
          amounts.map(({ name }) => name),
        )
      )
        continue;
      const project = writeProject(amount);
      if (wants('console', ['console', 'workbench']))
        await takeConsoleScreens(browser, project, amount, folder);
      if (wants('workbench', ['console', 'workbench']))
        await takeWorkbenchScreens(tools, browser, project, amount, folder);
    }
  } finally {
    await browser.close();
  }
}

async function takeConsoleScreens(
  browser: Browser,
  project: string,
  { name }: Amount,
  folder: string,
): Promise<void> {
  const cli = join(root, 'dist/cli.js');
  const env = { PATH: process.env.PATH };
  const service = startProcess(process.execPath, [cli, 'dev'], { cwd: project, env });
  const page = await openPage(browser);
  try {
    await until(service, () => service.out().includes('is active'));
    await page.goto(
      execFileSync(process.execPath, [cli, 'console'], { cwd: project, encoding: 'utf8', env }).trim(),
    );
    await page.locator('[data-link="connected"]').waitFor();
    for (const [screen, complete] of Object.entries(screens)) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `#/${screen}`);
      await page.locator(complete).first().waitFor();
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          await keep(page, folder, `console-${screen.replace(/\?.*/, '')}-${name}-${size}-${colorScheme}`);
        }
      }
    }
  } finally {
    await page.close();
    service.child.kill('SIGTERM');
    await service.ended;
  }
}

async function takeWorkbenchScreens(
  tools: Ready,
  browser: Browser,
  project: string,
  { name }: Amount,
  folder: string,
): Promise<void> {
  const server = await startCodeServer(tools, {
    purpose: 'user-interface',
    vsix: [vsixPath()],
    settings: { 'headwater.local.port': 0, 'window.autoDetectColorScheme': true },
  });
  const page = await openPage(browser);
  await recordNews(page);
  try {
    const query = new URLSearchParams({
      folder: project,
      payload: JSON.stringify([['skipWelcome', 'true']]),
    });
    await page.goto(`http://${server.host}/?${query}`);
    await openFile(page, 'sync.yaml');
    const take = async (screen: string): Promise<void> => {
      for (const size of ['1280x800', '1920x1080'] as const) {
        await page.setViewportSize(sizes[size]);
        for (const colorScheme of Object.keys(themes) as (keyof typeof themes)[]) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          await keep(page, folder, `editor-${screen}-${name}-${size}-${colorScheme}`);
        }
      }
    };
    await openExplorer(page);
    await editorLines(page).first().waitFor();
    await take('explorer');
    await startAndDeploy(page, 'With an embedded database');
    await openServiceView(page);
    await take('tree');
    await runCommand(page, 'Headwater: Open Console');
    const console = inConsole(page);
    await console.locator('[data-link="connected"]').waitFor();
    for (const title of ['Map', 'Devices', 'Data', 'Service', 'Slow and large']) {
      await console.getByRole('link', { name: title, exact: true }).click();
      await untilAnswered(page, title);
      await take(`console-${title.toLowerCase().replaceAll(' ', '-')}`);
    }
  } finally {
    await page.close();
    await server.stop();
  }
}

async function keep(page: Page, folder: string, name: string): Promise<void> {
  await page.waitForTimeout(settled);
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', caret: 'hide' });
  console.log(`${name}.png`);
}

await takeScreens();
