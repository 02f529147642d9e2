/** The check of the keys that verify client tokens, with a real server for each answer that an identity provider can give. */
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { ClientAuthSettings } from '../../../../server/service/config/settings.ts';
import { downloadWithin } from '../../../../server/service/http/auth/download.ts';
import { checkClientKeys } from '../../../../server/service/http/auth/keyCheck.ts';
import { keyPair, secret } from '../../../support/clients/tokens.ts';
import { publish } from '../../../support/processes/publish.ts';

const settings: ClientAuthSettings = {
  keys: [],
  keySetUris: [],
  audience: ['app'],
  rejectIpRanges: [],
  blockLocalKeySets: false,
};
const rsa = keyPair('RS256', { kid: 'r1' }).jwk;
const ec = keyPair('ES256', { kid: 'e1' }).jwk;
const hidden = 'hunter2';
const withSecrets = (url: string): string => `${url.replace('://', `://user:${hidden}@`)}?key=${hidden}`;
const keySet = (...keys: readonly object[]) => JSON.stringify({ keys });

/** Returns the sentence about one key set, with the address of its server as `HOST`. */
async function verdict(answer: (response: ServerResponse) => void): Promise<string> {
  const url = await publish(answer);
  const { host } = new URL(url);
  return (await sentence({ keySetUris: [withSecrets(url)] })).replaceAll(host, 'HOST');
}

async function sentence(changes: Partial<ClientAuthSettings>): Promise<string> {
  const check = await checkClientKeys({ ...settings, ...changes });
  expect(JSON.stringify(check)).not.toContain(hidden);
  return check.state === 'ok'
    ? check.message
    : check.problems.map(({ code, cause }) => `${code} ${cause}`).join('\n');
}

describe('a key set', () => {
  const refused = 'The key set http://HOST/keys cannot be fetched, so tokens that need it are refused:';
  const unusable = 'No key of the key set http://HOST/keys can verify tokens (1 published)';
  test.each<[string, string, string]>([
    ['with a key', keySet(rsa), 'Tokens are verified with 1 key (RS256) of http://HOST/keys.'],
    ['with two keys', keySet(rsa, ec), 'Tokens are verified with 2 keys (RS256, ES256) of http://HOST/keys.'],
    [
      'with a key that may have several algorithms',
      keySet({ ...rsa, alg: undefined }),
      'Tokens are verified with 1 key (RS256, RS384, RS512) of http://HOST/keys.',
    ],
    ['that is HTML', '<html>hello</html>', `SVC_S2204 ${refused} The answer is not JSON.`],
    ['that is another JSON', '{"issuer":"x"}', `SVC_S2204 ${refused} The answer is not a key set.`],
    [
      'that is empty',
      keySet(),
      'SVC_S2201 The key set http://HOST/keys is empty, so tokens that need it are refused.',
    ],
    ['with a key of another algorithm', keySet({ ...rsa, alg: 'PS256' }), `SVC_S2201 ${unusable}`],
    ['with a key for encryption', keySet({ ...rsa, use: 'enc' }), `SVC_S2201 ${unusable}`],
    ['with a secret', keySet(secret(hidden).jwk), `SVC_S2201 ${unusable}`],
  ])('%s', async (_, answer, expected) => {
    expect(await verdict((response) => response.end(answer))).toContain(expected);
  });

  test('whose server reports an error', async () => {
    expect(await verdict((response) => response.writeHead(404).end(keySet(rsa)))).toBe(
      `SVC_S2204 ${refused} The answer has status 404.`,
    );
  });

  test('whose server ends the connection', async () => {
    expect(await verdict((response) => response.destroy())).toBe(
      `SVC_S2204 ${refused} The connection to HOST failed (ECONNRESET).`,
    );
  });

  test('at an address at which nothing listens', async () => {
    expect(await sentence({ keySetUris: [withSecrets('http://127.0.0.1:1/keys')] })).toBe(
      'SVC_S2204 The key set http://127.0.0.1:1/keys cannot be fetched, so tokens that need it are refused: Nothing listens at 127.0.0.1:1.',
    );
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['nothing', () => {}],
    ['only the beginning', (response) => response.write('{')],
  ])('whose server sends %s in time', async (_, answer) => {
    const url = await publish(answer);
    const check = await checkClientKeys({ ...settings, keySetUris: [url] }, (...asked) =>
      downloadWithin(100, ...asked),
    );
    expect(check).toMatchObject({
      state: 'failed',
      problems: [{ code: 'SVC_S2204', cause: expect.stringContaining('does not answer within 0.1 s.') }],
    });
  });

  test('at an address that the config rejects', async () => {
    const rejectIpRanges = ['local'];
    expect(await sentence({ keySetUris: ['http://localhost:1/keys'], rejectIpRanges })).toMatch(
      /^SVC_S2203 /,
    );
  });
});

describe('other forms', () => {
  const { jwk } = secret(hidden);

  test('a key in the service config needs no network', async () => {
    expect(await sentence({ keys: [jwk] })).toBe(
      'Tokens are verified with 1 key (HS256) of the service config.',
    );
  });

  test('each of several key sets is checked, also beside a key that works', async () => {
    const good = await publish((response) => response.end(keySet(rsa)));
    expect(await sentence({ keys: [jwk], keySetUris: [good] })).toBe(
      `Tokens are verified with 1 key (HS256) of the service config and 1 key (RS256) of ${good}.`,
    );
    expect(await sentence({ keys: [jwk], keySetUris: [good, 'http://127.0.0.1:1/keys'] })).toMatch(
      /^SVC_S2204 The key set http:\/\/127\.0\.0\.1:1\/keys cannot be fetched.*$/,
    );
  });

  test('no key, or no audience', async () => {
    expect(await sentence({})).toMatch(/^SVC_S2201 The service config names no key/);
    expect(await sentence({ keys: [jwk], audience: [] })).toMatch(
      /^SVC_S2105 The service config names no audience/,
    );
  });

  test('the empty key set of Supabase is right only if there is a secret', async () => {
    const keySetUri = await publish((response) => response.end(keySet()));
    expect(await sentence({ supabase: { keySetUri, secret: hidden }, audience: [] })).toBe(
      `Tokens are verified with 1 key (HS256) of the service config and 0 keys of ${keySetUri}.`,
    );
    expect(await sentence({ supabase: { keySetUri } })).toMatch(/^SVC_S2201 The key set .* is empty/);
  });
});
