/** The texts of the status bar about the service. */
import type { Locator, Page } from 'playwright-core';
import { patient } from '../../../scripts/run/patience.ts';
import { comes, takeScreenshot } from './workbench.ts';

/** Milliseconds: a service is asked every five seconds, less often after failures, perhaps on a busy machine. */
const patience = patient(50_000);

/** Resolves when it says this of the target, the icon left out. */
export async function untilStatus(page: Page, text: RegExp): Promise<void> {
  await statusItem(page).filter({ hasText: text }).waitFor({ timeout: patience });
}

/** Resolves when the target has a check mark, because it serves the open config. A start with a copy takes its time. */
export async function untilGreen(page: Page): Promise<void> {
  await statusItem(page)
    .locator('.codicon-pass')
    .waitFor({ timeout: 2 * patience });
}

/** Whether it shows a local service that starts or runs, as after an earlier try. */
export function showsLocal(page: Page): Promise<boolean> {
  return comes(statusItem(page).filter({ hasText: /local(?!: off|: not running)/ }));
}

/**
 * Resolves when it explains this to who points at it; also leaves a picture of that. The explanation is shown again
 * with each answer of the service, and may vanish with the old one.
 */
export async function untilExplained(page: Page, text: RegExp, picture: string): Promise<void> {
  const hover = page.locator('.monaco-hover:not(.hidden) .monaco-hover-content', {
    hasText: 'Select Target',
  });
  // Tooltips have spaces that do not break.
  const right = hover.filter({ hasText: new RegExp(text.source.replaceAll(' ', '\\s')) }).first();
  for (let tries = 10; tries > 0; tries -= 1) {
    await statusItem(page).hover();
    const isRight = await comes(right);
    if (isRight) await takeScreenshot(page, picture);
    // The explanation would cover the next place to click.
    await page.mouse.move(640, 0);
    await hover.first().waitFor({ state: 'hidden' });
    if (isRight) return;
  }
  throw new Error(`The status bar does not explain ${text}.`);
}

export function statusItem(page: Page): Locator {
  return page.locator('.statusbar-item[id$="headwater.target"]');
}
