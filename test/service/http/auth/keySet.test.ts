/** Fetched key sets: when and how often a key set is fetched, and which of its keys are used. */
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../../server/service/ground/errors.ts';
import { type KeySet, openKeySet, pauseAfter } from '../../../../server/service/http/auth/keySet.ts';
import { keyPair, now, secret } from '../../../support/clients/tokens.ts';
import { recordLog } from '../../../support/processes/http.ts';

const uri = 'https://auth.example.com/keys?secret=1';
const rules = { audience: ['app'], longestLife: 86_400 };
const settings = { rejectIpRanges: [], blockLocalKeySets: false };
const minute = 60_000;
const published = (...jwks: readonly object[]): string => JSON.stringify({ keys: jwks });
const rsa = keyPair('RS256', { kid: 'r1' }).jwk;

/** Opens a key set. The test controls its clock and its network. */
function setUp(answer: () => Promise<string>) {
  const world = { time: now * 1000, fetches: 0, waits: [] as (() => void)[], ended: 0 };
  const log = recordLog();
  const clock = {
    now: () => world.time,
    steady: () => world.time,
    sleep: (_: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        world.waits.push(resolve);
        signal?.addEventListener('abort', () => world.ended++);
      }),
  };
  const fetchText = async () => {
    world.fetches++;
    return answer();
  };
  const set = openKeySet({ uri, rules, settings, download: fetchText }, { clock, log });
  return { set, world, log };
}

const kidsOf = async (set: KeySet) => (await set.keys()).map(({ kid }) => kid);
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a key set', () => {
  test('is fetched when it is first needed, and only once for all waiting callers', async () => {
    const { set, world } = setUp(async () => published(rsa));
    expect(world.fetches).toBe(0);
    expect(await Promise.all([kidsOf(set), kidsOf(set)])).toEqual([['r1'], ['r1']]);
    expect(world.fetches).toBe(1);
    // No timer is left.
    expect(world.ended).toBe(2);
  });

  test('is used for five minutes, then refreshed in the background, and never used after an hour', async () => {
    let answer = async () => published(rsa);
    const { set, world } = setUp(() => answer());
    await set.keys();
    world.time += 5 * minute - 1;
    await set.keys();
    expect(world.fetches).toBe(1);
    answer = async () => Promise.reject(new Error('no network'));
    world.time += 1;
    const waits = world.waits.length;
    expect(await kidsOf(set)).toEqual(['r1']);
    expect(world.waits).toHaveLength(waits);
    expect(world.fetches).toBe(2);
    world.time += 55 * minute;
    await expect(set.keys()).rejects.toMatchObject({ code: 'SVC_S2204', status: 401 });
    answer = async () => published({ ...rsa, kid: 'r2' });
    world.time += minute;
    expect(await kidsOf(set)).toEqual(['r2']);
  });

  test('fails if there is no answer within the time limit', async () => {
    const { set, world } = setUp(() => new Promise(() => {}));
    const keys = set.keys();
    await settled();
    world.waits[0]?.();
    await expect(keys).rejects.toMatchObject({ code: 'SVC_S2204' });
  });

  test('that cannot be fetched is retried after growing pauses, and only the log has the reason', async () => {
    const { set, world, log } = setUp(async () => Promise.reject(new Error('ECONNREFUSED')));
    for (let i = 0; i < 5; i++) await expect(set.keys()).rejects.not.toThrow('ECONNREFUSED');
    expect(world.fetches).toBe(1);
    world.time += pauseAfter(1);
    await expect(set.keys()).rejects.toMatchObject({ code: 'SVC_S2204' });
    expect(world.fetches).toBe(2);
    expect(log.lines[0]?.message).toBe(
      'The key set https://auth.example.com/keys cannot be fetched, so tokens that need it are refused: ECONNREFUSED',
    );
  });

  test('whose address is blocked fails for this reason', async () => {
    const blocked = new ServiceError('SVC_S2203', 'The address is in a blocked range.');
    const { set } = setUp(async () => Promise.reject(blocked));
    await expect(set.keys()).rejects.toBe(blocked);
  });

  test.each([
    ['{}', 'The answer is not a key set.'],
    ['null', 'The answer is not a key set.'],
    ['{"keys":"r1"}', 'The answer is not a key set.'],
    ['keys', expect.stringContaining('JSON')],
  ])('is not used if the answer is %s, and the log has the reason', async (answer, reason) => {
    const { set, log } = setUp(async () => answer);
    await expect(set.keys()).rejects.toMatchObject({ code: 'SVC_S2204' });
    expect(log.lines[0]?.message.split(' are refused: ')[1]).toEqual(reason);
  });

  test('is fetched again for an unknown key: ten times in a burst, then once a minute', async () => {
    const { set, world } = setUp(async () => published(rsa));
    await set.keys();
    const askEachSecond = async (minutes: number): Promise<number> => {
      const before = world.fetches;
      for (let second = 0; second < minutes * 60; second++) {
        world.time += 1000;
        set.lookAgain();
        await settled();
      }
      return world.fetches - before;
    };
    expect(await askEachSecond(2)).toBe(10);
    expect(await askEachSecond(5)).toBe(5);
    expect([1, 2, 9, 10, 11, 50].map(pauseAfter)).toEqual([100, 200, 25_600, 51_200, minute, minute]);
  });

  test.each<[string, object, boolean]>([
    ['RSA', rsa, true],
    ['EC', keyPair('ES256', { kid: 'e' }).jwk, true],
    ['OKP', keyPair('Ed25519', { kid: 'o' }).jwk, true],
    ['a secret', secret('secret', { kid: 's' }).jwk, false],
    ['for encryption', { ...rsa, use: 'enc' }, false],
    ['for signatures', { ...rsa, use: 'sig' }, true],
    ['that may verify', { ...rsa, key_ops: ['verify'] }, true],
    ['that may only sign', { ...rsa, key_ops: ['sign'] }, false],
    ['whose operations are not a list', { ...rsa, key_ops: 5 }, false],
    ['of another algorithm', { ...rsa, alg: 'RSA-OAEP' }, false],
    ['that is broken', { kty: 'RSA', n: 5 }, false],
    ['null', null as never, false],
  ])('contains only keys that can verify a signature: %s', async (_, jwk, taken) => {
    const { set } = setUp(async () => published(jwk));
    expect(await set.keys()).toHaveLength(taken ? 1 : 0);
  });

  test.each(['', 'null', '[]', '{}', '{"keys":5}', '<html>'])(
    'is refused if the answer is %j',
    async (text) => {
      const { set } = setUp(async () => text);
      await expect(set.keys()).rejects.toMatchObject({ code: 'SVC_S2204' });
    },
  );
});
