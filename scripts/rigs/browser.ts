/** Starts a headless Chromium whose pages can connect only to this machine. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { patient } from '../run/patience.ts';

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
      ...more,
    ],
  });
}

export async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  await context.route(leavesThisMachine, (route) => route.abort());
  return context.newPage();
}

function leavesThisMachine({ hostname, protocol }: URL): boolean {
  return protocol.startsWith('http') && !['127.0.0.1', 'localhost'].includes(hostname);
}
