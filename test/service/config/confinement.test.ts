/** A service config that may use certain places only, as on a developer's machine, and every way out of them. */
import { describe, expect, test } from 'vitest';
import { refusalOf, type SettingsInput, settingsOf } from '../../support/service/settings.ts';

const within: SettingsInput = { options: { within: ['/w'] } };
const variables = { PS_PLACE: '/home/ada/secret', PS_INSIDE: 'data' };

const embedded = (line: string): string =>
  `replication:\n  connections:\n    - type: embedded\n      ${line}\n`;
const storage = (path: string): string => `storage:\n  type: embedded\n  path: ${path}\n`;

const windows = process.platform === 'win32';

describe('is refused, with the line of the key', () => {
  test.each<[string, string, string, SettingsInput['links']?]>([
    ['data above the project', storage('../../victim'), '3'],
    ['data in an absolute folder', storage('/var/lib/victim'), '3'],
    ['data above, by way of a folder inside', storage('a/../../victim'), '3'],
    ['data beside a project of a similar name', storage('../w-other'), '3'],
    ['data from a variable', storage('!env PS_PLACE'), '3'],
    ['data behind a link', storage('data'), '3', { '/w/data': '/home/ada' }],
    ['data below a link', storage('build/data'), '3', { '/w/build': '/home/ada' }],
    ['an SQL file above', embedded('schema: ../x.sql'), '4'],
    ['one of several', embedded('schema: [a.sql, /etc/x.sql]'), '4'],
    ['an SQL file from a variable', embedded('schema: !env PS_PLACE'), '4'],
    ['a folder of scripts behind a link', embedded('schema: db'), '4', { '/w/db': '/home/ada/db' }],
    ['a sync config above', 'sync_config:\n  path: ../sync.yaml\n', '2'],
    ['one under its older name', 'sync_rules:\n  path: /etc/passwd\n', '2'],
    ['one behind a link', 'sync_config: { path: sync.yaml }\n', '1', { '/w/sync.yaml': '/etc/passwd' }],
    ['an alias of a path', 'x: &p ../out\nstorage:\n  type: embedded\n  path: *p\n', '4'],
    ['data with a link inside', storage('data'), '3', { '/w/data/source': '/home/ada' }],
  ])('%s', (_, text, place, links = {}) => {
    const given = { ...within, env: variables, links };
    const found = refusalOf(text, given).filter((line) => line.includes('SVC_S1111'));
    expect(found.map((line) => line.split(':')[0])).toEqual([place]);
    // The option is absent in a container, where the service runs.
    expect(refusalOf(text, { ...given, options: {} })).toEqual([]);
  });

  test('data of an embedded database beside another storage, and files of probes, behind links', () => {
    const text = `storage: { type: postgresql, uri: "postgresql://a:b@c/d", sslmode: disable }\n${embedded('schema: a.sql')}`;
    const links = { '/w/.headwater': '/home/ada', '/w/.probes/poll': '/home/ada/.bashrc' };
    const found = refusalOf(text, { ...within, links });
    expect(found.map((line) => line.replace(/^.*SVC_S1111: /, '').split(/ (?:leads|contains)/)[0])).toEqual([
      'The folder .headwater',
      'The folder .probes, for `healthcheck`,',
    ]);
  });
});

describe('runs', () => {
  test.each<[string, string, SettingsInput['links']?]>([
    ['the usual folder', ''],
    ['a folder inside', storage('a/b')],
    ['a folder inside, by its whole path', storage(windows ? 'a' : '/w/a')],
    ['a folder inside, by way of one above', storage('../w/a')],
    ['a folder whose name begins with dots', storage('..data')],
    ['a folder that is called ~', storage('~/data')],
    ['a folder from a variable', storage('!env PS_INSIDE')],
    ['a link to a place inside', storage('data'), { '/w/data': '/w/elsewhere' }],
    ['scripts inside', embedded('schema: [a.sql, db]')],
  ])('%s', (_, text, links = {}) => {
    expect(refusalOf(text, { ...within, env: variables, links })).toEqual([]);
  });

  test('a place outside that the user has allowed, and nothing beside it', () => {
    const allowed = (path: string) => ({ options: { within: ['/w', path] } });
    expect(refusalOf(storage('/data/app'), allowed('/data/app'))).toEqual([]);
    expect(refusalOf(storage('/data/app/a'), allowed('/data/app'))).toEqual([]);
    expect(refusalOf(storage('/data'), allowed('/data/app'))).toHaveLength(1);
    expect(refusalOf(storage('/data/app2'), allowed('/data/app'))).toHaveLength(1);
  });

  test.runIf(windows)('no other drive', () => {
    expect(refusalOf(storage('D:\\victim'), within)).toHaveLength(1);
  });
});

test('The message has no value, which may be a secret', () => {
  const [line = ''] = refusalOf(storage('!env PS_PLACE'), { ...within, env: variables });
  expect(line).not.toContain('secret');
  expect(line).toContain('`path` of `storage` leads out of the project');
});

test('Without places, the config decides', () => {
  expect(settingsOf(storage('/data')).storage).toMatchObject({ type: 'embedded' });
});
