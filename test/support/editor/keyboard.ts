/** Steps in a workbench without a pointer. Each waits until the screen is ready for it. */
import { deepEqual } from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { comes, insist, succeeds, type Workbench } from './workbench.ts';

/** The most presses of a key: more than any list in these tests has rows. */
const mostPresses = 60;

/**
 * Makes a step of the suite fail if a pointer moved or pressed anything in it, or if a program clicked an element that only a
 * pointer reaches. Must be called in a suite.
 *
 * @returns a function that returns the actions of a pointer since its last call, as `event element`
 */
export function keepToKeyboard(workbench: () => Workbench): () => readonly string[] {
  const seen: string[] = [];
  before(async () => {
    const { page } = workbench();
    await page.exposeFunction('notePointer', (what: string) => void seen.push(what));
    await page.evaluate(watchPointer);
    await page.addInitScript(watchPointer);
  });
  const takeSeen = () => seen.splice(0);
  afterEach(() => deepEqual(takeSeen(), [], 'This journey has no pointer.'));
  return takeSeen;
}

/** Runs in the page. Enter and the space bar also cause a click, but that click is trusted and has no pressed button. */
function watchPointer(): void {
  const { notePointer } = globalThis as unknown as { notePointer(what: string): void };
  const note = ({ type, target }: Event) =>
    notePointer(`${type} ${target instanceof Element ? `${target.tagName}.${target.className}` : ''}`);
  for (const type of ['pointerdown', 'pointermove', 'mousedown', 'mousemove', 'wheel', 'touchstart'])
    addEventListener(type, note, { capture: true });
  addEventListener('click', (event) => (event.isTrusted && event.detail === 0) || note(event), {
    capture: true,
  });
}

/** Resolves when this widget receives the keys, and no longer the previous one. */
export function untilTypedInto(page: Page, widget: string): Promise<void> {
  return page.locator(`${widget} :is(input, textarea):focus`).waitFor();
}

/** Moves the cursor of the editor to a line and a column, both counted from 1. */
export async function goTo(page: Page, line: number, column: number): Promise<void> {
  const place = page.locator('.statusbar-item', { hasText: `Ln ${line}, Col ${column}` });
  await insist(`The cursor does not come to ${line}:${column}.`, async () => {
    await page.keyboard.press('Control+G');
    await untilTypedInto(page, '.quick-input-widget');
    await page.keyboard.type(`${line}:${column}`);
    await page.keyboard.press('Enter');
    if (await comes(place)) return true;
    await page.keyboard.press('Escape');
    return false;
  });
}

/** Chooses a fix from the menu at the cursor. Late lenses close the menu, so both steps are tried again together. */
export async function chooseFix(page: Page, title: string): Promise<void> {
  const rows = page.locator('.action-widget .monaco-list-row');
  const focused = rows.and(page.locator('.focused')).filter({ hasText: title });
  await insist(`There is no action "${title}" at the cursor.`, async () => {
    await page.keyboard.press('Control+.');
    const isThere = await comes(rows.filter({ hasText: title }).first());
    const isFocused =
      isThere && (await succeeds(pressUntil(page, 'ArrowDown', focused, `"${title}" in the menu`)));
    await page.keyboard.press(isFocused ? 'Enter' : 'Escape');
    return isFocused;
  });
}

/** Types the title of a command in the palette, with its category, and runs it with Enter. */
export async function typeCommand(page: Page, title: string): Promise<void> {
  const focused = page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title }).first();
  let offered: readonly string[] = [];
  const explain = async (): Promise<string> => {
    const told = await page.locator('.notification-list-item-message, .monaco-dialog-box').allInnerTexts();
    return `The palette does not offer "${title}" first, but: ${oneLine(offered)}. The window says: ${oneLine(told)}.`;
  };
  await insist(explain, async () => {
    await page.keyboard.press('F1');
    await untilTypedInto(page, '.quick-input-widget');
    await page.keyboard.type(title);
    if (await comes(focused)) {
      await page.keyboard.press('Enter');
      // The rows of the palette must not be taken for those of a list that the command shows.
      await focused.waitFor({ state: 'hidden' });
      return true;
    }
    offered = await page.locator('.quick-input-list .monaco-list-row').allInnerTexts();
    await page.keyboard.press('Escape');
    return false;
  });
}

const oneLine = (texts: readonly string[]): string =>
  texts.slice(0, 5).join(' · ').replaceAll(/\s+/g, ' ') || 'nothing';

/** @param path the name of a file, or the end of its path */
export async function openByName(page: Page, path: string): Promise<void> {
  const [name = path] = path.split('/').reverse();
  await page.keyboard.press('Control+P');
  await untilTypedInto(page, '.quick-input-widget');
  // The list would otherwise be searched with each letter.
  await page.keyboard.insertText(path);
  await choose(page, name);
  await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
  // The tab may have been active before. The keys go to the list until the editor has the focus.
  await page.locator('.part.editor .monaco-editor.focused').first().waitFor();
}

/** Chooses the first entry with this text by the arrow keys, in the list that a command shows. */
export async function choose(page: Page, label: string): Promise<void> {
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await rows.filter({ hasText: label }).first().waitFor();
  const focused = page.locator('.quick-input-list .monaco-list-row.focused', { hasText: label });
  await pressUntil(page, 'ArrowDown', focused, `"${label}" in the list`);
  await page.keyboard.press('Enter');
}

/** Moves the cursor to the beginning of the file. A key may be lost while the list of files closes. */
export function toStart(page: Page): Promise<void> {
  const place = page.locator('.statusbar-item', { hasText: /^\s*Ln 1, Col 1\s*$/ });
  return pressUntil(page, 'Control+Home', place, 'the beginning of the file');
}

/** Presses the key until an element with this name has the focus. The name is the label for screen readers, or else the text. */
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

/** Moves the focus to a row of the focused tree by the arrow keys. */
export async function chooseRow(page: Page, rows: Locator, text: string): Promise<void> {
  await rows.filter({ hasText: text }).first().waitFor();
  await page.keyboard.press('Home');
  const focused = rows.and(page.locator('.focused')).filter({ hasText: text });
  await pressUntil(page, 'ArrowDown', focused, `"${text}" in the tree`);
}

/** Chooses an entry of the menu of the focused row. */
export async function chooseFromMenu(page: Page, label: string): Promise<void> {
  const menu = page.locator('.context-view .monaco-menu');
  await insist('The focused row shows no menu.', async () => {
    await page.keyboard.press('Shift+F10');
    return comes(menu);
  });
  const focused = menu.locator('.action-item.focused', { hasText: label });
  await pressUntil(page, 'ArrowDown', focused, `"${label}" in the menu`);
  await page.keyboard.press('Enter');
}

async function pressUntil(page: Page, key: string, element: Locator, what: string): Promise<void> {
  for (let presses = mostPresses; presses > 0; presses -= 1) {
    if ((await element.count()) > 0) return;
    await page.keyboard.press(key);
    // The next frame draws the focus.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(undefined))));
  }
  throw new Error(`${key} does not lead to ${what}.`);
}
