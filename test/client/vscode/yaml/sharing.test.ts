import { describe, expect, test } from 'vitest';
import {
  formerEntries,
  isQuiet,
  type NamedFiles,
  quietEntries,
  schemaInModeline,
  withoutQuiet,
  withQuiet,
} from '../../../../client/vscode/yaml/sharing.ts';

const ours = ['sync.yaml', 'powersync/service.yaml'];
const tag = '!env scalar';

describe('The settings of the YAML extension', () => {
  test('contain our files and our tag exactly once', () => {
    const expected = { disableSchemaDetection: ours, customTags: [tag] };
    expect(withQuiet({}, ours)).toEqual(expected);
    expect(withQuiet(expected, ours)).toEqual(expected);
  });

  test('keep the entries of the user, also if they are a single string', () => {
    const settings = { disableSchemaDetection: 'chart/*.yaml', customTags: ['!Ref'] };
    expect(withQuiet(settings, ours)).toEqual({
      disableSchemaDetection: ['chart/*.yaml', ...ours],
      customTags: ['!Ref', tag],
    });
  });

  test('are restored when the change is undone', () => {
    const before = { disableSchemaDetection: ['chart/*.yaml'], customTags: ['!Ref'] };
    expect(withoutQuiet(withQuiet(before, ours), ours)).toEqual(before);
  });

  test('count as empty if they are not lists', () => {
    expect(withQuiet({ disableSchemaDetection: 5, customTags: null }, [])).toEqual({
      disableSchemaDetection: [],
      customTags: [tag],
    });
  });

  test('determine which of our files the YAML extension ignores', () => {
    const only = (known: string) => (pattern: string) => pattern === known;
    expect(isQuiet({ disableSchemaDetection: 'sync.yaml' }, only('**/sync.yaml'))).toBe(true);
    expect(isQuiet({ disableSchemaDetection: ['/a/sync.yaml'] }, only('**/a/sync.yaml'))).toBe(true);
    expect(isQuiet({ disableSchemaDetection: ours }, only('**/other.yaml'))).toBe(false);
    expect(isQuiet({ disableSchemaDetection: [5] }, () => true)).toBe(false);
    expect(isQuiet({}, () => true)).toBe(false);
  });

  test('can exclude a file from what the YAML extension ignores', () => {
    const settings = { disableSchemaDetection: ['*.yaml', '!sync.yaml'] };
    expect(isQuiet(settings, () => true)).toBe(false);
    expect(isQuiet(settings, (pattern) => pattern === '**/*.yaml')).toBe(true);
  });
});

describe('The entries for our files', () => {
  const sync: NamedFiles = { pattern: '**/sync*.yaml', ours: ['sync.yaml'], hasOthers: false };
  const service: NamedFiles = { pattern: '**/service.yaml', ours: ['a/service.yaml'], hasOthers: true };

  test('are patterns, so that later files are included, but paths where other programs have such files', () => {
    expect(quietEntries([sync, service])).toEqual(['**/sync*.yaml', 'a/service.yaml']);
    expect(quietEntries([{ ...sync, hasOthers: true }])).toEqual(['sync.yaml']);
  });

  test('name each file once', () => {
    const active = { pattern: '', ours: ['sync.yaml', 'a/service.yaml'], hasOthers: true };
    expect(quietEntries([sync, service, active])).toEqual(['**/sync*.yaml', 'a/service.yaml']);
  });

  test('take a path literally', () => {
    const odd = { pattern: '', ours: ['app/[id] (copy)/sync.yaml'], hasOthers: true };
    expect(quietEntries([odd])).toEqual(['app/?id? ?copy?/sync.yaml']);
  });

  test('are all removed, also if other programs have such files by now', () => {
    const settings = withQuiet({}, quietEntries([sync, service]));
    const now = [{ ...sync, hasOthers: true }, service];
    expect(withoutQuiet(settings, formerEntries(now))).toEqual({
      disableSchemaDetection: [],
      customTags: [],
    });
  });
});

describe('A comment that names a schema', () => {
  const named = (text: string): string | undefined => {
    const place = schemaInModeline(text);
    return place && text.slice(place.start, place.end);
  };

  test('is found at the top of the file, in each of its forms', () => {
    const url = 'https://unpkg.com/@powersync/service-sync-rules/schema/sync_rules.json';
    expect(named(`# yaml-language-server: $schema=${url}\nstreams: {}\n`)).toBe(url);
    expect(named(`# yaml-language-server: $schema: ${url}\r\nstreams: {}\r\n`)).toBe(url);
    expect(named(`# $schema: ${url}\nstreams: {}\n`)).toBe(url);
    expect(named(`%YAML 1.2\n---\n# Ours\n\n  #  yaml-language-server:  $schema=a.json # see\na: 1\n`)).toBe(
      'a.json',
    );
    expect(named('# $schema: a.json')).toBe('a.json');
  });

  test('is not found in other texts', () => {
    expect(named('# yaml-language-server: $schema=none\n')).toBeUndefined();
    expect(named('#yaml-language-server: $schema=a.json\n')).toBeUndefined();
    expect(named('a: "# yaml-language-server: $schema=x"\n')).toBeUndefined();
    expect(named('streams: {}\n# yaml-language-server: $schema=a.json\n')).toBeUndefined();
    expect(named('streams: {}\n')).toBeUndefined();
  });
});
