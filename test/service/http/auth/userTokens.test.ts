/** Tokens of clients: valid ones, and the check that each invalid one fails. */
import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ClientAuthSettings } from '../../../../server/service/config/settings.ts';
import { ServiceError } from '../../../../server/service/ground/errors.ts';
import type { World } from '../../../../server/service/ground/world.ts';
import type { Download } from '../../../../server/service/http/auth/download.ts';
import { openUserTokens } from '../../../../server/service/http/auth/userTokens.ts';
import {
  type KeyKind,
  keyPair,
  now,
  type Signer,
  secret,
  signedText,
  token,
} from '../../../support/clients/tokens.ts';
import { type LogLine, recordLog } from '../../../support/processes/http.ts';

const key = secret('a secret of some length', { kid: 'k1' });

function opened(
  settings: Partial<ClientAuthSettings>,
  lines: LogLine[] = [],
  world: Partial<World> & { readonly download?: Download } = {},
) {
  const all = {
    keys: [],
    keySetUris: [],
    audience: ['app', 'other app'],
    rejectIpRanges: [],
    blockLocalKeySets: false,
  };
  const clock = { now: () => now * 1000, steady: () => now * 1000, sleep: () => expect.unreachable() };
  const log = recordLog();
  log.lines.push = (...added) => lines.push(...added);
  return openUserTokens({ ...all, ...settings }, { clock, log, ...world });
}

const verify = opened({ keys: [key.jwk] });

/** Signs with the secret of `key`, but with another algorithm. */
function hmac(alg: string): Signer {
  const sign = (data: string) =>
    createHmac(`sha${alg.slice(2)}`, 'a secret of some length')
      .update(data)
      .digest();
  return { ...key, alg, sign };
}

/** Returns the code with which verification fails; undefined if it succeeds. */
async function codeOf(verified: Promise<unknown>): Promise<string | undefined> {
  try {
    await verified;
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status: 401 });
    return (error as ServiceError).code.replace('SVC_', '');
  }
}

describe('claims', () => {
  test.each<[string, object, string | undefined]>([
    ['that are valid', {}, undefined],
    ['without sub', { sub: undefined }, 'S2101'],
    ['with an empty sub', { sub: '' }, undefined],
    ['whose sub is null', { sub: null }, undefined],
    ['without iat', { iat: undefined }, 'S2101'],
    ['whose iat is as far ahead as clocks may differ', { iat: now + 60 }, undefined],
    ['whose iat is in the future', { iat: now + 61 }, 'S2101'],
    ['issued and expiring in ten years', { iat: now + 315_360_000, exp: now + 315_363_600 }, 'S2101'],
    ['without exp', { exp: undefined }, 'S2101'],
    ['whose exp is text', { exp: String(now + 60) }, 'S2101'],
    ['whose exp has a fraction', { exp: now + 60.5 }, undefined],
    ['that expired a minute ago', { iat: now - 100, exp: now - 60 }, undefined],
    ['that expired earlier', { iat: now - 100, exp: now - 61 }, 'S2103'],
    ['valid for a day', { exp: now + 86_400 }, undefined],
    ['valid for more than a day', { exp: now + 86_401 }, 'S2104'],
    ['without aud', { aud: undefined }, 'S2105'],
    ['whose aud is of another service', { aud: 'another' }, 'S2105'],
    ['whose aud is a list with ours', { aud: ['another', 'other app'] }, undefined],
    ['whose aud is an empty list', { aud: [] }, 'S2105'],
    ['whose aud is a number', { aud: 5 }, 'S2105'],
    ['whose nbf is as far ahead as clocks may differ', { nbf: now + 60 }, undefined],
    ['whose nbf is in the future', { nbf: now + 61 }, 'S2101'],
    ['whose nbf is text', { nbf: 'x' }, 'S2101'],
    ['whose parameters are an object', { parameters: { a: 1 } }, undefined],
    ['whose parameters are text', { parameters: 'x' }, 'S2101'],
    ['with additional claims', { role: 'admin', deep: { a: [1] } }, undefined],
  ])('%s', async (_, claims, code) => {
    expect(await codeOf(verify(token(key, claims)))).toBe(code);
  });

  test.each<[string, readonly string[], object, string]>([
    ['no aud', ['app'], { aud: undefined }, 'The token has no `aud`.'],
    ['another aud', ['app'], { aud: 'another' }, 'none of `aud` is accepted'],
    ['an aud, although none is configured', [], {}, 'no audience is configured'],
  ])('with %s are refused for this reason', async (_, audience, claims, reason) => {
    await expect(opened({ keys: [key.jwk], audience })(token(key, claims))).rejects.toThrow(reason);
  });
});

