/** The screen of a workbench for a screen reader: the announcements and the focus. */
import type { Page } from 'playwright-core';

type ReaderRecord = typeof globalThis & { announced?: string[] };

/** Records announcements, except while a question of a command is open, because questions announce their own rows. */
export async function recordAnnouncements(page: Page): Promise<void> {
  await page.evaluate(() => {
    const announced: string[] = [];
    (globalThis as ReaderRecord).announced = announced;
    const isAsking = () => {
      const widget = document.querySelector<HTMLElement>('.quick-input-widget');
      return widget !== null && widget.style.display !== 'none';
    };
    const note = (records: readonly MutationRecord[]) => {
      for (const { target } of records) {
        const text = target.textContent?.trim() ?? '';
        if (text !== '' && !isAsking() && announced.at(-1) !== text) announced.push(text);
      }
    };
    const container = document.querySelector('.monaco-aria-container');
    if (container === null) throw new Error('The workbench has no place for announcements.');
    new MutationObserver(note).observe(container, { subtree: true, childList: true, characterData: true });
  });
}

/** The state of the screen for a user of a screen reader. */
export interface Read {
  /** The announcements since the record was begun. */
  readonly announced: readonly string[];
  /** The question that has the focus: a list, a box or a dialog. */
  readonly question: string | undefined;
  /** The focused editor: the labels of its tab, and of the tabs beside it. */
  readonly editors: string;
  readonly isPanelOpen: boolean;
}

export function readScreen(page: Page): Promise<Read> {
  return page.evaluate(() => {
    const isShown = (element: Element | null): element is HTMLElement =>
      element instanceof HTMLElement && element.offsetParent !== null && element.offsetHeight > 0;
    const labelOf = (element: Element) =>
      element.getAttribute('aria-label') ??
      element.querySelector('[aria-label]')?.getAttribute('aria-label') ??
      '';
    const asking = [
      document.querySelector('.monaco-dialog-box'),
      document.querySelector('.quick-input-widget'),
    ].find(isShown);
    const tabs = [...document.querySelectorAll('.editor-group-container')].map((group) => {
      const active = group.classList.contains('active') ? '*' : '';
      return `${active}${[...group.querySelectorAll('.tab.active')].map((tab) => labelOf(tab)).join()}`;
    });
    return {
      announced: (globalThis as ReaderRecord).announced ?? [],
      question:
        asking?.contains(document.activeElement) === true
          ? `${labelOf(asking)} ${asking.textContent ?? ''}`.trim().slice(0, 200)
          : undefined,
      editors: tabs.join(' | '),
      isPanelOpen: isShown(document.querySelector('.part.panel')),
    };
  });
}
