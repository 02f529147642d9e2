/** What can be done in a workbench without a pointer: every step waits for what it needs on the screen. */
import type { Locator, Page } from 'playwright-core';
import { comes } from './workbench.ts';

/** More presses of a key than any list here is long. */
const mostPresses = 60;

/** By its title in the palette, with its category: typed, and run with Enter. */
export async function typeCommand(page: Page, title: string): Promise<void> {
  const focused = page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title }).first();
  for (let tries = 10; tries > 0; tries -= 1) {
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input').first().waitFor();
    await page.keyboard.type(title);
    if (await comes(focused)) return page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
  }
  throw new Error(`The palette does not offer "${title}" first.`);
}

/** In the list that a command shows: the first entry with this text, by the arrow keys. */
export async function choose(page: Page, label: string): Promise<void> {
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await rows.filter({ hasText: label }).first().waitFor();
  const focused = page.locator('.quick-input-list .monaco-list-row.focused', { hasText: label });
  await pressUntil(page, 'ArrowDown', focused, `"${label}" in the list`);
  await page.keyboard.press('Enter');
}

/** Resolves when the focus is on an element with this name: what a screen reader calls it, or its text. */
export async function tabTo(page: Page, key: 'Tab' | 'ArrowRight', name: RegExp): Promise<void> {
  for (let presses = mostPresses; presses > 0; presses -= 1) {
    if (name.test(await focusedName(page))) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${name}, but to: ${await focusedName(page)}`);
}

export function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement } = document;
    return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
  });
}

/** The row of a tree that has the focus, by the arrow keys. */
export async function chooseRow(page: Page, rows: Locator, text: string): Promise<void> {
  await rows.filter({ hasText: text }).first().waitFor();
  await page.keyboard.press('Home');
  const focused = rows.and(page.locator('.focused')).filter({ hasText: text });
  await pressUntil(page, 'ArrowDown', focused, `"${text}" in the tree`);
}

/** From the menu of the focused row. */
export async function chooseFromMenu(page: Page, label: string): Promise<void> {
  const menu = page.locator('.context-view .monaco-menu');
  for (let tries = 10; tries > 0; tries -= 1) {
    await page.keyboard.press('Shift+F10');
    if (await comes(menu)) break;
  }
  const focused = menu.locator('.action-item.focused', { hasText: label });
  await pressUntil(page, 'ArrowDown', focused, `"${label}" in the menu`);
  await page.keyboard.press('Enter');
}

async function pressUntil(page: Page, key: string, element: Locator, what: string): Promise<void> {
  for (let presses = mostPresses; presses > 0; presses -= 1) {
    if ((await element.count()) > 0) return;
    await page.keyboard.press(key);
    // What is focused is drawn in the next frame.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(undefined))));
  }
  throw new Error(`${key} does not lead to ${what}.`);
}