test.each([
  ['iat and exp', '"iat":1e999,"exp":1e999'],
  ['exp', `"iat":${now},"exp":1e999`],
  ['iat, negative', `"iat":-1e999,"exp":${now + 60}`],
  ['nbf, negative', `"iat":${now},"exp":${now + 60},"nbf":-1e999`],
  ['exp as a whole number', `"iat":${now},"exp":1${'0'.repeat(400)}`],
])('a time that is too large for a number is refused: %s', async (_, times) => {
  expect(await codeOf(verify(signedText(key, `{"sub":"user1","aud":"app",${times}}`)))).toBe('S2101');
});

describe('an invalid token is refused', () => {
  const [head, payload, signature] = token(key).split('.');
  const notAToken = 'is not a JWT';
  const notAccepted = 'an algorithm that is not accepted';
  const wrong = 'The signature of the token is wrong';

  test.each<[string, string, string]>([
    ['garbage', 'xyz', notAToken],
    ['parts that are not JSON', 'abc.def.ghi', notAToken],
    ['four parts', `${token(key)}.x`, notAToken],
    ['five parts', `${token(key)}.x.y`, notAToken],
    ['two parts', `${head}.${payload}`, notAToken],
    ['an empty text', '', notAToken],
    ['no signature', `${head}.${payload}.`, wrong],
    ['a signature that is too long', `${token(key)}A`, wrong],
    ['a signature of other letters', `${head}.${payload}.${'é'.repeat(signature?.length ?? 0)}`, wrong],
    ['a signature with other letters of base64', `${token(key)}=`, wrong],
    ['another signature', `${head}.${payload}.${signature?.slice(1)}A`, wrong],
    [
      'a signature of as many letters, one of another alphabet',
      `${head}.${payload}.${signature?.slice(1)}é`,
      wrong,
    ],
    ['a signature of more bytes', `${head}.${payload}.${signature}AAAA`, wrong],
    ['another payload', `${head}.${Buffer.from('{"sub":"root"}').toString('base64url')}.${signature}`, wrong],
    ['alg none', signedText({ ...key, alg: 'none', sign: () => Buffer.alloc(0) }, '{}'), notAccepted],
    ['an alg that is a list', token(key, {}, { alg: ['HS256'] }), notAccepted],
    ['another algorithm than that of the key', token(hmac('HS512')), 'different algorithms'],
    ['an extension that must be understood', token(key, {}, { crit: ['x'], x: 1 }), 'cannot be verified'],
    ['a payload that is not JSON', signedText(key, 'text'), 'not JSON'],
    ['a payload that is a list', signedText(key, '[]'), 'not an object'],
    ['a payload that is not UTF-8', signedText(key, Buffer.from([0xff])), 'not UTF-8'],
    ['a kid that is not a text, as without a kid', token(key, {}, { kid: 5 }), 'names no key'],
    ['the kid of no key', token(key, {}, { kid: 'unknown' }), 'No key has the `kid`'],
  ])('%s', async (_, text, reason) => {
    await expect(verify(text)).rejects.toMatchObject({
      code: 'SVC_S2101',
      message: expect.stringContaining(reason),
    });
  });
});

describe('a user', () => {
  test('has the id from `sub`, and the claims exactly as they were signed', async () => {
    const claims = `{ "sub": "user1", "aud": "app", "iat": ${now}, "exp": ${now + 60}, "n": 1.0, "big": 12345678901234567890 }`;
    expect(await verify(signedText(key, claims))).toEqual({ id: 'user1', claims, expiresAt: now + 60 });
  });

  test.each([
    ['5', '5'],
    ['12345678901234567890', '12345678901234567890'],
    ['true', 'true'],
    ['null', 'null'],
    ['{"a": [1.0]}', '{"a":[1.0]}'],
  ])('whose `sub` is %s has the id %s', async (sub, id) => {
    const claims = `{"sub":${sub},"aud":"app","iat":${now},"exp":${now + 60}}`;
    expect(await verify(signedText(key, claims))).toMatchObject({ id });
  });
});

