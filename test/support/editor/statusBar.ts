/** The texts of the status bar about the service. */
import type { Locator, Page } from 'playwright-core';
import { patient } from '../../../scripts/run/patience.ts';
import { comes, insist, takeScreenshot } from './workbench.ts';

/** The time limit in milliseconds. The status is read every five seconds, and less often after failures or on a busy machine. */
const patience = patient(50_000);

/** Resolves when the status bar shows this text for the target. The text does not include the icon. */
export async function untilStatus(page: Page, text: RegExp): Promise<void> {
  await statusItem(page).filter({ hasText: text }).waitFor({ timeout: patience });
}

/** Resolves when the target has a check mark, because it serves the open config. Allows more time for a start with a copy. */
export async function untilGreen(page: Page): Promise<void> {
  await statusItem(page)
    .locator('.codicon-pass')
    .waitFor({ timeout: 2 * patience });
}

/** Whether the status bar shows a local service that is starting or running, for example because a test is repeated. */
export function showsLocal(page: Page): Promise<boolean> {
  return comes(statusItem(page).filter({ hasText: /local(?!: off|: not running)/ }));
}

/**
 * Resolves when the tooltip of the status bar contains this text, and takes a picture of the tooltip. With each answer of the
 * service, a new tooltip replaces the old one, so the tooltip may disappear while the test looks at it.
 */
export async function untilExplained(page: Page, text: RegExp, picture: string): Promise<void> {
  const hover = page.locator('.monaco-hover:not(.hidden) .monaco-hover-content', {
    hasText: 'Select Target',
  });
  // Tooltips contain non-breaking spaces.
  const right = hover.filter({ hasText: new RegExp(text.source.replaceAll(' ', '\\s')) }).first();
  await insist(`The status bar does not explain ${text}.`, async () => {
    await statusItem(page).hover();
    const isRight = await comes(right);
    if (isRight) await takeScreenshot(page, picture);
    // The tooltip would cover the place of the next click.
    await page.mouse.move(640, 0);
    await hover.first().waitFor({ state: 'hidden' });
    return isRight;
  });
}

export function statusItem(page: Page): Locator {
  return page.locator('.statusbar-item[id$="headwater.target"]');
}
