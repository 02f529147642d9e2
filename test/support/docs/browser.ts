/** The browser of a reader, who opens the addresses that a page names, and types into their fields. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { launchBrowser, openPage } from '../../../scripts/rigs/browser.ts';
import { root } from '../../../scripts/root.ts';
import { eventually } from '../house/eventually.ts';

export interface ReadersBrowser {
  /**
   * Follows the transcript of an address. A line after `> ` is typed into the field, and the other lines are what the browser
   * shows. An address that is already open is not loaded again.
   */
  readonly follow: (address: string, lines: readonly string[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

const typed = '> ';

export async function openReadersBrowser(chromium: string): Promise<ReadersBrowser> {
  const browser = await launchBrowser(chromium);
  const page = await openPage(browser);
  const untilShown = (lines: readonly string[]) =>
    eventually(async () => expect(linesIn(await page.locator('body').allInnerTexts())).toEqual(lines));
  return {
    follow: async (address, lines) => {
      if (page.url() !== address) await page.goto(address);
      for (const line of lines.filter((each) => each.startsWith(typed))) {
        await page.locator('input').fill(line.slice(typed.length));
        await page.keyboard.press('Enter');
      }
      await untilShown(lines.filter((line) => !line.startsWith(typed)));
      await page.screenshot({ path: join(root, 'artifacts/docs-browser.png') });
    },
    close: () => browser.close(),
  };
}

function linesIn(texts: readonly string[]): readonly string[] {
  return texts
    .join('\n')
    .split('\n')
    .filter((line) => line.trim() !== '');
}