describe('algorithms', () => {
  test.each<KeyKind>(['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'Ed25519', 'Ed448'])(
    '%s',
    async (kind) => {
      const pair = keyPair(kind, { kid: 'pair' });
      const check = opened({ keys: [pair.jwk] });
      expect(await codeOf(check(token(pair)))).toBeUndefined();
      const forged: Signer = {
        ...pair,
        sign: (data) => Buffer.from(pair.sign(data).map((byte) => byte ^ 1)),
      };
      await expect(check(token(forged))).rejects.toThrow('The signature of the token is wrong.');
      const extended = token(pair, {}, { crit: ['x'], x: 1 });
      await expect(check(extended)).rejects.toThrow('The token cannot be verified.');
    },
  );

  test.each(['HS256', 'HS384', 'HS512'])('%s', async (alg) => {
    const { jwk } = secret('a secret of some length', { kid: 'k1', alg: undefined });
    const check = opened({ keys: [jwk] });
    const signer = hmac(alg);
    expect(await codeOf(check(token(signer)))).toBeUndefined();
    const forged: Signer = {
      ...signer,
      sign: (data) => Buffer.from(signer.sign(data).map((byte) => byte ^ 1)),
    };
    expect(await codeOf(check(token(forged)))).toBe('S2101');
  });

  test('a public key is never used as a secret', async () => {
    const pair = keyPair('RS256', { kid: 'k1', alg: undefined });
    const key = createPublicKey({ key: pair.jwk as JsonWebKey, format: 'jwk' });
    const forms = [
      JSON.stringify(pair.jwk),
      String(pair.jwk.n),
      ...(['spki', 'pkcs1'] as const).flatMap((type) => [
        key.export({ type, format: 'pem' }),
        key.export({ type, format: 'der' }),
      ]),
    ];
    const check = opened({ keys: [pair.jwk] });
    for (const form of forms) {
      const forged = { ...secret(form), jwk: { kty: 'oct', kid: 'k1' } };
      expect(await codeOf(check(token(forged)))).toBe('S2101');
    }
  });

  test('a key without `alg` accepts all algorithms of its family', async () => {
    const pair = keyPair('RS256', { alg: undefined });
    const check = opened({ keys: [pair.jwk] });
    expect(await codeOf(check(token({ ...keyPair('RS256'), alg: 'RS256' })))).toBeUndefined();
    expect(await codeOf(check(token(keyPair('ES256'))))).toBe('S2101');
  });
});

describe('the key', () => {
  const named = key;
  const wild = secret('a wildcard secret');
  const check = opened({ keys: [named.jwk, wild.jwk] });

  test.each<[string, string, string | undefined]>([
    ['with the kid of the token is used', token(named), undefined],
    ['with the kid of the token is the only one that is used', token(wild, {}, { kid: 'k1' }), 'S2101'],
    ['without a kid is used for a token without a kid', token(wild), undefined],
    ['without a kid is used for an unknown kid', token(wild, {}, { kid: 'unknown' }), undefined],
    ['with a kid is not used for a token without a kid', token(named, {}, { kid: undefined }), 'S2101'],
  ])('%s', async (_, text, code) => {
    expect(await codeOf(check(text))).toBe(code);
  });

  test('may be one of several with the same kid', async () => {
    const other = secret('another secret', { kid: 'k1' });
    const both = opened({ keys: [other.jwk, named.jwk] });
    expect(await codeOf(both(token(named)))).toBeUndefined();
  });

  test('whose id is not a text counts as a key without an id', async () => {
    const numbered = { ...wild.jwk, kid: 5 };
    expect(await codeOf(opened({ keys: [numbered] })(token(wild)))).toBeUndefined();
  });

  test('may be a secret of one byte', async () => {
    const short = secret('x');
    expect(await codeOf(opened({ keys: [short.jwk] })(token(short)))).toBeUndefined();
  });

  test.each<[string, string, { readonly kty: string; readonly [name: string]: unknown }]>([
    ['2', 'RSA', { kty: 'RSA', kid: 'a', n: '!', e: 'AQAB' }],
    ['`$.keys[7]`', 'RSA', { kty: 'RSA', n: '!', e: 'AQAB', place: '`$.keys[7]`' }],
    ['2', 'EC', { ...keyPair('ES256').jwk, crv: 'P-999' }],
    ['2', 'unknown', { kty: 'unknown' }],
    ['2', 'oct', { kty: 'oct' }],
    ['2', 'oct', { kty: 'oct', k: '' }],
  ])('must be able to verify: key %s (%s)', (which, kty, broken) => {
    expect(() => opened({ keys: [named.jwk, broken] })).toThrow(
      `Key ${which} of \`client_auth.jwks.keys\` (${kty}) is not a key that tokens can be verified with.`,
    );
  });

  test('is required: without one, every token is refused for this reason', async () => {
    await expect(opened({})(token(named))).rejects.toMatchObject({ code: 'SVC_S2201', status: 401 });
  });
});

describe('a token', () => {
  const named = keyPair('RS256', { kid: 'r1' });
  const other = keyPair('ES256', { kid: 'e1' });
  const anonymous = keyPair('ES384');

  /** Opens key sets with these keys. A set without keys cannot be fetched. Returns also the number of fetches, and of waits. */
  function withSets(
    sets: readonly (readonly Signer[] | undefined)[],
    settings: Partial<ClientAuthSettings> = {},
  ) {
    const count = { fetches: 0, waits: 0 };
    let time = now * 1000;
    const clock = {
      now: () => now * 1000,
      // Each question comes a minute after the previous one, so that no attempt is too early.
      steady: () => {
        time += 60_000;
        return time;
      },
      sleep: () => {
        count.waits++;
        return new Promise<void>(() => {});
      },
    };
    const download = async ({ host }: URL): Promise<string> => {
      count.fetches++;
      const keys = sets[Number(host.slice(1))];
      if (keys === undefined) throw new ServiceError('SVC_S2203', `${host} is blocked.`);
      return JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });
    };
    const keySetUris = sets.map((_, index) => `https://s${index}/`);
    return { check: opened({ keySetUris, ...settings }, [], { clock, download }), count };
  }

  test.each<[string, readonly (readonly Signer[] | undefined)[], string]>([
    ['the only set', [[named]], token(named)],
    ['the second set', [[other], [named]], token(named)],
    ['a set beside one that cannot be fetched', [undefined, [named]], token(named)],
    ['a set, without a kid', [[named, anonymous]], token(anonymous)],
    [
      'a set, without a kid, although the token has one',
      [[named, anonymous]],
      token(anonymous, {}, { kid: 'x' }),
    ],
  ])('may be signed with a key of %s', async (_, sets, text) => {
    expect(await codeOf(withSets(sets).check(text))).toBeUndefined();
  });

  test('whose kid is in a set is not verified with a key without a kid', async () => {
    const text = token(anonymous, {}, { kid: 'r1' });
    await expect(withSets([[named, anonymous]]).check(text)).rejects.toThrow('different algorithms');
  });

  test('with an unknown kid is refused because of the first set that cannot be fetched', async () => {
    await expect(withSets([[other], undefined, undefined]).check(token(named))).rejects.toMatchObject({
      code: 'SVC_S2203',
      message: 's1 is blocked.',
    });
    await expect(withSets([[other]]).check(token(named))).rejects.toMatchObject({ code: 'SVC_S2101' });
  });

  test('with an unknown kid makes the service look for new keys, and one without a kid does not', async () => {
    const { check, count } = withSets([[other]]);
    await codeOf(check(token(other)));
    const before = count.fetches;
    await codeOf(check(token(keyPair('RS256'))));
    expect(count.fetches).toBe(before);
    await codeOf(check(token(named)));
    expect(count.fetches).toBe(before + 1);
  });

  test('without a kid may be signed with a key of a set, although the service config has such a key', async () => {
    const { check } = withSets([[anonymous]], { keys: [secret('a wildcard secret').jwk] });
    expect(await codeOf(check(token(anonymous)))).toBeUndefined();
  });

  test('does not cause the first fetch, so that the log has a wrong address from the start', () => {
    expect(withSets([[named]]).count.fetches).toBe(1);
  });

  test('that a key of the service config has signed does not wait for a set', async () => {
    const wild = secret('a wildcard secret');
    const { check, count } = withSets([undefined], { keys: [wild.jwk, key.jwk] });
    for (const signer of [wild, key]) expect(await codeOf(check(token(signer)))).toBeUndefined();
    expect(count.waits).toBe(0);
    expect(await codeOf(check(token(named)))).toBe('S2101');
    expect(count.waits).toBe(1);
  });

  test('may be signed with a key of the set of Supabase, whose audience it then has', async () => {
    const supabase = { keySetUri: 'https://s0/' };
    const { check } = withSets([[named]], { keySetUris: [], supabase });
    expect(await codeOf(check(token(named, { aud: 'authenticated' })))).toBeUndefined();
    expect(await codeOf(check(token(named)))).toBe('S2105');
  });
});

