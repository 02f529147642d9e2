/** Who gets into the console, and what a page of somebody else can do: nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleService, startConsoleService } from '../support/console/console.ts';

const schema = 'CREATE TABLE lists (id text PRIMARY KEY, owner text);';

let service: ConsoleService;

beforeAll(async () => {
  service = await startConsoleService({ schema });
});
afterAll(() => service?.stop());

type Headers = Readonly<Record<string, string>>;

const ofConsole = (): Headers => ({ 'X-Headwater-Console': '1', Origin: service.url });

const post = (path: string, headers: Headers = {}): Promise<Response> =>
  fetch(`${service.url}${path}`, { method: 'POST', headers });

async function newCode(): Promise<string> {
  return new URL(await service.link()).hash.replace('#sign-in=', '');
}

async function signIn(): Promise<string> {
  const response = await post('/console/sign-in', { Authorization: `Link ${await newCode()}` });
  expect(response.status).toBe(200);
  return response.headers.get('set-cookie') ?? '';
}

const diagnose = (headers: Headers): Promise<number> =>
  post('/api/admin/v1/diagnostics', headers).then(({ status }) => status);

describe('A link', () => {
  test('signs in once', async () => {
    const code = await newCode();
    const tries = [await post('/console/sign-in', { Authorization: `Link ${code}` })];
    tries.push(await post('/console/sign-in', { Authorization: `Link ${code}` }));
    expect(tries.map(({ status }) => status)).toEqual([200, 401]);
    expect(await tries[1]?.json()).toMatchObject({ error: { code: 'SVC_S2108' } });
  });

  test('is made for admins only, and nothing else signs in', async () => {
    expect((await post('/api/admin/v1/console-link')).status).toBe(401);
    for (const Authorization of ['Link wrong', 'Bearer admin-token', 'Link ', ''])
      expect((await post('/console/sign-in', { Authorization })).status, Authorization).toBe(401);
  });

  test('is told where no server sees it, and stays out of the log', async () => {
    const link = await service.link();
    const code = new URL(link).hash.replace('#sign-in=', '');
    expect(new URL(link).search).toBe('');
    await post('/console/sign-in', { Authorization: `Link ${code}` });
    expect(JSON.stringify(service.log.lines)).not.toContain(code);
  });
});

describe('A session', () => {
  test('is a cookie that no script reads, that no other site sends, and that the paths of clients do not get', async () => {
    const cookie = await signIn();
    expect(cookie).toMatch(
      /^headwater-console-\d+=[\w-]{32}; Path=\/api\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    );
  });

  test('lets the console call what admins may', async () => {
    const Cookie = (await signIn()).split(';')[0] ?? '';
    expect(await diagnose({ ...ofConsole(), Cookie })).toBe(200);
  });

  test.each<[string, Headers]>([
    ['without the header of the console', { 'X-Headwater-Console': '' }],
    ['from another site', { Origin: 'https://example.com' }],
    ['from another port of this machine', { Origin: 'http://127.0.0.1:1' }],
    ['from a page in a sandbox', { Origin: 'null' }],
    ['from a site that the browser knows to be another one', { 'Sec-Fetch-Site': 'same-site' }],
    ['with a wrong token besides', { Authorization: 'Bearer wrong' }],
  ])('is worth nothing %s', async (_, headers) => {
    const Cookie = (await signIn()).split(';')[0] ?? '';
    expect(await diagnose({ ...ofConsole(), Cookie, ...headers })).toBe(401);
  });

  test('is worth nothing without its secret', async () => {
    const name = (await signIn()).split('=')[0] ?? '';
    for (const Cookie of ['', `${name}=`, `${name}=wrong`, `other=${name}`])
      expect(await diagnose({ ...ofConsole(), Cookie }), Cookie).toBe(401);
  });
});

describe('The page', () => {
  test('runs and loads nothing that is not its own, and nobody shows it in a frame', async () => {
    const response = await fetch(`${service.url}/console/`);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).not.toMatch(/<script(?![^>]* src=)|<style| on\w+=| style=/);
  });

  test('is found without a slash, and nothing beside its files is', async () => {
    const response = await fetch(`${service.url}/console`);
    expect([response.status, response.url]).toEqual([200, `${service.url}/console/`]);
    for (const path of ['console.js.map', '../service.js', '%2e%2e/service.js', 'index.html'])
      expect((await fetch(`${service.url}/console/${path}`)).status, path).toBe(404);
  });
});

test.each([
  ['where other machines can reach it', { host: '0.0.0.0' }],
  ['where the service config says so', { console: false }],
])('There is no console %s', async (_, settings) => {
  const other = await startConsoleService({ schema, settings });
  try {
    const url = `http://127.0.0.1:${other.port}`;
    const found = async (method: string, path: string): Promise<number> =>
      (await fetch(`${url}${path}`, { method, headers: { Authorization: 'Bearer admin-token' } })).status;
    expect(await found('GET', '/console/')).toBe(404);
    expect(await found('POST', '/console/sign-in')).toBe(404);
    expect(await found('POST', '/api/admin/v1/console-link')).toBe(404);
  } finally {
    await other.stop();
  }
});
