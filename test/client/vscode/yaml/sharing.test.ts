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
  test('name our files and our tag, once', () => {
    const expected = { disableSchemaDetection: ours, customTags: [tag] };
    expect(withQuiet({}, ours)).toEqual(expected);
    expect(withQuiet(expected, ours)).toEqual(expected);
  });

  test('keep what others wrote, also in another form', () => {
    const settings = { disableSchemaDetection: 'chart/*.yaml', customTags: ['!Ref'] };
    expect(withQuiet(settings, ours)).toEqual({
      disableSchemaDetection: ['chart/*.yaml', ...ours],
      customTags: ['!Ref', tag],
    });
  });

  test('are as before when it is taken back', () => {
    const before = { disableSchemaDetection: ['chart/*.yaml'], customTags: ['!Ref'] };
    expect(withoutQuiet(withQuiet(before, ours), ours)).toEqual(before);
  });

  test('that are no lists count as empty', () => {
    expect(withQuiet({ disableSchemaDetection: 5, customTags: null }, [])).toEqual({
      disableSchemaDetection: [],
      customTags: [tag],
    });
  });

  test('tell which of our files are left alone', () => {
    expect(isQuiet({ disableSchemaDetection: 'sync.yaml' }, 'sync.yaml')).toBe(true);
    expect(isQuiet({ disableSchemaDetection: ours }, 'other/sync.yaml')).toBe(false);
    expect(isQuiet({}, 'sync.yaml')).toBe(false);
  });

  test('leave a file alone by a glob pattern', () => {
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

  test('is found, wherever it is', () => {
    const url = 'https://unpkg.com/@powersync/service-sync-rules/schema/sync_rules.json';
    expect(named(`# yaml-language-server: $schema=${url}\nstreams: {}\n`)).toBe(url);
    expect(named(`streams: {}\n  #yaml-language-server:  $schema=a.json # see\n`)).toBe('a.json');
  });

  test('is none of these', () => {
    expect(named('# yaml-language-server: $schema=none\n')).toBeUndefined();
    expect(named('a: "# yaml-language-server: $schema=x"\n')).toBeUndefined();
    expect(named('streams: {}\n')).toBeUndefined();
  });
});