describe('Supabase', () => {
  const signer = secret('jwt secret as text');
  const week = 7 * 86_400 + 20 * 60;

  test.each<[string, object, string | undefined]>([
    ['has its own audience', { aud: 'authenticated' }, undefined],
    ['has no other audience', { aud: 'app' }, 'S2105'],
    ['may issue tokens for a week', { aud: 'authenticated', exp: now + week }, undefined],
    ['may not issue tokens for longer', { aud: 'authenticated', exp: now + week + 1 }, 'S2104'],
  ])('%s', async (_, claims, code) => {
    const supabase = opened({ supabase: { secret: 'jwt secret as text' }, audience: [] });
    expect(await codeOf(supabase(token(signer, claims)))).toBe(code);
  });
});

test('a failure of the service is not reported as a refused token', async () => {
  const lines: LogLine[] = [];
  const failure = new Error('The clock has failed.');
  const now = () => {
    throw failure;
  };
  const clock = { now, steady: () => 0, sleep: () => expect.unreachable() };
  await expect(opened({ keys: [key.jwk] }, lines, { clock })(token(key))).rejects.toBe(failure);
  expect(lines).toEqual([]);
});

test('the log names the failed check, and never contains the token', async () => {
  const lines: LogLine[] = [];
  const text = token(key, { aud: 'another' });
  const verifyWithLog = opened({ keys: [key.jwk] }, lines);
  await expect(verifyWithLog(text)).rejects.toThrow();
  expect(lines).toEqual([
    {
      level: 'info',
      message:
        'A token was refused: The token is for another service: none of `aud` is accepted (`client_auth.audience`).',
      facts: { code: 'SVC_S2105', kid: 'k1', alg: 'HS256' },
    },
  ]);
  lines.length = 0;
  await expect(
    verifyWithLog(token(key, {}, { alg: 'A'.repeat(99), kid: 'k'.repeat(999) })),
  ).rejects.toThrow();
  await expect(verifyWithLog(token(key, {}, { alg: 'A', kid: 5 }))).rejects.toThrow();
  await expect(verifyWithLog(token(key, {}, { alg: 5, kid: 'k' }))).rejects.toThrow();
  expect(lines.map(({ facts }) => facts)).toEqual([
    { code: 'SVC_S2101', kid: 'k'.repeat(100), alg: 'A'.repeat(20) },
    { code: 'SVC_S2101', alg: 'A' },
    { code: 'SVC_S2101', kid: 'k' },
  ]);
  const [head, payload, signature = ''] = text.split('.');
  const refused = [
    text,
    signature,
    `${head}.${signature}`,
    `${head}.${payload}.${signature}A`,
    `${head}.${payload}.${signature}.${signature}`,
    token(secret('another secret', { kid: 'k1' })),
    token(keyPair('RS256', { kid: 'k1' })),
    token(key, {}, { kid: 'unknown' }),
    token(key, {}, { crit: ['x'], x: 1 }),
    token(key, { exp: now - 100 }),
    token(key, { sub: undefined }),
    signedText(key, 'no JSON at all'),
  ];
  for (const each of refused) {
    lines.length = 0;
    const reason = await verifyWithLog(each).then(
      () => expect.unreachable(),
      (error: Error) => error.message,
    );
    for (const part of each.split('.').filter((one) => one.length > 10))
      expect(`${reason} ${JSON.stringify(lines)}`).not.toContain(part);
  }
});
