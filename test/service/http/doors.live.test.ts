/** Every route of the service, without a valid token and with hostile bodies: no part of a body is read or reported. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ApiParts } from '../../../server/service/api/parts.ts';
import { diagnosticsOf } from '../../../server/service/api/problems.ts';
import { apiRoutes } from '../../../server/service/assembly/routes.ts';
import { consoleRoutes } from '../../../server/service/console/console.ts';
import { openConsoleHosts } from '../../../server/service/console/hosts.ts';
import { openSessions } from '../../../server/service/console/sessions.ts';
import { openSyncConfigs } from '../../../server/service/deployments/syncConfigs.ts';
import { systemClock } from '../../../server/service/ground/clock.ts';
import { silentLog } from '../../../server/service/ground/log.ts';
import type { Metrics } from '../../../server/service/ground/metrics.ts';
import { createAccess } from '../../../server/service/http/auth/access.ts';
import { metricsRoute } from '../../../server/service/http/metricsRoute.ts';
import { createProbes, probeRoutes } from '../../../server/service/http/probes.ts';
import type { Route } from '../../../server/service/http/route.ts';
import type { RouteParts } from '../../../server/service/sync/http.ts';
import { syncRoutes } from '../../../server/service/sync/http.ts';
import { problemsInStreamRequest } from '../../../server/service/sync/request.ts';
import { startSyncing } from '../../support/clients/syncing.ts';
import { type AskOptions, ask, recordLog, route, sendRaw, serve } from '../../support/processes/http.ts';

const access = createAccess(['admin token'], async () => expect.unreachable());
/** The routes of the service. The test fails if one of them validates or answers a request. */
const routes: readonly Route[] = [...apiRoutes({} as ApiParts), ...syncRoutes({} as RouteParts)].map(
  (each) => ({
    ...each,
    problemsIn: () => expect.unreachable(),
    answer: () => expect.unreachable(),
  }),
);

const amplification = JSON.stringify({
  streams: { subscriptions: Array.from({ length: 349_000 }, () => ({})) },
});
const json = { 'content-type': 'application/json' };
/** Returns a body with its length, which a GET would not have otherwise. */
const bodyOf = (type: string, body: string | Buffer): AskOptions => ({
  headers: { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) },
  body,
});
const bodies: readonly AskOptions[] = [
  {},
  bodyOf('application/json', amplification),
  bodyOf('application/json', '{'),
  bodyOf('image/png', 'x'),
  bodyOf('application/json', Buffer.from([0x22, 0xff, 0x22])),
  bodyOf('application/json', '['.repeat(100_000)),
];
const tokens = {
  none: {},
  'a wrong one': { authorization: 'Bearer ' },
  'one too long': { authorization: `Basic ${'x'.repeat(50_000)}` },
};

describe.each(routes.map((each) => [`${each.method} ${each.path}`, each] as const))(
  '%s',
  (_, { method, path }) => {
    test.each(Object.entries(tokens))(
      'answers 401 in few bytes, whatever the body, if the token is %s',
      async (_, token) => {
        const server = await serve(routes, { access });
        for (const body of bodies) {
          const answer = await ask(server, { ...body, method, path, headers: { ...body.headers, ...token } });
          expect(answer.status).toBe(401);
          expect(answer.text.length).toBeLessThan(1_000);
        }
      },
    );
  },
);

test('public routes share no places with routes that require a token', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'index.html'), '');
  const probes = createProbes({ clock: systemClock });
  const hosts = openConsoleHosts({ host: '127.0.0.1', hosts: [] });
  const open = [
    ...probeRoutes(probes, true, systemClock),
    ...consoleRoutes({ folder, hosts, sessions: openSessions(systemClock, hosts) }),
    metricsRoute({} as Metrics, async () => {}, { clock: systemClock, log: silentLog }),
  ];
  const groupsOf = (all: readonly Route[], isOpen: boolean) =>
    all
      .filter(({ access: needed }) => ['public', 'local'].includes(needed) === isOpen)
      .map(({ group }) => group);
  expect(new Set(groupsOf([...routes, ...open], true))).toEqual(new Set(['page', 'probe']));
  expect(groupsOf([...routes, ...open], false)).not.toContain('page');
});

test('a body that never ends does not delay the refusal of a request without a token, and takes no place', async () => {
  const server = await serve([...routes, route({ access: 'user', group: 'stream' })], {
    maxStreams: 2,
    access: {
      ...access,
      user: async (token) =>
        token === undefined ? access.user(token) : { id: 'u', claims: '{}', expiresAt: 0 },
    },
  });
  const head =
    'POST /sync/stream HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{';
  const slow = Array.from({ length: 50 }, () => connect(server.port, '127.0.0.1').on('error', () => {}));
  onTestFinished(() => {
    for (const socket of slow) socket.destroy();
  });
  const answers = slow.map(
    (socket) => new Promise((resolve) => socket.once('data', (data) => resolve(String(data)))),
  );
  for (const socket of slow) socket.write(head);
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 401 /);
  expect((await ask(server, { headers: { authorization: 'Bearer good' } })).status).toBe(200);
});

test('the rest of a refused body is not read for long', async () => {
  const server = await serve([...routes], { access });
  const head =
    'POST /sync/stream HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100000000\r\n\r\n';
  expect(await sendRaw(server, Buffer.concat([Buffer.from(head), Buffer.alloc(8 * 1024 * 1024)]))).toMatch(
    /^(HTTP\/1.1 401 |$)/,
  );
});

