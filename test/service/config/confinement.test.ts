/** A service config that may use only certain places, as on a developer's machine, and every way to escape from them. */
import { describe, expect, test } from 'vitest';
import { refusalOf, type SettingsInput, settingsOf } from '../../support/service/settings.ts';

const within: SettingsInput = { options: { within: ['/w'] } };
const variables = { PS_PLACE: '/home/ada/secret', PS_INSIDE: 'data' };

const embedded = (line: string): string =>
  `replication:\n  connections:\n    - type: embedded\n      ${line}\n`;
const storage = (path: string): string => `storage:\n  type: embedded\n  path: ${path}\n`;

const windows = process.platform === 'win32';

describe('a place outside is refused, with the line of its key', () => {
  test.each<[string, string, string, SettingsInput['links']?]>([
    ['data above the project', storage('../../victim'), '3'],
    ['data in an absolute folder', storage('/var/lib/victim'), '3'],
    ['data above the project, through a folder inside', storage('a/../../victim'), '3'],
    ['data in a folder with a similar name', storage('../w-other'), '3'],
    ['data from a variable', storage('!env PS_PLACE'), '3'],
    ['data behind a link', storage('data'), '3', { '/w/data': '/home/ada' }],
    ['data below a link', storage('build/data'), '3', { '/w/build': '/home/ada' }],
    ['an SQL file above the project', embedded('schema: ../x.sql'), '4'],
    ['one of several SQL files', embedded('schema: [a.sql, /etc/x.sql]'), '4'],
    ['an SQL file from a variable', embedded('schema: !env PS_PLACE'), '4'],
    ['a folder of scripts behind a link', embedded('schema: db'), '4', { '/w/db': '/home/ada/db' }],
    ['a sync config above the project', 'sync_config:\n  path: ../sync.yaml\n', '2'],
    ['a sync config under its older key', 'sync_rules:\n  path: /etc/passwd\n', '2'],
    [
      'a sync config behind a link',
      'sync_config: { path: sync.yaml }\n',
      '1',
      { '/w/sync.yaml': '/etc/passwd' },
    ],
    ['an alias of a path', 'x: &p ../out\nstorage:\n  type: embedded\n  path: *p\n', '4'],
    ['data with a link inside', storage('data'), '3', { '/w/data/source': '/home/ada' }],
  ])('%s', (_, text, place, links = {}) => {
    const given = { ...within, env: variables, links };
    const found = refusalOf(text, given).filter((line) => line.includes('SVC_S1111'));
    expect(found.map((line) => line.split(':')[0])).toEqual([place]);
    // The service runs in a container without this option, so the same config is accepted there.
    expect(refusalOf(text, { ...given, options: {} })).toEqual([]);
  });

  test('data of an embedded database next to another storage, and probe files, behind links', () => {
    const text = `storage: { type: postgresql, uri: "postgresql://a:b@c/d", sslmode: disable }\n${embedded('schema: a.sql')}`;
    const links = { '/w/.headwater': '/home/ada', '/w/.probes/poll': '/home/ada/.bashrc' };
    const found = refusalOf(text, { ...within, links });
    expect(
      found.map((line) => line.replace(/^.*SVC_S1111: /, '').split(/ (?:is outside|contains)/)[0]),
    ).toEqual(['The folder .headwater', 'The folder .probes, for `healthcheck`,']);
  });
});

describe('a config may use', () => {
  test.each<[string, string, SettingsInput['links']?]>([
    ['the usual folder', ''],
    ['a folder inside', storage('a/b')],
    ['a folder inside, by its absolute path', storage(windows ? 'a' : '/w/a')],
    ['a folder inside, through the folder above', storage('../w/a')],
    ['a folder whose name begins with dots', storage('..data')],
    ['a folder that is called ~', storage('~/data')],
    ['a folder from a variable', storage('!env PS_INSIDE')],
    ['a link to a place inside', storage('data'), { '/w/data': '/w/elsewhere' }],
    ['scripts inside', embedded('schema: [a.sql, db]')],
  ])('%s', (_, text, links = {}) => {
    expect(refusalOf(text, { ...within, env: variables, links })).toEqual([]);
  });

  test('a place outside that the user has allowed, but no place next to it', () => {
    const allowed = (path: string) => ({ options: { within: ['/w', path] } });
    expect(refusalOf(storage('/data/app'), allowed('/data/app'))).toEqual([]);
    expect(refusalOf(storage('/data/app/a'), allowed('/data/app'))).toEqual([]);
    expect(refusalOf(storage('/data'), allowed('/data/app'))).toHaveLength(1);
    expect(refusalOf(storage('/data/app2'), allowed('/data/app'))).toHaveLength(1);
  });

  test.runIf(windows)('only the drive of the project', () => {
    expect(refusalOf(storage('D:\\victim'), within)).toHaveLength(1);
  });
});

test('The message does not contain the value of a variable, because it may be a secret', () => {
  const [line = ''] = refusalOf(storage('!env PS_PLACE'), { ...within, env: variables });
  expect(line).not.toContain('secret');
  expect(line).toContain('`path` of `storage` is outside the project');
});

test('Without the option `within`, every place is allowed', () => {
  expect(settingsOf(storage('/data')).storage).toMatchObject({ type: 'embedded' });
});
