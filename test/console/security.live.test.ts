/** Access to the console, and attacks by pages of other sites. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleService, startConsoleService } from '../support/console/console.ts';
import { type PageSession, pageHeader, signInWith } from '../support/console/session.ts';
import { ask } from '../support/processes/http.ts';

const schema = 'CREATE TABLE lists (id text PRIMARY KEY, owner text);';

let service: ConsoleService;

beforeAll(async () => {
  service = await startConsoleService({ schema });
});
afterAll(() => service?.stop());

type Headers = Readonly<Record<string, string>>;

const post = (path: string, headers: Headers = {}): Promise<Response> =>
  fetch(`${service.url}${path}`, { method: 'POST', headers });

async function newCode(): Promise<string> {
  return new URL(await service.link()).hash.replace('#sign-in=', '');
}

const signIn = async (): Promise<PageSession> => signInWith(await service.link());

/** The headers that a page of the console sends. */
const ofPage = ({ cookie, secret }: PageSession): Headers => ({
  Origin: service.url,
  Cookie: cookie,
  [pageHeader]: secret,
});

const diagnose = (headers: Headers): Promise<number> =>
  ask(service, { method: 'POST', path: '/api/admin/v1/diagnostics', headers }).then(({ status }) => status);

describe('A link', () => {
  test('signs in only once', async () => {
    const code = await newCode();
    const tries = [await post('/console/sign-in', { Authorization: `Link ${code}` })];
    tries.push(await post('/console/sign-in', { Authorization: `Link ${code}` }));
    expect(tries.map(({ status }) => status)).toEqual([200, 401]);
    expect(await tries[1]?.json()).toMatchObject({ error: { code: 'SVC_S2108' } });
  });

  test('is created only for admins, and nothing else signs in', async () => {
    expect((await post('/api/admin/v1/console-link')).status).toBe(401);
    for (const Authorization of ['Link wrong', 'Bearer admin-token', 'Link ', ''])
      expect((await post('/console/sign-in', { Authorization })).status, Authorization).toBe(401);
  });

  test('has its code in the fragment, which browsers do not send, and the code stays out of the log', async () => {
    const link = await service.link();
    const code = new URL(link).hash.replace('#sign-in=', '');
    expect(new URL(link).search).toBe('');
    await post('/console/sign-in', { Authorization: `Link ${code}` });
    expect(JSON.stringify(service.log.lines)).not.toContain(code);
  });
});

describe('A session', () => {
  test('has a cookie that scripts cannot read, that other sites cannot send, and that client paths do not receive', async () => {
    const { setCookie } = await signIn();
    expect(setCookie).toMatch(
      /^headwater-console-\d+=[\w-]{32}; Path=\/api\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    );
  });

  test('has a cookie that is sent only over TLS if the page was loaded over TLS', async () => {
    const https = {
      Authorization: `Link ${await newCode()}`,
      Origin: service.url.replace('http:', 'https:'),
    };
    expect((await post('/console/sign-in', https)).headers.get('set-cookie')).toMatch(/; Secure$/);
  });

  test('allows the console to call admin routes', async () => {
    expect(await diagnose(ofPage(await signIn()))).toBe(200);
  });

  test.each<[string, Headers]>([
    ['without the secret of its page', { [pageHeader]: '' }],
    ['with another secret', { [pageHeader]: 'x'.repeat(32) }],
    ['from another site', { Origin: 'https://example.com' }],
    ['from another port of this machine', { Origin: 'http://127.0.0.1:1' }],
    ['from a page in a sandbox', { Origin: 'null' }],
    ['from a site that the browser reports as a different one', { 'Sec-Fetch-Site': 'same-site' }],
    ['together with a wrong token', { Authorization: 'Bearer wrong' }],
  ])('is refused %s', async (_, headers) => {
    expect(await diagnose({ ...ofPage(await signIn()), ...headers })).toBe(401);
  });

  test('is refused under a name that does not belong to the service', async () => {
    const Host = `example.com:${service.port}`;
    expect(await diagnose({ ...ofPage(await signIn()), Host, Origin: `http://${Host}` })).toBe(401);
    const own = `localhost:${service.port}`;
    expect(await diagnose({ ...ofPage(await signIn()), Host: own, Origin: `http://${own}` })).toBe(200);
  });

  test('is refused without its cookie', async () => {
    const session = await signIn();
    const name = session.cookie.split('=')[0] ?? '';
    for (const Cookie of ['', `${name}=`, `${name}=wrong`, `other=${name}`])
      expect(await diagnose({ ...ofPage(session), Cookie }), Cookie).toBe(401);
  });

  test('is accepted despite a cookie of the same name that another program has set', async () => {
    const session = await signIn();
    const name = session.cookie.split('=')[0] ?? '';
    for (const Cookie of [`${name}=x; ${session.cookie}`, `${session.cookie}; ${name}=x`])
      expect(await diagnose({ ...ofPage(session), Cookie }), Cookie).toBe(200);
  });

  test('has a secret and a cookie that stay out of the log', async () => {
    const session = await signIn();
    await diagnose(ofPage(session));
    await diagnose({ ...ofPage(session), Cookie: '' });
    const log = JSON.stringify(service.log.lines);
    expect(log).toContain('/console/sign-in');
    for (const secret of [session.secret, session.cookie.split('=')[1]]) expect(log).not.toContain(secret);
  });
});

