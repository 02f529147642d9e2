import { describe, expect, test } from 'vitest';
import {
  isQuiet,
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
    expect(isQuiet({ disableSchemaDetection: 'sync.yaml' }, 'sync.yaml')).toBe(true);
    expect(isQuiet({ disableSchemaDetection: ours }, 'other/sync.yaml')).toBe(false);
    expect(isQuiet({}, 'sync.yaml')).toBe(false);
  });

  test('can ignore a file by a glob pattern', () => {
    const settings = { disableSchemaDetection: ['powersync/*.yaml'] };
    expect(isQuiet(settings, 'powersync/sync.yaml', (pattern) => pattern === 'powersync/*.yaml')).toBe(true);
    expect(isQuiet(settings, 'sync.yaml', () => false)).toBe(false);
  });
});

describe('A comment that names a schema', () => {
  const named = (text: string): string | undefined => {
    const place = schemaInModeline(text);
    return place && text.slice(place.start, place.end);
  };

  test('is found anywhere in the file', () => {
    const url = 'https://unpkg.com/@powersync/service-sync-rules/schema/sync_rules.json';
    expect(named(`# yaml-language-server: $schema=${url}\nstreams: {}\n`)).toBe(url);
    expect(named(`streams: {}\n  #yaml-language-server:  $schema=a.json # see\n`)).toBe('a.json');
  });

  test('is not found in other texts', () => {
    expect(named('# yaml-language-server: $schema=none\n')).toBeUndefined();
    expect(named('a: "# yaml-language-server: $schema=x"\n')).toBeUndefined();
    expect(named('streams: {}\n')).toBeUndefined();
  });
});
