/** A stage with pages beside it: the console, signed in, and bare pages of the same service, which show what the machine allows. */
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { launchBrowser } from '../../../scripts/rigs/browser.ts';
import { ensureChromium } from '../../../scripts/rigs/editors/chromium.ts';
import { clientToken } from '../../support/clients/clientAuth.ts';
import { startPostgres, type TestPostgres } from '../../support/processes/postgres.ts';
import type { ServiceProcess } from '../../support/processes/serviceProcess.ts';
import { isActive, openStage, pause, post, type Stage } from '../stage.ts';

/** Whose device is looked at: an owner of rows of the stage. */
export const viewer = 'owner-0';

export interface ConsoleRig {
  readonly postgres: TestPostgres;
  readonly browser: Browser;
  /** With 100 rows of each owner; serves. */
  readonly stage: Stage;
  readonly close: () => Promise<void>;
}

export async function openRig(): Promise<ConsoleRig> {
  const found = await ensureChromium();
  if (found.kind === 'missing') throw new Error(`${found.what}. ${found.fix}`);
  const postgres = await startPostgres();
  const stage = await openStage(postgres, 'owner', 10_000);
  const browser = await launchBrowser(found.path);
  while (!(await isActive(stage))) await pause(20);
  return {
    postgres,
    browser,
    stage,
    close: async () => {
      await browser.close();
      await stage.close();
      await postgres.stop();
    },
  };
}

export interface OpenPage {
  readonly page: Page;
  readonly debug: CDPSession;
  readonly close: () => Promise<void>;
}

/** Signed in, and connected. */
export async function openConsole(
  browser: Browser,
  service: Pick<ServiceProcess, 'url'>,
  screen: string,
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addInitScript(frameWatch);
  const opened = await openIn(context);
  const answer = await post(service, '/api/admin/v1/console-link', '{}');
  const { data } = (await answer.json()) as { readonly data: { readonly path: string } };
  await opened.page.goto(service.url + data.path);
  await opened.page.locator('[data-link="connected"]').waitFor();
  await opened.page.goto(`${service.url}/console/#/${screen}`);
  await opened.page.locator(`nav a[aria-current="page"]`).waitFor();
  return opened;
}

/** A page of the same address with one script and nothing else. */
export async function openBarePage(
  browser: Browser,
  { url }: Pick<ServiceProcess, 'url'>,
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addInitScript(frameWatch);
  await context.route('**/bare', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Bare</title><body></body>' }),
  );
  const opened = await openIn(context);
  await opened.page.goto(`${url}/bare`);
  return opened;
}

/** Shows each line of a sync stream as a paragraph of text, and that is all. */
export async function showRawStream(page: Page, user: string): Promise<void> {
  const token = await clientToken(user);
  await page.evaluate(async (bearer) => {
    const response = await fetch('/sync/stream', {
      method: 'POST',
      headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ raw_data: true, buckets: [] }),
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const read = async (): Promise<void> => {
      for (;;) {
        const part = await reader?.read();
        if (part === undefined || part.done) return;
        const shown = document.createElement('p');
        shown.textContent = part.value.slice(-400);
        document.body.replaceChildren(shown);
      }
    };
    void read();
  }, token);
}

async function openIn(context: BrowserContext): Promise<OpenPage> {
  const page = await context.newPage();
  const debug = await context.newCDPSession(page);
  return { page, debug, close: () => context.close() };
}

/** What `frameWatch` leaves in each page. */
export interface FrameWatch {
  /** Calls back when the frame that shows what the page has now was painted. */
  readonly afterPaint: (call: () => void) => void;
  /** Milliseconds from each frame to the next, since they were taken last. */
  readonly takeIntervals: () => number[];
  /** Milliseconds of tasks of at least 50 ms, since they were taken last. */
  readonly takeLongTasks: () => number[];
}

declare global {
  interface Window {
    frameWatch: FrameWatch;
  }
}

/** Runs in pages. A message that is sent while a frame is made comes when it was painted. */
function frameWatch(): void {
  let isInFrame = false;
  let last = 0;
  const intervals: number[] = [];
  const longTasks: number[] = [];
  const waiting: (() => void)[] = [];
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    isInFrame = false;
    for (const call of waiting.splice(0)) call();
  };
  const frame = (at: number): void => {
    requestAnimationFrame(frame);
    isInFrame = true;
    if (last > 0) intervals.push(at - last);
    last = at;
    channel.port2.postMessage(0);
  };
  requestAnimationFrame(frame);
  new PerformanceObserver((list) => {
    longTasks.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: 'longtask', buffered: true });
  window.frameWatch = {
    afterPaint: (call) => {
      if (isInFrame) waiting.push(call);
      else requestAnimationFrame(() => void waiting.push(call));
    },
    takeIntervals: () => intervals.splice(0, intervals.length),
    takeLongTasks: () => longTasks.splice(0, longTasks.length),
  };
}
