/** Starts a headless Chromium whose pages can connect only to this machine. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { patient } from '../run/patience.ts';

/**
 * The browser itself refuses other machines. If Playwright did, each request would pass through the process of the tests, and the
 * browser would not cache anything.
 */
const thisMachineOnly = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';

export function launchBrowser(executablePath: string, more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath,
    timeout: patient(60_000),
    // The signals are handled by process.ts, which calls process.exit; Playwright then ends the browser.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      thisMachineOnly,
      ...more,
    ],
  });
}

/** Opens a page with limits that a slow machine also meets. */
export async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  const page = await context.newPage();
  page.setDefaultTimeout(patient(20_000));
  page.setDefaultNavigationTimeout(patient(60_000));
  return page;
}
