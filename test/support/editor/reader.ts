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
  /** The label of the tab of the editor or page that has the focus. Undefined if the focus is elsewhere. */
  readonly focused: string | undefined;
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
    const textIn = (widget: Element) =>
      [...widget.querySelectorAll('.quick-input-title, .quick-input-message, .dialog-message')]
        .map(({ textContent }) => textContent ?? '')
        .join(' ')
        .trim();
    const asking = [
      document.querySelector('.monaco-dialog-box'),
      document.querySelector('.quick-input-widget'),
    ].find(isShown);
    const group = document.querySelector('.editor-group-container.active');
    const tab = group?.querySelector('.tab.active');
    // A page is drawn in a frame above its group.
    const hasFocus =
      group?.contains(document.activeElement) === true ||
      document.activeElement?.matches('iframe.webview') === true;
    return {
      announced: (globalThis as ReaderRecord).announced ?? [],
      question: asking?.contains(document.activeElement) === true ? textIn(asking) : undefined,
      focused: hasFocus && tab ? labelOf(tab) : undefined,
      isPanelOpen: isShown(document.querySelector('.part.panel')),
    };
  });
}
