import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { localConfig, namesSource, offersSource, placesInBase } from '../../../client/project/localConfig.ts';
import { variables } from '../../../client/project/localNames.ts';
import { loadSettings } from '../../../server/service/config/load.ts';

const env = {
  [variables.token]: 'token',
  [variables.key]: 'a2V5',
  PS_URI: 'postgresql://u:p@db/app',
  PS_K: 'b3Ro',
};
const noLinks = { real: (path: string) => path, firstLinkIn: () => undefined };
const place = { storage: '/data/here', port: 8081, source: { kind: 'configured', schema: [] } } as const;

function settingsOf(config: string) {
  const world = { env, folder: '/work', readFile: () => undefined, exists: () => true, ...noLinks };
  const configBase64 = Buffer.from(config).toString('base64');
  return loadSettings({ configBase64 }, world).settings;
}

describe('A service config is offered for the local service', () => {
  const connection = 'replication: { connections: [{ type: postgresql, uri: !env PS_URI }] }';

  test.each<[string, string, boolean]>([
    ['if it has a source', connection, true],
    ['not if it is the template of a hosted instance', '_type: cloud\nregion: us\n# replication: {}', false],
    ['not if its source belongs to a hosted instance', `_type: cloud\n${connection}`, false],
    ['not if its source is commented out', '_type: self-hosted\nreplication:\n  # connections: []', false],
    ['not if it belongs to another program', 'apiVersion: v1\nkind: Service', false],
    ['if it is not YAML, so that starting it reports the error', 'a: [', true],
  ])('%s', (_, text, isOffered) => {
    expect(offersSource(text)).toBe(isOffered);
  });

  test('with the embedded database if it has no source', () => {
    const config = localConfig('replication:\n  # connections: []', place);
    expect(settingsOf(config).connection).toMatchObject({ type: 'embedded' });
  });
});

