/** The console session in a real browser: what preserves it, what ends it, and what pages of other programs can do with it. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../server/service/ground/clock.ts';
import {
  type ConsolePage,
  type ConsoleService,
  findChromium,
  openConsolePage,
  showScreen,
  startConsoleService,
} from '../support/console/console.ts';

const schema = `
CREATE TABLE lists (id text PRIMARY KEY, owner text, name text);
INSERT INTO lists VALUES ('l1', 'ada', 'one');
`;
const chromium = await findChromium();
const hours = 3_600_000;
const connected = '[data-link="connected"]';
const signedOut = '[data-link="signed out"]';

describe.skipIf(chromium === undefined)('The session of a browser', () => {
  let service: ConsoleService;
  let open: ConsolePage;
  let context: BrowserContext;
  let ahead = 0;

  beforeAll(async () => {
    const clock = { ...systemClock, now: () => systemClock.now() + ahead };
    service = await startConsoleService({ schema, clock });
    open = await openConsolePage(chromium ?? '', service);
    context = open.page.context();
  });
  afterEach(async () => {
    for (const page of context.pages()) if (page !== open.page) await page.close();
  });
  afterAll(async () => {
    await open?.close();
    await service?.stop();
  });

  const openTab = async (address = `${service.url}/console/`): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(address);
    return page;
  };

  test('survives a reload of the page', async () => {
    await open.page.reload();
    await open.page.locator(connected).waitFor();
    await showScreen(open.page, 'data');
    await open.page.reload();
    await open.page.getByRole('grid').getByText('one').waitFor();
  });

  test('is shared with a tab that the user opens by its address', async () => {
    const second = await openTab();
    await second.locator(connected).waitFor();
    const third = await openTab(`${service.url}/console/#/data`);
    await third.getByRole('grid').getByText('one').waitFor();
    await open.page.locator(connected).waitFor();
  });

  test('sends the secret of the page in a header of each API call, and nowhere else', async () => {
    const secret = await open.page.evaluate(() => localStorage.getItem('headwater-console-secret'));
    expect(secret).toMatch(/^[\w-]{32}$/);
    const requests: Request[] = [];
    const tab = await context.newPage();
    tab.on('request', (request) => requests.push(request));
    await tab.goto(`${service.url}/console/#/data`);
    await tab.getByRole('grid').getByText('one').waitFor();
    await tab.locator(connected).waitFor();
    const calls = requests.filter((request) => request.url().includes('/api/'));
    expect(calls.map((request) => new URL(request.url()).pathname)).toContain('/api/admin/v1/events');
    for (const request of requests) {
      const { cookie = '', referer, 'x-headwater-console': sent } = await request.allHeaders();
      expect(sent, request.url()).toBe(calls.includes(request) ? secret : undefined);
      expect(cookie + request.url()).not.toContain(secret);
      expect(referer).toBeUndefined();
    }
    expect(await tab.evaluate(() => document.cookie)).toBe('');
  });

  test('does not exist in another browser, where the page explains how to sign in', async () => {
    const other = (await context.browser()?.newContext()) ?? expect.unreachable();
    const page = await other.newPage();
    await page.goto(`${service.url}/console/`);
    await page.locator(signedOut).getByText('You are not signed in. Run headwater console in a').waitFor();
    await page.goto(await service.link());
    await page.locator(connected).waitFor();
    await other.close();
  });

  test('belongs to one host name, so the user signs in again under another name', async () => {
    const address = service.url.replace('127.0.0.1', 'localhost');
    const page = await openTab(`${address}/console/`);
    await page.locator(signedOut).waitFor();
    await page.goto((await service.link()).replace(service.url, address));
    await page.locator(connected).waitFor();
    await open.page.locator(connected).waitFor();
  });

  describe('and a page of another program on another port of the same host', () => {
    let foreign: Server;
    let address: string;
    /** A second signed-in browser whose requests are not intercepted, because Playwright would answer preflights itself. */
    let bare: BrowserContext;
    let console: Page;
    /** The headers of the requests that the browser sends to the other program. */
    const seen: IncomingHttpHeaders[] = [];

    beforeAll(async () => {
      foreign = createServer(({ headers }, response) => {
        seen.push(headers);
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Other</title>');
      });
      await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
      address = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
      bare = (await context.browser()?.newContext()) ?? expect.unreachable();
      console = await bare.newPage();
      await console.goto(await service.link());
      await console.locator(connected).waitFor();
    });
    afterAll(async () => {
      await bare?.close();
      foreign?.close();
    });

    const openForeign = async (): Promise<Page> => {
      const page = await bare.newPage();
      await page.goto(address);
      return page;
    };

    const rows = () => service.sql('SELECT id, name FROM lists');
    const change = {
      schema: 'public',
      table: 'lists',
      change: 'update',
      key: { id: 'l1' },
      values: { name: 'changed' },
    };
    /** The statuses of the service's answers to requests for this path since the mark in the log. */
    const statusesSince = (mark: number, path: string): unknown[] =>
      service.log.lines
        .slice(mark)
        .filter(({ message }) => message.endsWith(path))
        .map(({ facts }) => facts.status);

    test('receives the cookie but not the secret, so the requests of that program are refused', async () => {
      const page = await openForeign();
      await page.evaluate(() => fetch('/api/anything', { method: 'POST' }));
      const { cookie = '', ...others } = seen.at(-1) ?? {};
      expect(cookie).toContain(`headwater-console-${service.port}=`);
      const secret = await console.evaluate(() => localStorage.getItem('headwater-console-secret'));
      expect(JSON.stringify(seen)).not.toContain(secret);
      const guesses = ['1', '', cookie.replace(/^.*=/, ''), String(others['user-agent'])];
      for (const guess of guesses) {
        const response = await fetch(`${service.url}/api/admin/v1/write-row`, {
          method: 'POST',
          headers: {
            Cookie: cookie,
            Origin: service.url,
            'X-Headwater-Console': guess,
            'Content-Type': 'application/json',
          },
          body: JSON.stringify(change),
        });
        expect(response.status, guess).toBe(401);
      }
      expect(await rows()).toEqual([{ id: 'l1', name: 'one' }]);
    });

    test('reads and changes nothing through the browser', async () => {
      const page = await openForeign();
      const mark = service.log.lines.length;
      const tries = await page.evaluate(
        async ([url, body]) => {
          const path = `${url}/api/admin/v1/write-row`;
          const outcome = (work: Promise<unknown>) => work.then(String, () => 'failed');
          const init = { method: 'POST', credentials: 'include', body } as const;
          const headers = { 'X-Headwater-Console': '1' };
          return {
            plain: await outcome(fetch(path, init).then((answer) => answer.text())),
            blind: await outcome(fetch(path, { ...init, mode: 'no-cors' }).then((answer) => answer.text())),
            forged: await outcome(fetch(path, { ...init, headers }).then((answer) => answer.text())),
            events: await outcome(
              new Promise((resolve) => {
                const source = new EventSource(`${url}/api/admin/v1/events`, { withCredentials: true });
                source.onmessage = ({ data }) => resolve(data);
                source.onerror = () => resolve('failed');
              }),
            ),
            script: await outcome(
              new Promise((resolve) => {
                const script = Object.assign(document.createElement('script'), {
                  src: `${url}/console/console.js`,
                  onload: () => resolve('loaded'),
                  onerror: () => resolve('failed'),
                });
                document.head.append(script);
              }),
            ),
            storage: JSON.stringify({ ...localStorage }),
          };
        },
        [service.url, JSON.stringify(change)] as const,
      );
      expect(tries).toEqual({
        plain: 'failed',
        blind: '',
        forged: 'failed',
        events: 'failed',
        script: 'failed',
        storage: '{}',
      });
      // The first two calls, and the preflight of the third one.
      expect(statusesSince(mark, '/api/admin/v1/write-row')).toEqual([401, 401, 204]);
      expect(await rows()).toEqual([{ id: 'l1', name: 'one' }]);
    });

    test('can neither frame the console nor reach a window of it, and its forms are refused', async () => {
      const page = await openForeign();
      const mark = service.log.lines.length;
      const frame = await page.evaluate(
        (url) =>
          new Promise<string>((resolve) => {
            const element = Object.assign(document.createElement('iframe'), {
              src: `${url}/console/`,
              onload: () => {
                try {
                  resolve(String(element.contentWindow?.location.href));
                } catch {
                  resolve('closed');
                }
              },
            });
            document.body.append(element);
          }),
        service.url,
      );
      expect(frame).toBe('closed');
      expect(page.frames().map((each) => each.url())).not.toContain(`${service.url}/console/`);
      const [opened] = await Promise.all([
        bare.waitForEvent('page'),
        page.evaluate(
          (url) => Object.assign(window, { opened: window.open(`${url}/console/`) }) && undefined,
          service.url,
        ),
      ]);
      await opened.locator(connected).waitFor();
      expect(await page.evaluate(() => (window as unknown as { opened: Window }).opened.closed)).toBe(true);
      await page.evaluate((url) => {
        const form = Object.assign(document.createElement('form'), {
          method: 'POST',
          enctype: 'text/plain',
          action: `${url}/api/admin/v1/reset-database`,
        });
        document.body.append(form);
        form.submit();
      }, service.url);
      await page.getByText('SVC_S2101').waitFor();
      expect(statusesSince(mark, '/api/admin/v1/reset-database')).toEqual([401]);
    });
  });

  test('ends after 12 hours: each tab explains how to sign in, and one sign-in connects all of them again', async () => {
    const second = await openTab();
    await second.locator(connected).waitFor();
    ahead += 13 * hours;
    for (const page of [open.page, second])
      await page
        .locator(signedOut)
        .getByText(
          'Your session has ended: a session lasts for 12 hours, or until the service stops. Run headwater console in a terminal, and open the link that it prints.',
        )
        .waitFor();
    const third = await openTab(await service.link());
    for (const page of [third, second, open.page]) await page.locator(connected).waitFor();
  });

  test('ends when the service stops, which the page explains', async () => {
    await service.halt();
    await open.page.locator('[data-link="gone"]').waitFor();
    await service.resume();
    await open.page.locator(signedOut).getByText('Your session has ended').waitFor();
    await openTab(await service.link());
    await open.page.locator(connected).waitFor();
  });

  test('does not start with a link that was used before, but continues if it exists already', async () => {
    const link = await service.link();
    const page = await openTab(link);
    await page.locator(connected).waitFor();
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByText('A link works once').waitFor();
    await page.locator(connected).waitFor();
  });
});
