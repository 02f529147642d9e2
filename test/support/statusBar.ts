/** What the status bar says of the service, and of what was done. */
import type { Locator, Page } from 'playwright-core';
import { linesOf, takeScreenshot } from './workbench.ts';

/** Milliseconds: a service is asked every five seconds, less often after failures, perhaps on a busy machine. */
const patience = 50_000;

/** Resolves when it says this of the target, the icon left out. */
export async function untilStatus(page: Page, text: RegExp): Promise<void> {
  await itemOf(page).filter({ hasText: text }).waitFor({ timeout: patience });
}

/** What it explains when it is pointed at; also into a picture. */
export async function explanationOf(page: Page, picture: string): Promise<string> {
  await itemOf(page).hover();
  const hover = page.locator('.monaco-hover:not(.hidden) .monaco-hover-content', {
    hasText: 'Select Target',
  });
  const explanation = (await linesOf(hover)).join(' ');
  await takeScreenshot(page, picture);
  // It would cover what is clicked on next.
  await page.mouse.move(640, 0);
  await hover.waitFor({ state: 'hidden' });
  return explanation;
}

/** Resolves when it tells this for a while. */
export async function untilNews(page: Page, text: RegExp): Promise<void> {
  await page.locator('.statusbar-item').filter({ hasText: text }).first().waitFor({ timeout: patience });
}

function itemOf(page: Page): Locator {
  return page.locator('.statusbar-item[id$="headwater.target"]');
}
