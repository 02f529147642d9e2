/** The console as a user sees it: a real service with its own database, and the page in Chromium. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage } from '../../../scripts/rigs/browser.ts';
import { ensureChromium } from '../../../scripts/rigs/editors/chromium.ts';
import { startService } from '../../../server/service/assembly/service.ts';
import type { SchemaPath, ServiceSettings } from '../../../server/service/config/settings.ts';
import { systemClock } from '../../../server/service/ground/clock.ts';
import type { Clock } from '../../../server/service/ground/world.ts';
import { recordLog } from '../processes/http.ts';
import { adminToken, serviceSettings } from '../service/serviceSettings.ts';

/** Returns the path of Chromium, or undefined if Chromium is missing and cannot be installed. */
export async function findChromium(): Promise<string | undefined> {
  const found = await ensureChromium();
  if (found.kind === 'ready') return found.path;
  console.log(`SKIPPED the console: ${found.what}. ${found.fix}`);
  return undefined;
}

/** The secret with which the service signs and verifies client tokens. */
export const clientSecret = Buffer.from('a secret of tests, and of tests only');

export interface ConsoleService {
  readonly url: string;
  readonly port: number;
  /** Calls the admin API with an admin token, and returns the `data` of the answer. */
  readonly ask: (path: string, body?: object) => Promise<unknown>;
  /** Runs a statement in the source. */
  readonly sql: (text: string, values?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>;
  /** Deploys a sync config, and waits until it is active. */
  readonly deploy: (config: string, by?: string) => Promise<void>;
  /** Creates a sign-in link, which can be used once. */
  readonly link: () => Promise<string>;
  readonly log: ReturnType<typeof recordLog>;
  /** Stops the service and keeps its folder. */
  readonly halt: () => Promise<void>;
  /** Starts the service again at the same address, after {@link halt}. */
  readonly resume: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface ConsoleOptions {
  /** The SQL schema of the embedded database. Ignored if `settings` name another database. */
  readonly schema?: string;
  /** The SQL files of a project, which replace `schema`. */
  readonly scripts?: SchemaPath;
  readonly config?: string;
  /** Settings that replace the default settings of the tests. */
  readonly settings?: Partial<ServiceSettings>;
  /** The address of the database, if `settings` name another one. */
  readonly database?: string;
  readonly clock?: Clock;
}

export async function startConsoleService({
  schema = '',
  scripts,
  config,
  settings = {},
  database: named,
  clock = systemClock,
}: ConsoleOptions): Promise<ConsoleService> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-console-'));
  const path = join(folder, 'schema.sql');
  writeFileSync(path, schema);
  const log = recordLog();
  const chosen = serviceSettings({
    connection: {
      type: 'embedded',
      id: 'default',
      tag: 'default',
      debugApi: true,
      schema: [scripts ?? { path, name: 'schema.sql', folder }],
    },
    storage: { type: 'embedded', path: folder },
    clientAuth: { keys: [{ kty: 'oct', alg: 'HS256', kid: 'tests', k: clientSecret.toString('base64url') }] },
  });
  const world = { clock, log, env: {}, fetch };
  let service = await startService({ ...chosen, ...settings }, folder, world);
  const { url = '', port = 0 } = service;
  let client = await connectTo(service.database ?? named);
  const ask = (route: string, body: object = {}) => askAdmin(url, route, body);
  const started: ConsoleService = {
    url,
    port,
    ask,
    log,
    sql: async (text, values = []) => (await client?.query(text, [...values]))?.rows ?? [],
    deploy: (content, by) =>
      deployAndWait(
        `${url}/api/sync-rules/v1/deploy${by === undefined ? '' : `?deployed_by=${by}`}`,
        ask,
        content,
      ),
    link: async () => {
      const { path: link } = (await ask('/api/admin/v1/console-link')) as { readonly path: string };
      return `${url}${link}`;
    },
    halt: async () => {
      await client?.end().catch(() => undefined);
      await service.stop();
    },
    resume: async () => {
      service = await startService({ ...chosen, ...settings, port }, folder, world);
      client = await connectTo(service.database ?? named);
    },
    stop: async () => {
      await started.halt();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  if (config !== undefined) await started.deploy(config);
  return started;
}

/** Connects to the database. Returns undefined if the database has no known address. */
async function connectTo(database: string | undefined): Promise<pg.Client | undefined> {
  if (database === undefined) return undefined;
  const client = new pg.Client({ connectionString: database });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function askAdmin(url: string, path: string, body: object): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { readonly data?: unknown };
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return answer.data;
}

async function deployAndWait(url: string, ask: ConsoleService['ask'], content: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/yaml' },
    body: content,
  });
  if (!response.ok) throw new Error(await response.text());
  for (let looks = 0; looks < 600; looks += 1) {
    const status = (await ask('/api/admin/v1/diagnostics', { sync_rules_content: true })) as {
      readonly active_sync_rules?: { readonly content: string };
      readonly deploying_sync_rules?: object;
    };
    if (status.active_sync_rules?.content === content && status.deploying_sync_rules === undefined) return;
    await systemClock.sleep(50);
  }
  throw new Error('The sync config does not become active.');
}

export interface ConsolePage {
  readonly page: Page;
  /** The errors of the page, and the violations of its content security policy. */
  readonly complaints: string[];
  readonly close: () => Promise<void>;
}

/** Opens the console, signs in, and waits until the page is connected to the service. */
export async function openConsolePage(
  chromium: string,
  service: ConsoleService,
  screen = 'service',
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<ConsolePage> {
  const browser: Browser = await launchBrowser(chromium);
  const page = await openPage(browser);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await prepare(page);
  await page.goto(await service.link());
  await page.locator('[data-link="connected"]').waitFor();
  await showScreen(page, screen);
  return { page, complaints, close: () => browser.close() };
}

export async function showScreen(page: Page, screen: string): Promise<void> {
  await page.evaluate((id) => {
    location.hash = `#/${id}`;
  }, screen);
  await page.locator(`nav a[href="#/${screen}"][aria-current="page"]`).waitFor();
}
