/** Records the short-lived texts of the status bar in the page, because a test on a busy machine may look too late. */
import type { Page } from 'playwright-core';
import { patient } from '../../../scripts/run/patience.ts';

type NewsRecord = typeof globalThis & { statusBarTexts?: string[] };

const patience = patient(50_000);

/** Must be called before the page is opened. */
export async function recordNews(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const texts: string[] = [];
    (globalThis as NewsRecord).statusBarTexts = texts;
    let shown = new Set<string>();
    const isInStatusBar = ({ target }: MutationRecord) =>
      (target instanceof Element ? target : target.parentElement)?.closest('.statusbar') instanceof Element;
    const record = (changes: readonly MutationRecord[]) => {
      if (!changes.some(isInStatusBar)) return;
      const items = [...document.querySelectorAll('.statusbar-item')];
      const now = new Set(items.map(({ textContent }) => textContent));
      texts.push(...[...now].filter((text) => !shown.has(text)));
      shown = now;
    };
    new MutationObserver(record).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/** Waits until no matching text is left in the status bar. Then acts, and resolves when a matching text has been shown. */
export async function untilNews(page: Page, text: RegExp, act: () => unknown): Promise<void> {
  const item = page.locator('.statusbar-item').filter({ hasText: text }).first();
  await item.waitFor({ state: 'hidden', timeout: patience });
  const before = await page.evaluate(() => (globalThis as NewsRecord).statusBarTexts?.length);
  if (before === undefined) throw new Error('The page was opened without recordNews.');
  await act();
  await page.waitForFunction(
    ([source, flags, from]) => {
      const texts = (globalThis as NewsRecord).statusBarTexts?.slice(from) ?? [];
      // The status bar separates words with non-breaking spaces.
      return texts.some((said) => new RegExp(source, flags).test(said.replaceAll(/\s+/g, ' ')));
    },
    [text.source, text.flags, before] as const,
    // The default is one look for each frame, so 60 frames per second would be drawn.
    { timeout: patience, polling: 100 },
  );
}
