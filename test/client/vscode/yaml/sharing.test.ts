import { describe, expect, test } from 'vitest';
import { isQuiet, withoutQuiet, withQuiet } from '../../../../client/vscode/yaml/sharing.ts';

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
});