test('slow bodies of clients with a token take no place of others', async () => {
  const server = await serve(
    [route({ method: 'POST', path: '/post', body: 'json', access: 'user', group: 'stream' })],
    {
      access: {
        admin: () => {},
        user: async (authorization = '') => ({ id: authorization, claims: '{}', expiresAt: 0 }),
      },
    },
  );
  const head =
    'POST /post HTTP/1.1\r\nHost: a\r\nAuthorization: slow\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{';
  const slow = Array.from({ length: 100 }, () => connect(server.port, '127.0.0.1').on('error', () => {}));
  onTestFinished(() => {
    for (const socket of slow) socket.destroy();
  });
  await Promise.all(slow.map((socket) => new Promise((resolve) => socket.write(head, resolve))));
  const honest = connect(server.port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => void honest.destroy());
  const answered = new Promise((resolve) => {
    honest.once('data', (bytes) => resolve(String(bytes))).once('close', () => resolve('closed'));
  });
  // The body comes later, so the request needs a place for it.
  honest.write(head.replace('slow', 'honest'));
  const headers = { ...json, authorization: 'quick' };
  expect((await ask(server, { method: 'POST', path: '/post', headers, body: '{}' })).status).toBe(200);
  honest.write('       }');
  expect(await answered).toMatch(/^HTTP\/1.1 200 /);
});

test('many clients that send their entire body at the same time are all served', async () => {
  const server = await serve(
    [route({ method: 'POST', path: '/post', body: 'json', access: 'user', group: 'stream' })],
    {
      maxStreams: 1_000,
      access: {
        admin: () => {},
        user: async (authorization = '') => ({ id: authorization, claims: '{}', expiresAt: 0 }),
      },
    },
  );
  const sockets = Array.from({ length: 300 }, () => connect(server.port, '127.0.0.1').on('error', () => {}));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const request = (n: number): string =>
    `POST /post HTTP/1.1\r\nHost: a\r\nAuthorization: user${n}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
  const exchange = (bytes: (n: number) => string): Promise<readonly string[]> =>
    Promise.all(
      sockets.map(
        (socket, n) =>
          new Promise<string>((resolve) => {
            socket.once('data', (data) => resolve(String(data).slice(0, 12)));
            socket.once('close', () => resolve('closed'));
            socket.write(bytes(n));
          }),
      ),
    );
  // The connections are accepted first, so that their requests arrive together.
  await exchange(() => 'GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(new Set(await exchange(request))).toEqual(new Set(['HTTP/1.1 200']));
});

test('a body with too many values is refused before it is parsed as JSON', async () => {
  const server = await serve([route({ method: 'POST', path: '/post', body: 'json' })]);
  const answer = await ask(server, {
    method: 'POST',
    path: '/post',
    headers: json,
    body: `${amplification}}`,
  });
  expect(answer).toMatchObject({ status: 413, json: { error: { code: 'SVC_S2001' } } });
  expect(answer.text).toContain('40000 values');
});

describe('problems are reported briefly', () => {
  test.each([
    ['subscriptions', JSON.parse(amplification)],
    ['buckets', { buckets: Array.from({ length: 100_000 }, () => 5) }],
    [
      'metadata',
      { app_metadata: Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, i])) },
    ],
    ['a long name', { app_metadata: { ['k'.repeat(1_000_000)]: 5 } }],
  ])('in a stream request: %s', (_, body) => {
    const problems = problemsInStreamRequest(body);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.length).toBeLessThanOrEqual(21);
    expect(JSON.stringify(problems).length).toBeLessThan(5_000);
  });

  test('in unexpected parameters', async () => {
    const server = await serve(apiRoutes({} as ApiParts));
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`k${i}`, i])));
    const answer = await ask(server, {
      method: 'POST',
      path: '/api/sync-rules/v1/reprocess',
      headers: json,
      body,
    });
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(5_000);
  });

  test('in a sync config: errors are reported before warnings, and further ones are only counted', () => {
    const streams = Array.from({ length: 200 }, (_, i) => `  s${i}:\n    query: SELEC * FROM t\n`).join('');
    const config = openSyncConfigs('public').read(`config:\n  edition: 3\nstreams:\n${streams}`);
    const { errors, diagnostics, more_diagnostics: more = 0 } = diagnosticsOf(config);
    expect(errors).toHaveLength(21);
    expect(errors.at(-1)).toBe(
      `and ${config.problems.filter(({ severity }) => severity === 'error').length - 20} more.`,
    );
    expect(diagnostics).toHaveLength(20);
    expect(diagnostics.length + more).toBe(config.problems.length);
    expect(diagnostics.every(({ severity }) => severity === 'error')).toBe(true);
  });
});

test('before the first deploy, a client gets SVC_S2302, and the log has no stack', async () => {
  const { server, log } = await startSyncing();
  const headers = { ...json, authorization: 'Token user1' };
  const answer = await ask(server, { method: 'POST', path: '/sync/stream', headers, body: '{}' });
  expect(answer.json).toMatchObject({ error: { code: 'SVC_S2302' } });
  const told = log.lines.filter(({ facts }) => facts.code === 'SVC_S2302');
  expect(told.map(({ level, facts }) => [level, facts.stack])).toEqual([['warn', undefined]]);
});

test('an unexpected error is logged with its stack', async () => {
  const log = recordLog();
  const answer = async () => {
    throw new Error('unforeseen');
  };
  const server = await serve([route({ answer })], {}, log);
  await ask(server);
  expect(log.lines.find(({ level }) => level === 'error')?.facts.stack).toMatch(/doors\.live\.test/);
});
