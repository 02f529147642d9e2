/** The page that asks before a deploy, as an editor tab. */
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { inConsole } from './consoleFrame.ts';

/** Waits for the page, and returns its frame. No other page of the extension may be visible. */
export async function untilAsked(page: Page): Promise<FrameLocator> {
  const frame = inConsole(page);
  await frame.locator('main h1').waitFor();
  return frame;
}

export async function textOfPage(page: Page): Promise<string> {
  const text = (await (await untilAsked(page)).locator('main').allInnerTexts()).join(' ');
  return text.replaceAll(/\s+/g, ' ');
}

/** Clicks a button, and waits until the page is closed. */
export async function answerPage(page: Page, title: string): Promise<void> {
  const frame = await untilAsked(page);
  await frame.getByRole('button', { name: title, exact: true }).click();
  await untilAnswered(page);
}

export async function untilAnswered(page: Page): Promise<void> {
  await tabOfPage(page).waitFor({ state: 'detached' });
}

/** Waits until the default button has the focus, and returns its text. */
export async function defaultAnswer(page: Page): Promise<string> {
  const button = (await untilAsked(page)).locator('button:focus');
  await button.waitFor();
  return (await button.allInnerTexts()).join();
}

function tabOfPage(page: Page): Locator {
  return page.locator('.part.editor .tab', { hasText: /^Deploy to .*\?/ });
}
