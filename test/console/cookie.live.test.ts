/**
 * The cookie of the console without the secret of its page. Browsers ignore ports in cookies, so every program that listens on
 * this machine gets the cookie, and can send it to the service with any headers.
 */
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Route } from '../../server/service/http/route.ts';
import type { ServerOptions } from '../../server/service/http/server.ts';
import { randomFrom } from '../differential/random.ts';
import { type ConsoleService, startConsoleService } from '../support/console/console.ts';
import { pageHeader, signInWith } from '../support/console/session.ts';

/** The routes of the service in this test. */
const table = vi.hoisted((): Route[] => []);

vi.mock('../../server/service/http/server.ts', async (load) => {
  const real = await load<typeof import('../../server/service/http/server.ts')>();
  return {
    ...real,
    startServer: (options: ServerOptions, world: Parameters<typeof real.startServer>[1]) => {
      table.push(...options.routes);
      return real.startServer(options, world);
    },
  };
});

type Headers = Readonly<Record<string, string>>;

let service: ConsoleService;
/** The cookie that another program has. The program has nothing else. */
let stolen: string;
let own: { readonly cookie: string; readonly secret: string };

beforeAll(async () => {
  service = await startConsoleService({
    schema: 'CREATE TABLE lists (id text PRIMARY KEY, owner text);',
    settings: { probes: { files: false, http: true } },
  });
  own = await signInWith(await service.link());
  stolen = own.cookie;
});
afterAll(() => service?.stop());

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

/** Returns the status without waiting for the end of the answer, because a stream that is opened by mistake does not end. */
function statusOf({ method, path }: Route, headers: Headers): Promise<number> {
  const { port } = service;
  const json = { 'Content-Type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, host: '127.0.0.1', method, path, headers: { ...json, ...headers }, agent: false },
      ({ statusCode = 0 }) => {
        resolve(statusCode);
        sent.destroy();
      },
    );
    sent.on('error', reject);
    sent.end(method === 'POST' ? '{}' : undefined);
  });
}

/** Headers that a program could add to the cookie, by name. */
function forgeries(): readonly (readonly [name: string, values: readonly string[]])[] {
  const { url, port } = service;
  const [name = '', value = ''] = stolen.split('=');
  const digest = createHash('sha256').update(value).digest('base64url');
  const guesses = ['', '1', 'true', 'null', 'undefined', value, digest, stolen, 'x'.repeat(value.length)];
  return [
    [pageHeader, guesses],
    ['Origin', [url, `http://localhost:${port}`, `https://127.0.0.1:${port}`, 'null']],
    ['Host', [`127.0.0.1:${port}`, `localhost:${port}`, '127.0.0.1', 'headwater.example']],
    ['Sec-Fetch-Site', ['same-origin', 'same-site', 'none']],
    ['Sec-Fetch-Mode', ['cors', 'navigate', 'websocket']],
    ['Referer', [`${url}/console/`]],
    ['User-Agent', ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36']],
    ['Authorization', ['Bearer', 'Token', 'Link', 'Console', 'Basic'].map((kind) => `${kind} ${value}`)],
    ['Cookie', [`${stolen}; ${stolen}`, `${name}=; ${stolen}`, `headwater-console=${value}; ${stolen}`]],
    ['X-Forwarded-For', ['127.0.0.1']],
    ['X-Forwarded-Host', [`127.0.0.1:${port}`]],
    ['X-Requested-With', ['XMLHttpRequest']],
    ['X-HTTP-Method-Override', ['GET']],
  ];
}

/** Returns each header alone, then combinations: as a page of the console would send them, and at random. */
function attempts(): readonly Headers[] {
  const each = forgeries();
  const alone = each.flatMap(([name, values]) => values.map((value) => ({ [name]: value })));
  const asPage = Object.fromEntries(each.slice(0, 6).map(([name, values]) => [name, values[0] ?? '']));
  const likePages = (each[0]?.[1] ?? []).map((guess) => ({ ...asPage, [pageHeader]: guess }));
  const random = randomFrom(39);
  const mixed = Array.from({ length: 40 }, () =>
    Object.fromEntries(
      each.filter(() => random.int(2) === 0).map(([name, values]) => [name, random.pick(values)]),
    ),
  );
  return [{}, ...alone, ...likePages, ...mixed].map((headers) => ({ Cookie: stolen, ...headers }));
}

test('The cookie alone opens no route of the service, whatever headers another program adds', async () => {
  const closed = table.filter(({ access }) => access !== 'public');
  expect(closed.map(nameOf)).toEqual(
    expect.arrayContaining([
      'POST /api/admin/v1/write-row',
      'POST /api/admin/v1/events',
      'POST /console/sign-in',
    ]),
  );
  const opened: string[] = [];
  for (const route of closed) {
    // The request looks forwarded, because `local` routes need no token for a request from this machine.
    const local: Headers = route.access === 'local' ? { 'X-Forwarded-For': '10.0.0.1' } : {};
    for (const headers of attempts()) {
      const status = await statusOf(route, { ...headers, ...local });
      if (status !== 401) opened.push(`${nameOf(route)} answers ${status} to ${JSON.stringify(headers)}`);
    }
  }
  expect(opened).toEqual([]);
});

test('The cookie is not needed for the public routes: the files of the page, and probes', () => {
  const open = table.filter(({ access }) => access === 'public').map(nameOf);
  expect(open).toContain('GET /console/console.js');
  expect(open.filter((name) => !/^GET \/(console(\/([\w.-]+)?)?|probes\/\w+)$/.test(name))).toEqual([]);
});

test('The cookie opens a route only together with the secret of its page', async () => {
  const route = table.find(({ path }) => path === '/api/admin/v1/diagnostics') ?? expect.unreachable();
  const other = await signInWith(await service.link());
  const statuses = async (cookie: string, secret: string): Promise<number> =>
    statusOf(route, { Origin: service.url, Cookie: cookie, [pageHeader]: secret });
  expect(await statuses(own.cookie, own.secret)).toBe(200);
  expect(await statuses(other.cookie, other.secret)).toBe(200);
  expect(await statuses(own.cookie, other.secret)).toBe(401);
  expect(await statuses('', own.secret)).toBe(401);
});
