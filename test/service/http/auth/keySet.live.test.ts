/** Key sets that are fetched over the network: from where, and what of them is refused. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { download } from '../../../../server/service/http/auth/download.ts';
import { openUserTokens } from '../../../../server/service/http/auth/userTokens.ts';
import { keyPair, now, secret, token } from '../../../support/clients/tokens.ts';
import { recordLog } from '../../../support/processes/http.ts';

const settings = { rejectIpRanges: [], blockLocalKeySets: false };
const published = (...jwks: readonly object[]): string => JSON.stringify({ keys: jwks });
const rsa = keyPair('RS256', { kid: 'r1' }).jwk;
describe('a download', () => {
  test.each<[string, (response: ServerResponse) => void, RegExp | string]>([
    ['gives the text', (response) => response.end('text'), 'text'],
    ['fails for another status', (response) => response.writeHead(500).end('text'), /status 500/],
    ['fails for a text without end', (response) => response.end('x'.repeat(1024 * 1024 + 1)), /too large/],
    [
      'fails for a text in tiny chunks',
      (response) => {
        for (let n = 0; n < 1_000; n += 1) response.write(' ');
        response.end();
      },
      /too many small pieces/,
    ],
    [
      'follows no circle',
      (response) => response.writeHead(302, { location: '/again' }).end(),
      /again and again/,
    ],
    [
      'follows to no other protocol',
      (response) => response.writeHead(302, { location: 'file:///etc' }).end(),
      /protocol/,
    ],
    [
      'follows to no rejected address',
      (response) => response.writeHead(302, { location: 'http://10.1.2.3/' }).end(),
      /range/,
    ],
  ])('%s', async (_, respond, expected) => {
    const got = download(new URL(await publish(respond)), { ...settings, rejectIpRanges: ['10.0.0.0/8'] });
    if (typeof expected === 'string') expect(await got).toBe(expected);
    else await expect(got).rejects.toThrow(expected);
  });

  test.each([
    ['of a redirection', 302],
    ['of a failure', 500],
    ['of a key set', 200],
  ])('does not receive an endless body: %s', async (_, status) => {
    let sent = 0;
    const closed = new Promise<void>((resolve) => {
      void publish((response) => {
        const send = (): void => {
          sent += 64 * 1024;
          if (response.write(Buffer.alloc(64 * 1024))) setImmediate(send);
          else response.once('drain', send);
        };
        response.once('close', resolve).writeHead(status, { location: 'http://10.1.2.3/' });
        send();
      }).then((url) =>
        expect(download(new URL(url), { ...settings, rejectIpRanges: ['10.0.0.0/8'] })).rejects.toThrow(),
      );
    });
    await closed;
    expect(sent).toBeLessThan(50e6);
  });

  test.each([
    ['an address in a range', 'http://127.0.0.1:1/', { rejectIpRanges: ['127.0.0.0/8'] }, 'SVC_S2203'],
    ['a name that leads into a range', 'http://localhost:1/', { rejectIpRanges: ['local'] }, 'SVC_S2203'],
    ['what is local', 'http://localhost:1/', { blockLocalKeySets: true }, 'SVC_S2203'],
    ['an address of IPv6', 'http://[2606:4700::1]:1/', { blockLocalKeySets: true }, 'SVC_S2202'],
    [
      'IPv4 in the clothes of IPv6',
      'http://[::ffff:127.0.0.1]:1/',
      { rejectIpRanges: ['local'] },
      'SVC_S2203',
    ],
    ['an address written as a number', 'http://2130706433:1/', { rejectIpRanges: ['local'] }, 'SVC_S2203'],
  ])('is refused: %s', async (_, url, blocked, code) => {
    await expect(download(new URL(url), { ...settings, ...blocked })).rejects.toMatchObject({ code });
  });
});

test('a key that the provider rotated in is accepted at the second attempt', async () => {
  let keys = published(rsa);
  const url = await publish((response) => response.end(keys));
  const clock = {
    now: () => now * 1000,
    steady: () => now * 1000,
    sleep: () => new Promise<void>(() => {}),
  };
  const options = { keys: [], keySetUris: [url], audience: ['app'], ...settings };
  let time = now * 1000;
  const verify = openUserTokens(options, {
    clock: { ...clock, now: () => time, steady: () => time },
    log: recordLog(),
  });
  expect(await verify(token(keyPair('RS256', { kid: 'r1' })))).toMatchObject({ id: 'user1' });
  const rotated = keyPair('ES256', { kid: 'e2' });
  keys = published(rotated.jwk);
  time += 1000;
  await expect(verify(token(rotated))).rejects.toMatchObject({ code: 'SVC_S2101' });
  await expect
    .poll(() =>
      verify(token(rotated)).then(
        ({ id }) => id,
        () => 'refused',
      ),
    )
    .toBe('user1');
});

test('an unreachable key set is no reason to refuse what another key verifies', async () => {
  const key = secret('a secret without a name');
  const clock = {
    now: () => now * 1000,
    steady: () => now * 1000,
    sleep: () => new Promise<void>(() => {}),
  };
  const options = { keys: [key.jwk], keySetUris: ['http://127.0.0.1:1/'], audience: ['app'], ...settings };
  const verify = openUserTokens(options, { clock, log: recordLog() });
  expect(await verify(token(key))).toMatchObject({ id: 'user1' });
  const other = keyPair('RS256', { kid: 'r1' });
  const alone = openUserTokens({ ...options, keys: [] }, { clock, log: recordLog() });
  await expect(alone(token(other))).rejects.toMatchObject({ code: 'SVC_S2204', status: 401 });
});

test('a token without a `kid` that a key of our own verifies waits for no key set', async () => {
  const key = secret('a secret without a name');
  const clock = { now: () => now * 1000, steady: () => now * 1000, sleep: () => new Promise<void>(() => {}) };
  // A download that is never given up: a wait for the key set would never end.
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
  onTestFinished(() => timeout.mockRestore());
  const silent = await publish(() => undefined);
  const options = { keys: [key.jwk], keySetUris: [silent], audience: ['app'], ...settings };
  const verify = openUserTokens(options, { clock, log: recordLog() });
  expect(await verify(token(key))).toMatchObject({ id: 'user1' });
});

/** Answers every request so; gives the address of the key set. */
async function publish(respond: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => respond(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
}
