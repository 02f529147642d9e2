import { describe, expect, test } from 'vitest';
import { targetFromCli, targetFromService } from '../../../../client/vscode/targets/fromFiles.ts';
import { targetsFromSettings } from '../../../../client/vscode/targets/fromSettings.ts';
import { loadedInstead } from '../../../../client/vscode/targets/loaded.ts';
import type { Target } from '../../../../client/vscode/targets/target.ts';

describe('Targets', () => {
  test('are read from the settings, with a token from a variable or a stored token', () => {
    const value = [
      { name: 'staging', url: 'https://sync.example', tokenVariable: 'STAGING_TOKEN', ca: 'ca.pem' },
      { name: 'test', url: 'http://10.0.0.1' },
    ];
    expect(targetsFromSettings(value, 'user')).toMatchObject([
      { name: 'staging', token: { kind: 'variable', name: 'STAGING_TOKEN' }, ca: 'ca.pem' },
      { name: 'test', token: { kind: 'stored' } },
    ]);
  });

  test.each([undefined, 'staging', [null, 7, {}, { name: ' ', url: 'http://a' }, { name: 'a', url: 3 }]])(
    'are not read from %j',
    (value) => {
      expect(targetsFromSettings(value, 'user')).toEqual([]);
    },
  );

  const env = { PS_URL_HERE: 'https://b.example', PS_PORT: '9000' };

  test('are read from cli.yaml', () => {
    const text = 'type: self-hosted\napi_url: http://localhost:8080\napi_key: !env PS_MY_KEY\n';
    expect(targetFromCli(text, 'powersync/cli.yaml', env)).toEqual({
      id: 'file:powersync/cli.yaml',
      name: 'localhost:8080',
      kind: 'remote',
      url: 'http://localhost:8080',
      token: { kind: 'variable', name: 'PS_MY_KEY' },
      origin: 'powersync/cli.yaml',
    });
    expect(targetFromCli('api_url: !env PS_URL_HERE\napi_key: secret', 'cli.yaml', env)).toMatchObject({
      url: 'https://b.example',
      token: { kind: 'written', value: 'secret', file: 'cli.yaml' },
    });
    expect(targetFromCli(text, 'cli.yaml', { PS_ADMIN_TOKEN: 'x' })).toMatchObject({
      token: { kind: 'variable', name: 'PS_ADMIN_TOKEN' },
    });
  });

  test.each(['type: cloud\napi_url: http://a', 'type: self-hosted', 'a: [', '', '7'])(
    'are not read from a cli.yaml with %j',
    (text) => {
      expect(targetFromCli(text, 'cli.yaml', {})).toBeUndefined();
    },
  );

  test('are read from service.yaml', () => {
    const text = 'replication: {}\nport: !env PS_PORT::number\napi: { tokens: [!env PS_ADMIN_TOKEN] }\n';
    expect(targetFromService(text, 'service.yaml', env)).toMatchObject({
      url: 'http://127.0.0.1:9000',
      token: { kind: 'variable', name: 'PS_ADMIN_TOKEN' },
    });
    expect(targetFromService('storage: {}', 'service.yaml', {})).toMatchObject({
      url: 'http://127.0.0.1:8080',
      token: { kind: 'stored' },
    });
  });

  test('are read from service.yaml with the file that defines its variables', () => {
    const text = 'storage: {}\napi: { tokens: [!env PS_ADMIN_TOKEN] }\n';
    expect(targetFromService(text, 'service.yaml', env, '/a/.env')).toMatchObject({
      token: { kind: 'variable', name: 'PS_ADMIN_TOKEN', envFile: '/a/.env' },
    });
  });

  const auth = (audience: string, ...keys: readonly string[]) =>
    `storage: {}\nclient_auth:\n  audience: ${audience}\n  jwks: { keys: [${keys.join(', ')}] }\n`;
  const keyOf = (text: string) =>
    targetFromService(text, 'service.yaml', { PS_CLIENT_KEY: 'c2VjcmV0' })?.clientKey;

  test('have the client key from the service config', () => {
    const others = '{ kty: RSA, kid: a, n: x, e: AQAB }';
    const key = '{ kty: oct, alg: HS512, kid: dev, k: !env PS_CLIENT_KEY }';
    expect(keyOf(auth('[app, dev]', others, key))).toEqual({
      kid: 'dev',
      alg: 'HS512',
      k: 'c2VjcmV0',
      audience: ['app', 'dev'],
    });
  });

  test.each([
    ['an algorithm that does not use a shared secret', auth('[app]', '{ kty: oct, alg: RS256, k: a }')],
    ['a variable that is not set', auth('[app]', '{ kty: oct, alg: HS256, k: !env NOT_SET }')],
    ['no audience', auth('[]', '{ kty: oct, alg: HS256, k: a }')],
    ['keys without a shared secret', auth('[app]', '{ kty: EC }', 'null')],
    ['an unexpected type', 'storage: {}\nclient_auth: [jwks]\n'],
  ])('have no client key if there is %s', (_, text) => {
    expect(keyOf(text)).toBeUndefined();
  });

  test.each([
    ['sync_config: { path: config/sync.yaml }', 'config/sync.yaml'],
    ['sync_rules: { path: !env PS_SYNC }', '/config/sync.yaml'],
    ["sync_config: { content: 'streams: {}' }", undefined],
    ['sync_config: sync.yaml', undefined],
  ])('contain the file that the service loads on its own: %s', (text, loads) => {
    const here = { PS_SYNC: '/config/sync.yaml' };
    expect(targetFromService(`storage: {}\n${text}\n`, 'service.yaml', here)?.loads).toBe(loads);
  });

  test.each([
    ['an address', 'api_url: https://a.example\napi_key: k', { isForeign: true, variables: [] }],
    ['an address on this machine', 'api_url: http://localhost:1\napi_key: !env SVC_KEY', undefined],
    ['an address that the user has set', 'api_url: !env PS_URL_HERE\napi_key: k', undefined],
    [
      'a variable of another tool',
      'api_url: http://localhost:1\napi_key: !env AWS_SECRET',
      { isForeign: false, variables: ['AWS_SECRET'] },
    ],
    [
      'an address in a variable of another tool',
      'api_url: !env HOOK\napi_key: k',
      { isForeign: true, variables: ['HOOK'] },
    ],
  ])('in cli.yaml need consent, depending on address and variables: %s', (_, text, expected) => {
    const target = targetFromCli(text, 'cli.yaml', { ...env, HOOK: 'https://hooks.example' });
    expect(target).toBeDefined();
    const { isForeign, variables } = target?.consent ?? {};
    expect(target?.consent && { isForeign, variables }).toEqual(expected);
  });

  test('in service.yaml need consent for variables of other tools', () => {
    const consentTo = (name: string) =>
      targetFromService(`storage: {}\napi: { tokens: [!env ${name}] }`, 'service.yaml', {})?.consent;
    expect(consentTo('AWS_SECRET')).toMatchObject({ isForeign: false, variables: ['AWS_SECRET'] });
    expect(consentTo('PS_TOKEN')).toBeUndefined();
    const strangeKey = auth('[app]', '{ kty: oct, alg: HS256, k: !env AWS_SECRET }');
    expect(
      targetFromService(strangeKey, 'service.yaml', { AWS_SECRET: 'c2VjcmV0' })?.clientKey,
    ).toBeUndefined();
  });

  test('in workspace settings need the same consent as files of the workspace', () => {
    const value = [{ name: 'a', url: 'https://a.example', tokenVariable: 'AWS_SECRET' }];
    const [own] = targetsFromSettings(value, 'user');
    const [theirs] = targetsFromSettings(value, 'folder');
    expect(own?.consent).toBeUndefined();
    expect(theirs?.consent).toMatchObject({ isForeign: true, variables: ['AWS_SECRET'] });
  });

  test.each(['apiVersion: v1\nkind: Service', 'replication: {}\nport: none', ''])(
    'are not read from a service.yaml with %j',
    (text) => {
      expect(targetFromService(text, 'service.yaml', {})).toBeUndefined();
    },
  );
});

