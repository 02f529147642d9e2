/**
 * The console of an editor without the editor: its page runs in Chromium, and exchanges messages with the code that the extension
 * runs for the page. Tests with the real workbench are in `test/e2e/`.
 */
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { type Api, openApi } from '../../../client/api/api.ts';
import type { FromEditor, ToEditor } from '../../../client/console/link/messages.ts';
import { askConfigs, openHistory } from '../../../client/deploying/history.ts';
import { type Claims, openRelay } from '../../../client/vscode/console/relay.ts';
import { launchBrowser, openPage } from '../../../scripts/rigs/browser.ts';
import { root } from '../../../scripts/root.ts';
import { streamsIn } from '../../../server/features/streams.ts';

export interface EditorConsole {
  readonly page: Page;
  readonly complaints: string[];
  /** The messages of the page to the editor, apart from requests to the service. */
  readonly orders: ToEditor[];
  readonly send: (message: FromEditor) => void;
  readonly show: (hash: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface EditorConsoleOptions {
  readonly chromium: string;
  /** Returns the selected target, or undefined if no target is selected. */
  readonly target: () => { readonly url: string; readonly token: string } | undefined;
  readonly sign?: (claims: Claims) => string | undefined;
  /** The sync config that is known to be deployed. */
  readonly config?: string;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

export async function openEditorConsole({
  chromium,
  target,
  sign = () => undefined,
  config,
}: EditorConsoleOptions): Promise<EditorConsole> {
  const browser = await launchBrowser(chromium);
  const page = await openPage(browser);
  const complaints: string[] = [];
  const orders: ToEditor[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  const apis: Api[] = [];
  let known: { readonly key: string; readonly api: Api } | undefined;
  const connect = (url: string, token: string): Api => {
    const api = openApi({ url, token });
    apis.push(api);
    return api;
  };
  let last: Promise<unknown> = Promise.resolve();
  const send = (message: FromEditor): void => {
    last = last
      .then(() => page.evaluate((data) => window.postMessage(data, '*'), message))
      .catch(() => undefined);
  };
  const kept = new Map<string, unknown>();
  const history = openHistory({
    get: <T>(key: string) => kept.get(key) as T | undefined,
    update: async (key, value) => void kept.set(key, value),
  });
  const relay = openRelay({
    async reach() {
      const at = target();
      if (at === undefined) return { why: 'No service is selected: the map shows what the file says.' };
      const key = JSON.stringify(at);
      if (known?.key !== key) known = { key, api: connect(at.url, at.token) };
      return { api: known.api };
    },
    reachAs: async (token) => connect(target()?.url ?? '', token),
    sign: async (claims) => sign(claims),
    share: (_, ask) => ask(),
    configs: (api) => askConfigs(api, { history, target: 'test' }),
    streams: async () =>
      config === undefined
        ? undefined
        : {
            origin: 'deployed',
            streams: streamsIn(config).map(({ isDefault, ...each }) => ({ ...each, is_default: isDefault })),
          },
    send,
  });
  await page.exposeFunction('toExtension', (message: ToEditor) => {
    if (message.kind === 'cancel') relay.cancel(message.number);
    else if (
      message.kind === 'call' ||
      message.kind === 'events' ||
      message.kind === 'sync' ||
      message.kind === 'configs'
    )
      void relay.take(message);
    else if (message.kind !== 'ready') orders.push(message);
  });
  await page.addInitScript(() => {
    const { toExtension } = window as unknown as { toExtension: (message: unknown) => void };
    const api = { postMessage: toExtension, getState: () => undefined, setState: () => undefined };
    Object.assign(window, { acquireVsCodeApi: () => api });
  });
  const address = 'http://127.0.0.1:1/';
  await page.route(`${address}**`, (route) => {
    const name = new URL(route.request().url()).pathname.slice(1) || 'index.html';
    const body = readFileSync(join(root, 'dist/console', name));
    return route.fulfill({ body, contentType: types[extname(name)] ?? 'text/plain' });
  });
  await page.goto(address);
  await page.locator('nav').waitFor();
  return {
    page,
    complaints,
    orders,
    send,
    async show(hash) {
      send({ kind: 'show', hash });
      const [screen] = hash.split('?');
      await page.locator(`nav a[href="${screen}"][aria-current="page"]`).waitFor();
    },
    async close() {
      relay.cancelAll();
      await browser.close();
      await Promise.all(apis.map((api) => api.close()));
    },
  };
}
