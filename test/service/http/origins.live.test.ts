/**
 * A service that accepts published secrets answers only pages from this machine. `/metrics` is only for this machine and for
 * clients with a token.
 */
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../server/service/ground/errors.ts';
import { isPublished } from '../../../server/service/http/origins.ts';
import type { Upgrade } from '../../../server/service/http/server.ts';
import { ask, route, sendRaw, serve } from '../../support/processes/http.ts';

const deploy = route({
  method: 'POST',
  path: '/deploy',
  access: 'admin',
  answer: async () => ({ data: 'deployed' }),
});
const upgrade = (origin: string | undefined) =>
  `GET /sync/stream HTTP/1.1\r\nHost: localhost\r\n${origin === undefined ? '' : `Origin: ${origin}\r\n`}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

const loopback = ['http://localhost:5173', 'https://127.0.0.1', 'http://[::1]:3000', 'http://app.localhost'];
const others = [
  'https://evil.example',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'null',
  'http://10.0.0.5',
  'x',
];

describe('with a published secret', () => {
  test.each(loopback)('a page from %s may call the service', async (origin) => {
    const server = await serve([deploy], { origins: 'loopback' });
    const { status, headers } = await ask(server, { method: 'POST', path: '/deploy', headers: { origin } });
    expect([status, headers['access-control-allow-origin'], headers.vary]).toEqual([200, origin, 'Origin']);
  });

  test.each(others)('a page from %s may neither call the service nor read an answer', async (origin) => {
    const server = await serve([deploy], { origins: 'loopback' });
    const called = await ask(server, { method: 'POST', path: '/deploy', headers: { origin } });
    expect(called.status).toBe(403);
    expect(called.json).toMatchObject({ error: { code: 'SVC_S2107' } });
    const headers = { origin, 'access-control-request-method': 'POST' };
    const asked = await ask(server, { method: 'OPTIONS', path: '/deploy', headers });
    for (const answer of [called, asked])
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('a page whose domain resolves to this machine may not call the service', async () => {
    const server = await serve([deploy], { origins: 'loopback' });
    const statusFor = async (host: string) =>
      (await ask(server, { method: 'POST', path: '/deploy', headers: { host } })).status;
    expect(await statusFor('evil.example:8080')).toBe(403);
    expect(await statusFor('localhost:8080')).toBe(200);
    expect(await statusFor('powersync:8080')).toBe(200);
  });

  test.each(others)('a WebSocket from a page of %s is refused', async (origin) => {
    const server = await serve([], { origins: 'loopback', onUpgrade: () => expect.unreachable() });
    expect(await sendRaw(server, upgrade(origin))).toMatch(/^HTTP\/1.1 403 /);
  });

  test('a program may call the service, because it sends no origin', async () => {
    const server = await serve([deploy], { origins: 'loopback' });
    expect((await ask(server, { method: 'POST', path: '/deploy' })).status).toBe(200);
  });
});

test('a service with its own secrets answers pages and WebSockets from all sites', async () => {
  const server = await serve([deploy], {
    onUpgrade: (_, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  });
  const headers = { origin: 'https://app.example' };
  const answer = await ask(server, { method: 'POST', path: '/deploy', headers });
  expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, '*']);
  expect(await sendRaw(server, upgrade('https://app.example'))).toMatch(/^HTTP\/1.1 101 /);
});

describe('calls, preflights and upgrades agree on whether a page may call', () => {
  const named = [
    ...loopback,
    ...others,
    'https://app.example',
    'capacitor://localhost',
    'file://',
    undefined,
  ];
  const cases = (['any', 'loopback'] as const).flatMap((origins) =>
    named.map((origin) => [origins, origin] as const),
  );
  test.each(cases)('with origins %s, for a page from %s', async (origins, origin) => {
    const onUpgrade: Upgrade = (_, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    const server = await serve([deploy], { origins, onUpgrade });
    const headers: Record<string, string> = origin === undefined ? {} : { origin };
    const called = await ask(server, { method: 'POST', path: '/deploy', headers });
    const upgraded = await sendRaw(server, upgrade(origin));
    const shown = called.headers['access-control-allow-origin'];
    const isAllowed = origin === undefined || shown === '*' || shown === origin;
    expect(called.status).toBe(isAllowed ? 200 : 403);
    expect(upgraded).toMatch(isAllowed ? /^HTTP\/1.1 101 / : /^HTTP\/1.1 403 /);
    if (origins === 'any') expect(shown).toBe('*');
    if (origin === undefined) return;
    const preflight = { ...headers, 'access-control-request-method': 'POST' };
    const asked = await ask(server, { method: 'OPTIONS', path: '/deploy', headers: preflight });
    expect(asked.headers['access-control-allow-origin']).toBe(shown);
  });
});

test('secrets of examples are recognised by their prefix', () => {
  expect(isPublished('only-for-this-example')).toBe(true);
  expect(isPublished(Buffer.from('only-for-this-example-not-a-secret'))).toBe(true);
  expect(isPublished('another')).toBe(false);
});

describe('a route with local access', () => {
  const admin = (authorization: string | undefined): void => {
    if (authorization !== 'Bearer admin') throw new ServiceError('SVC_S2101');
  };
  test.each([
    ['a request from this machine', {}, 200],
    ['a client behind a proxy', { 'x-forwarded-for': '10.0.0.5' }, 401],
    ['a client behind a proxy that names only itself', { via: '1.1 proxy' }, 401],
    ['a client behind a proxy that names only the host', { 'x-forwarded-host': 'sync.example.com' }, 401],
    ['a client behind a proxy that has its own header for the address', { 'x-real-ip': '10.0.0.5' }, 401],
    ['a page of a site', { origin: 'https://evil.example' }, 401],
    ['a page whose domain resolves to this machine', { host: 'evil.example' }, 401],
    ['a client with a token', { 'x-forwarded-for': '10.0.0.5', authorization: 'Bearer admin' }, 200],
  ])('answers only this machine and clients with a token: %s', async (_, headers, status) => {
    const user = async () => expect.unreachable();
    const server = await serve([route({ path: '/metrics', access: 'local' })], { access: { admin, user } });
    expect((await ask(server, { path: '/metrics', headers })).status).toBe(status);
  });
});