describe('The config of the local service', () => {
  test('has an embedded database by default', () => {
    const settings = settingsOf(
      localConfig(undefined, { ...place, source: { kind: 'embedded', schema: ['/project/schema.sql'] } }),
    );
    expect(settings).toMatchObject({
      port: 8081,
      host: '127.0.0.1',
      connection: { type: 'embedded', schema: [{ path: resolve('/project/schema.sql') }] },
      storage: { type: 'embedded', path: resolve('/data/here') },
      api: { tokens: ['token'] },
      clientAuth: { audience: ['headwater-local'], keys: [{ kid: 'headwater-local' }] },
      probes: { files: false, http: true },
    });
    expect(settings.syncConfig).toBeUndefined();
  });

  test('keeps the source of a workspace config that has a value for `replication`', () => {
    expect(namesSource('replication: {}')).toBe(true);
    expect(namesSource('client_auth: {}')).toBe(false);
    expect(namesSource('replication:\n#  connections: []')).toBe(false);
  });

  const base = [
    'replication:',
    '  connections:',
    '    - { type: postgresql, uri: !env PS_URI, sslmode: disable }',
    'storage: { type: postgresql, uri: !env PS_OTHER }',
    'sync_config: { path: sync.yaml }',
    'port: 80',
    'api: { tokens: [!env PS_ADMIN] }',
    'client_auth:',
    '  audience: [app]',
    '  jwks: { keys: [{ kty: oct, alg: HS256, kid: own, k: !env PS_K }] }',
  ].join('\n');

  test('keeps the source and the client auth of the workspace config, and accepts deployments', () => {
    const settings = settingsOf(localConfig(base, place));
    expect(settings).toMatchObject({
      port: 8081,
      connection: { type: 'postgresql', hostname: 'db', database: 'app' },
      storage: { type: 'embedded' },
      api: { tokens: ['token'] },
      clientAuth: {
        audience: ['app', 'headwater-local'],
        keys: [{ kid: 'own' }, { kid: 'headwater-local' }],
      },
    });
    expect(settings.syncConfig).toBeUndefined();
  });

  test.each([
    ['a secret that is set', '{ secret: !env PS_K }', 'b3Ro'],
    ['a secret that is not set', '{ secret: !env PS_NONE }', undefined],
    ['a secret that only the host can look up', '{ secret_ref: jwt }', undefined],
  ])('reads the config of a hosted instance: %s', (_, value, secret) => {
    const hosted = `_type: cloud\nclient_auth:\n  supabase: true\n  supabase_jwt_secret: ${value}\n`;
    const local = localConfig(hosted, { ...place, isSet: (name) => name in env });
    expect(settingsOf(local).clientAuth.supabase?.secret).toBe(secret);
  });

  test('allows reading rows, unless the workspace config forbids it', () => {
    const debugApiOf = (text?: string) => settingsOf(localConfig(text, place)).connection.debugApi;
    expect(debugApiOf()).toBe(true);
    expect(debugApiOf(base)).toBe(true);
    expect(debugApiOf(base.replace('sslmode: disable', 'debug_api: false, sslmode: disable'))).toBe(false);
  });

  test.each([undefined, '', '# nothing\n', '- a list', base])(
    'refers to secrets by their variables, and never contains one: %j',
    (text) => {
      const config = localConfig(text, place);
      for (const secret of ['token', 'a2V5']) expect(config.split(/[\s:]+/)).not.toContain(secret);
      expect(settingsOf(config).api.tokens).toEqual(['token']);
    },
  );

  test.each<[string, string, string]>([
    [
      'jwks_uri: https://10.0.0.1/keys\n  jwks_reject_ip_ranges: [local]',
      'at an address',
      '/client_auth/jwks_uri',
    ],
    ['jwks_uri: !env PS_URI', 'must begin with https', '/client_auth/jwks_uri'],
    [
      'jwks_uri: https://a.example\n  jwks_reject_ip_ranges: [300.1.1.1]',
      'neither a range',
      '/client_auth/jwks_reject_ip_ranges',
    ],
  ])('is refused with a position in the workspace file: %s', (auth, sentence, pointer) => {
    const text = `port: 1\n\n\nreplication: {}\nclient_auth:\n  audience: [a]\n  ${auth}\n`;
    const places = placesInBase(text, place);
    const origin = JSON.stringify({ origin: 'my.yaml', name: 'my.yaml', places });
    const world = {
      env: { ...env, HEADWATER_CONFIG_ORIGIN: origin },
      folder: '/work',
      readFile: () => undefined,
      exists: () => true,
      ...noLinks,
    };
    const configBase64 = Buffer.from(localConfig(text, place)).toString('base64');
    expect(() => loadSettings({ configBase64 }, world)).toThrow(`my.yaml:${places[pointer]}`);
    expect(() => loadSettings({ configBase64 }, world)).toThrow(sentence);
    expect(places[pointer]).toMatch(/^[78]:/);
  });

  test('causes a warning with a position in the workspace file if a key has no effect', () => {
    const text = `port: 1\n\n\nreplication: {}\nclient_auth:\n  audience: [a]\n  issuer: me\n`;
    const places = placesInBase(text, place);
    const origin = JSON.stringify({ origin: 'my.yaml', name: 'my.yaml', places });
    const world = {
      env: { ...env, HEADWATER_CONFIG_ORIGIN: origin },
      folder: '/work',
      readFile: () => undefined,
      exists: () => true,
      ...noLinks,
    };
    const configBase64 = Buffer.from(localConfig(text, place)).toString('base64');
    const { warnings } = loadSettings({ configBase64 }, world);
    expect(warnings.filter((warning) => warning.includes('issuer'))).toEqual([
      expect.stringMatching(/^my\.yaml:7:/),
    ]);
  });

  test('fails with a sentence if the file is not YAML', () => {
    expect(() => localConfig('a: [', place)).toThrow(/^service\.yaml is not valid YAML: /);
  });
});
