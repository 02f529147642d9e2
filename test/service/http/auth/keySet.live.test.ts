/** Key sets that are fetched over the network: the allowed addresses, and the refused answers. */
import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { download } from '../../../../server/service/http/auth/download.ts';
import { openUserTokens } from '../../../../server/service/http/auth/userTokens.ts';
import { keyPair, now, secret, token } from '../../../support/clients/tokens.ts';
import { recordLog } from '../../../support/processes/http.ts';
import { publish } from '../../../support/processes/publish.ts';

const settings = { rejectIpRanges: [], blockLocalKeySets: false };
const published = (...jwks: readonly object[]): string => JSON.stringify({ keys: jwks });
const rsa = keyPair('RS256', { kid: 'r1' }).jwk;
describe('a download', () => {
  test.each<[string, (response: ServerResponse) => void, RegExp | string]>([
    ['returns the text', (response) => response.end('text'), 'text'],
    ['fails for a status that is not 200', (response) => response.writeHead(500).end('text'), /status 500/],
    [
      'fails for a text that is too large',
      (response) => response.end('x'.repeat(1024 * 1024 + 1)),
      /too large/,
    ],
    [
      'fails for a text in tiny chunks',
      (response) => {
        for (let n = 0; n < 1_000; n += 1) response.write(' ');
        response.end();
      },
      /too many small pieces/,
    ],
    [
      'does not follow redirections in a circle',
      (response) => response.writeHead(302, { location: '/again' }).end(),
      /too many redirects/,
    ],
    [
      'does not follow a redirection to another protocol',
      (response) => response.writeHead(302, { location: 'file:///etc' }).end(),
      /protocol/,
    ],
    [
      'does not follow a redirection to a rejected address',
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
    [
      'a name that resolves to an address in a range',
      'http://localhost:1/',
      { rejectIpRanges: ['local'] },
      'SVC_S2203',
    ],
    ['a local address', 'http://localhost:1/', { blockLocalKeySets: true }, 'SVC_S2203'],
    ['an IPv6 address', 'http://[2606:4700::1]:1/', { blockLocalKeySets: true }, 'SVC_S2202'],
    [
      'an IPv4 address in IPv6 notation',
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

test('a token that another key verifies is accepted even if the key set is unreachable', async () => {
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

test('a token without a `kid` that a configured key verifies does not wait for a key set', async () => {
  const key = secret('a secret without a name');
  const clock = { now: () => now * 1000, steady: () => now * 1000, sleep: () => new Promise<void>(() => {}) };
  // The download has no time limit here, so a wait for the key set would never end.
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
  onTestFinished(() => timeout.mockRestore());
  const silent = await publish(() => undefined);
  const options = { keys: [key.jwk], keySetUris: [silent], audience: ['app'], ...settings };
  const verify = openUserTokens(options, { clock, log: recordLog() });
  expect(await verify(token(key))).toMatchObject({ id: 'user1' });
});