describe('The file that a service loads on its own', () => {
  const loading = (loads: string | undefined, origin = 'powersync/service.yaml'): Target => ({
    id: 'a',
    name: 'a',
    kind: 'remote',
    token: { kind: 'stored' },
    origin,
    ...(loads !== undefined && { loads }),
  });

  test.each([
    ['sync.yaml', 'powersync/sync.yaml'],
    ['./sync.yaml', 'sync.yaml'],
    ['../sync.yaml', 'sync.yaml'],
    ['powersync/sync.yaml', 'powersync/sync.yaml'],
    ['..\\Sync\\sync.yaml', 'sync/Sync.yaml'],
    ['caf\u00e9.yaml', 'cafe\u0301.yaml'],
    ['/config/sync.yaml', 'powersync/sync.yaml'],
    [undefined, 'other.yaml'],
  ])('%s can be the file %s', (loads, shown) => {
    expect(loadedInstead(loading(loads), shown)).toBeUndefined();
  });

  test.each([
    ['sync.yaml', 'other/sync.yaml'],
    ['sync.yaml', 'powersync/other/sync.yaml'],
    ['config/sync.yaml', 'sync.yaml'],
    ['/config/sync-rules.yaml', 'sync.yaml'],
  ])('%s is not the file %s', (loads, shown) => {
    expect(loadedInstead(loading(loads), shown)).toBe(loads);
  });
});
