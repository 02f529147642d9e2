/** The choice of the service config, the sync config and the variables. */
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { load, refusal, type SettingsInput, settingsOf } from '../../support/service/settings.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const ports = {
  'a.yaml': 'port: 1001',
  'b.json': '{"port": 1002}',
  'powersync.yaml': 'port: 1003',
  'service.yaml': 'port: 1004',
};

describe('the service config comes', () => {
  test.each<[string, SettingsInput, number]>([
    ['from Base64 before all', { options: { configBase64: base64('port: 1'), configPath: 'a.yaml' } }, 1],
    [
      'from Base64 in a variable before a path',
      { options: { configPath: 'a.yaml' }, env: { POWERSYNC_CONFIG_B64: base64('port: 2') } },
      2,
    ],
    [
      'from a flag before a variable',
      { options: { configPath: 'a.yaml' }, env: { POWERSYNC_CONFIG_PATH: 'b.json' } },
      1001,
    ],
    ['from the path in a variable', { env: { POWERSYNC_CONFIG_PATH: 'b.json' } }, 1002],
    ['from an absolute path', { options: { configPath: '/w/a.yaml' } }, 1001],
    ['from powersync.yaml', {}, 1003],
    [
      'from powersync.yaml if the options and variables are empty',
      { options: { configBase64: '', configPath: '' }, env: { POWERSYNC_CONFIG_PATH: '' } },
      1003,
    ],
    ['from JSON in Base64', { options: { configBase64: base64('{"port":\t3}') } }, 3],
  ])('%s', (_, given, port) => {
    expect(load({ files: ports, ...given }).settings.port).toBe(port);
  });

  test('from service.yaml if there is nothing else', () => {
    expect(load({ files: { 'service.yaml': 'port: 1004' } }).settings.port).toBe(1004);
  });

  test('from nowhere, and an error lists the possible places', () => {
    expect(refusal(() => load({}))).toEqual([
      'There is no service config: name its file with --config, or write powersync.yaml or service.yaml in /w. It may be empty.',
    ]);
  });
});

describe('an invalid source is not skipped', () => {
  test.each<[string, SettingsInput, RegExp]>([
    ['a missing file', { options: { configPath: 'none.yaml' } }, /^There is no file none.yaml.$/],
    ['no Base64', { options: { configBase64: '*' } }, /^The service config in Base64 is not Base64.$/],
    [
      'broken YAML',
      { options: { configPath: 'a.yaml' }, files: { 'a.yaml': 'port: [' } },
      /a.yaml:1:7: This is not valid YAML/,
    ],
    [
      'YAML in a JSON file',
      { options: { configPath: 'b.json' }, files: { 'b.json': 'port: 1' } },
      /^b.json is not JSON/,
    ],
    [
      'a file that is not UTF-8',
      { files: { 'powersync.yaml': Uint8Array.of(0xff, 0xfe) } },
      /^powersync.yaml is not UTF-8.$/,
    ],
  ])('%s', (_, given, line) => {
    expect(refusal(() => load({ files: ports, ...given }))).toContainEqual(expect.stringMatching(line));
  });
});

test('a .env file fills in variables that are not set', () => {
  const files = { '.env': '# local\nPS_PORT="1001"\nPS_LOG_LEVEL=debug\nexport PS_TOKEN=abc\n' };
  const text = 'port: !env PS_PORT\napi: { tokens: [!env PS_TOKEN] }';
  const { port, logging, api } = settingsOf(text, { files, env: { PS_LOG_LEVEL: 'warn' } });
  expect({ port, level: logging.level, tokens: api.tokens }).toEqual({
    port: 1001,
    level: 'warn',
    tokens: ['abc'],
  });
});

describe('the sync config comes', () => {
  const both = 'sync_config: { path: sub/sync.yaml, content: "streams: {}", exit_on_error: false }';

  test.each<[string, string, SettingsInput, object | undefined]>([
    ['only from the API if there is none at the start', '', {}, undefined],
    [
      'from a path, which wins over content',
      both,
      {},
      {
        origin: resolve('/w', 'sub/sync.yaml'),
        from: { path: resolve('/w', 'sub/sync.yaml') },
        exitOnError: false,
      },
    ],
    [
      'from content',
      'sync_config: { content: "streams: {}" }',
      {},
      { origin: '`sync_config.content`', from: { content: 'streams: {}' }, exitOnError: true },
    ],
    [
      'by its older name',
      'sync_rules: { path: /abs/sync.yaml }',
      {},
      { origin: resolve('/abs/sync.yaml'), from: { path: resolve('/abs/sync.yaml') }, exitOnError: true },
    ],
    [
      'from Base64 before all',
      both,
      { options: { syncBase64: base64('a: 1') } },
      { origin: 'the sync config in Base64', from: { content: 'a: 1' }, exitOnError: false },
    ],
    [
      'from a variable',
      '',
      { env: { POWERSYNC_SYNC_CONFIG_B64: base64('a: 1'), POWERSYNC_SYNC_RULES_B64: base64('a: 2') } },
      {
        origin: 'the sync config in POWERSYNC_SYNC_CONFIG_B64',
        from: { content: 'a: 1' },
        exitOnError: true,
      },
    ],
    [
      'from the older variable',
      '',
      { env: { POWERSYNC_SYNC_RULES_B64: base64('a: 2') } },
      { origin: 'the sync config in POWERSYNC_SYNC_RULES_B64', from: { content: 'a: 2' }, exitOnError: true },
    ],
  ])('%s', (_, text, given, expected) => {
    expect(settingsOf(text, given).syncConfig).toEqual(expected);
  });

  test('from a path relative to the file of the service config', () => {
    const files = { 'deep/config.yaml': 'sync_config: { path: ../sync.yaml }\nstorage: { type: embedded }' };
    const { settings } = load({ files, options: { configPath: 'deep/config.yaml' } });
    expect(settings.syncConfig?.from).toEqual({ path: resolve('/w', 'sync.yaml') });
    expect(settings.storage).toEqual({ type: 'embedded', path: resolve('/w', 'deep/.headwater') });
  });

  test('from a path relative to the working directory if the service config is not a file', () => {
    const { settings } = load({ options: { configBase64: base64('sync_config: { path: sync.yaml }') } });
    expect(settings.syncConfig?.from).toEqual({ path: resolve('/w', 'sync.yaml') });
  });
});

test('flags win over the file', () => {
  const options = { port: 0, host: '0.0.0.0', role: 'api' };
  const { port, host, role } = settingsOf('port: 1\nhost: "::1"', {
    options,
    env: { PS_RUNNER_TYPE: 'sync' },
  });
  expect({ port, host, role }).toEqual({ port: 0, host: '0.0.0.0', role: 'api' });
});
