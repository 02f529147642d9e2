/** The names under which a real browser opens the console: through a proxy, and by DNS rebinding. */
import { createServer, request as openRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../scripts/rigs/browser.ts';
import { findChromium, showScreen, startConsoleService } from '../support/console/console.ts';

const schema = 'CREATE TABLE lists (id text PRIMARY KEY, owner text);';
const chromium = await findChromium();
const connected = '[data-link="connected"]';

interface Visit {
  readonly consoleHosts?: readonly string[];
  /** Returns the host of the link for a service on this port. */
  readonly host: (port: number) => string;
  readonly look: (page: Page, response: Response | null) => Promise<void>;
}

/** Opens a link to the console in a browser that resolves all names of `*.example.com` to this machine. */
async function visit({ consoleHosts = [], host, look }: Visit): Promise<void> {
  const service = await startConsoleService({ schema, settings: { consoleHosts } });
  const rules = '--host-resolver-rules=MAP *.example.com 127.0.0.1';
  const browser = await launchBrowser(chromium ?? '', [rules]);
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    const link = new URL(await service.link());
    link.host = host(service.port);
    await look(page, await page.goto(link.href));
    expect(errors).toEqual([]);
  } finally {
    await browser.close();
    await service.stop();
  }
}

test.skipIf(chromium === undefined)(
  'A site that points its own name to this machine cannot load the console under that name',
  () =>
    visit({
      host: (port) => `evil.example.com:${port}`,
      look: async (page, response) => {
        expect(response?.status()).toBe(403);
        expect(await page.locator('body').textContent()).toContain('console.hosts');
      },
    }),
);

describe.skipIf(chromium === undefined)('Behind a proxy that sends its own host, as nginx does', () => {
  let proxy: Server;
  /** The port of the service that the proxy forwards to. */
  let target = 0;
  let address: string;
  const host = (port: number): string => {
    target = port;
    return address;
  };

  beforeAll(async () => {
    proxy = createServer((incoming, outgoing) => {
      const { method, url, headers } = incoming;
      const named = { ...headers, host: `127.0.0.1:${target}` };
      const options = { port: target, host: '127.0.0.1', method, path: url, headers: named };
      const forwarded = openRequest(options, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      });
      forwarded.on('error', () => outgoing.destroy());
      outgoing.on('close', () => forwarded.destroy());
      incoming.pipe(forwarded);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    address = `sync.example.com:${(proxy.address() as AddressInfo).port}`;
  });
  afterAll(() => proxy?.close());

  test('each screen works under a name of `console.hosts`, also over plain HTTP', () =>
    visit({
      consoleHosts: [address],
      host,
      look: async (page) => {
        await page.locator(connected).waitFor();
        await page.reload();
        await page.locator(connected).waitFor();
        // Some functions of the browser are missing, because the context is not secure.
        expect(await page.evaluate(() => isSecureContext)).toBe(false);
        const links = await page
          .locator('nav a')
          .evaluateAll((all) => all.map((each) => each.getAttribute('href')));
        expect(links.length).toBeGreaterThan(4);
        for (const link of links) await showScreen(page, link?.replace('#/', '') ?? '');
        await page.locator(connected).waitFor();
      },
    }));

  test('the console shows which name to add', () =>
    visit({
      host,
      look: async (page) => {
        await page.getByText(`add "${address}" to \`console.hosts\``).waitFor();
        await page.locator('[data-link="signed out"]').waitFor();
      },
    }));
});
