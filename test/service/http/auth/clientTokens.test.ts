import { decodeJwt, decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import { openClientTokens } from '../../../../server/service/http/auth/clientTokens.ts';
import { openUserTokens } from '../../../../server/service/http/auth/userTokens.ts';
import { keyPair, now, secret } from '../../../support/clients/tokens.ts';
import { recordLog } from '../../../support/processes/http.ts';

const clock = { now: () => now * 1000 + 999 };
const audience = ['app', 'other'];
const named = secret('a secret of some length', { kid: 'k1' });

test('A token is signed for five minutes, and the service accepts it', async () => {
  const sign = openClientTokens({ keys: [named.jwk], audience }, clock);
  const signed = await sign?.('ada', { role: 'admin', sub: 'eve', exp: 1 });
  const token = signed?.token ?? '';
  expect(signed?.expiresAt).toBe((now + 300) * 1000);
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT', kid: 'k1' });
  expect(decodeJwt(token)).toEqual({
    sub: 'ada',
    role: 'admin',
    iat: now,
    exp: now + 300,
    aud: 'app',
    iss: 'headwater',
  });
  const settings = {
    keys: [named.jwk],
    keySetUris: [],
    audience,
    rejectIpRanges: [],
    blockLocalKeySets: false,
  };
  const verify = openUserTokens(settings, {
    clock: { ...clock, steady: clock.now, sleep: () => expect.unreachable() },
    log: recordLog(),
  });
  expect(await verify(token)).toMatchObject({ id: 'ada' });
});

test.each([undefined, 5])('A key with the kid %s signs tokens without a kid', async (kid) => {
  const sign = openClientTokens({ keys: [{ ...named.jwk, kid }], audience }, clock);
  expect(decodeProtectedHeader((await sign?.('ada', {}))?.token ?? '')).not.toHaveProperty('kid');
});

test.each([
  ['a public key', [keyPair('ES256').jwk]],
  ['a public key that has a value like a secret', [{ ...keyPair('RS256').jwk, alg: undefined, k: 'x' }]],
  ['a secret without a value', [{ ...named.jwk, k: undefined }]],
  ['a secret for another algorithm', [{ ...named.jwk, alg: 'RS256' }]],
  ['no key', []],
])('No token is signed with %s', (_, keys) => {
  expect(openClientTokens({ keys, audience }, clock)).toBeUndefined();
});

test('No token is signed if no audience is accepted', () => {
  expect(openClientTokens({ keys: [named.jwk], audience: [] }, clock)).toBeUndefined();
});

test('The first secret that can sign is used, even if it names no algorithm', async () => {
  const { alg: _, ...plain } = named.jwk as typeof named.jwk & { alg?: string };
  const other = secret('another secret', { kid: 'k2', alg: 'HS512' });
  const sign = openClientTokens({ keys: [keyPair('ES256').jwk, plain, other.jwk], audience }, clock);
  expect(decodeProtectedHeader((await sign?.('ada', {}))?.token ?? '')).toMatchObject({
    alg: 'HS256',
    kid: 'k1',
  });
});