describe('The page', () => {
  test('runs and loads only its own files, and cannot be shown in a frame', async () => {
    const response = await fetch(`${service.url}/console/`);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).not.toMatch(/<script(?![^>]* src=)|<style| on\w+=| style=/);
  });

  test.each(['sync.example.com', '127.0.0.1.example.com:8080'])(
    'is neither shown nor open to a sign-in under the name %j, which a site could point to this machine',
    async (Host) => {
      for (const path of ['/console', '/console/', '/console/console.js']) {
        const { status, json } = await ask(service, { path, headers: { Host } });
        expect([status, json], path).toMatchObject([403, { error: { code: 'SVC_S2109' } }]);
      }
      const headers = { Host, Authorization: `Link ${await newCode()}` };
      expect((await ask(service, { method: 'POST', path: '/console/sign-in', headers })).status).toBe(403);
      const again = { ...headers, Host: `localhost:${service.port}` };
      expect((await ask(service, { method: 'POST', path: '/console/sign-in', headers: again })).status).toBe(
        200,
      );
    },
  );

  test('is found without the final slash, and only its own files are served', async () => {
    const response = await fetch(`${service.url}/console`);
    expect([response.status, response.url]).toEqual([200, `${service.url}/console/`]);
    for (const path of ['console.js.map', '../service.js', '%2e%2e/service.js', 'index.html'])
      expect((await fetch(`${service.url}/console/${path}`)).status, path).toBe(404);
  });
});

test.each([
  ['if other machines can reach the service', { host: '0.0.0.0' }],
  ['if the service config disables the console', { console: false }],
])('There is no console, and no row can be written, %s', async (_, settings) => {
  const other = await startConsoleService({ schema, settings });
  try {
    const url = `http://127.0.0.1:${other.port}`;
    const found = async (method: string, path: string): Promise<number> =>
      (await fetch(`${url}${path}`, { method, headers: { Authorization: 'Bearer admin-token' } })).status;
    expect(await found('GET', '/console/')).toBe(404);
    expect(await found('POST', '/console/sign-in')).toBe(404);
    expect(await found('POST', '/api/admin/v1/console-link')).toBe(404);
    const row = { schema: 'public', table: 'lists', change: 'insert', values: { id: 'l1' } };
    const headers = { Authorization: 'Bearer admin-token', 'Content-Type': 'application/json' };
    const path = '/api/admin/v1/write-row';
    const written = await ask(other, { method: 'POST', path, headers, body: JSON.stringify(row) });
    expect([written.status, written.json]).toMatchObject([422, { error: { code: 'SVC_S4107' } }]);
    expect(await other.sql('SELECT * FROM lists')).toEqual([]);
  } finally {
    await other.stop();
  }
});

test('Behind a proxy, the console can be opened under a name from `console.hosts`', async () => {
  const settings = { host: '0.0.0.0', console: true, consoleHosts: ['sync.example.com'] };
  const proxied = await startConsoleService({ schema, settings });
  try {
    const link = await proxied.link();
    const host = { Host: 'sync.example.com' };
    expect((await ask(proxied, { path: '/console/', headers: host })).status).toBe(200);
    expect((await ask(proxied, { path: '/console/', headers: { Host: 'other.example.com' } })).status).toBe(
      403,
    );
    const page = { ...host, Origin: 'https://sync.example.com' };
    const signedIn = await ask(proxied, {
      method: 'POST',
      path: '/console/sign-in',
      headers: { ...page, Authorization: `Link ${link.replace(/^.*=/, '')}` },
    });
    const { data } = signedIn.json as { readonly data: { readonly secret: string } };
    const cookie = String(signedIn.headers['set-cookie']).replace(/;.*/, '');
    const headers = { ...page, Cookie: cookie, [pageHeader]: data.secret };
    const path = '/api/admin/v1/diagnostics';
    expect((await ask(proxied, { method: 'POST', path, headers })).status).toBe(200);
  } finally {
    await proxied.stop();
  }
});
