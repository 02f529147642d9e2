/**
 * `npm run pictures`: takes the pictures of the README and the pages, in a real VS Code with the packaged extension and in a
 * browser with the console, and draws the icon for the Marketplace. `npm run pictures -- icon`, `-- console` and `-- workbench`
 * take only some of them, as do names of pictures: `-- console-map quick-fix`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { takeConsole } from './pictures/console.ts';
import { takeWorkbench } from './pictures/workbench.ts';
import { launchBrowser, openPage } from './rigs/browser.ts';
import { install } from './rigs/install.ts';
import { root } from './root.ts';

async function takePictures(): Promise<void> {
  const tools = await install();
  if (tools.kind === 'missing') throw new Error(`${tools.what}. ${tools.fix}`);
  const browser = await launchBrowser(tools.chromium);
  const asked = process.argv.slice(2);
  const wants = (part: string): boolean => asked.length === 0 || asked.includes(part);
  const names = asked.filter((each) => !['icon', 'console', 'workbench'].includes(each));
  try {
    if (wants('icon')) await drawIcon(browser);
    if (wants('console') || names.length > 0) await takeConsole(browser, names);
    if (wants('workbench') || names.length > 0) await takeWorkbench(tools, browser, names);
  } finally {
    await browser.close();
  }
}

/** Draws the icon as a PNG, because the Marketplace does not accept SVG. */
async function drawIcon(browser: Browser): Promise<void> {
  const page = await openPage(browser);
  await page.setViewportSize({ width: 256, height: 256 });
  const drawing = readFileSync(join(root, 'images/icon.svg'), 'utf8');
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${drawing}`);
  await page.screenshot({ path: join(root, 'images/icon.png'), omitBackground: true });
  await page.close();
  console.log('images/icon.png');
}

if (import.meta.main) await takePictures();
