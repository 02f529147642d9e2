import { describe, expect, test } from 'vitest';
import { completionsAt, labelsAt, offerOf, taken } from '../../support/engine/completions.ts';

const streamKeys = [
  'query',
  'queries',
  'with',
  'auto_subscribe',
  'priority',
  'accept_potentially_dangerous_queries',
];

describe('Keys of a sync config', () => {
  test('are a whole config and then the sections in an empty file', () => {
    expect(labelsAt('<|>')).toEqual([
      'sync config',
      'config',
      'streams',
      'with',
      'bucket_definitions',
      'event_definitions',
    ]);
  });

  test('at the top exclude existing keys, and keys that the edition does not have', () => {
    expect(labelsAt('config:\n  edition: 3\n<|>\nstreams: {}\n')).toEqual(['with', 'event_definitions']);
    expect(labelsAt('config:\n  edition: 2\n<|>')).toEqual([
      'streams',
      'bucket_definitions',
      'event_definitions',
    ]);
  });

  test.each([
    ['on a line of their own', 'config:\n  edition: 3\nstreams:\n  mine:\n    <|>\n'],
    ['in a word', 'config:\n  edition: 3\nstreams:\n  mine:\n    que<|>\n'],
    [
      'before another stream',
      'config:\n  edition: 3\nstreams:\n  mine:\n    <|>\n  other:\n    query: SELECT 1\n',
    ],
    ['with CRLF', 'config:\r\n  edition: 3\r\nstreams:\r\n  mine:\r\n    <|>\r\n  other: {}\r\n'],
    ['in braces', 'config: { edition: 3 }\nstreams: { mine: { <|> } }\n'],
    ['in braces that are not closed', 'config: { edition: 3 }\nstreams: { mine: { que<|>'],
    [
      'in a file with tabs and nonsense',
      'config:\n  edition: 3\n\tx\nstreams:\n  mine:\n    <|>\n  ]]: {{\n',
    ],
  ])('are offered in a stream, %s', (_, drawing) => {
    expect(labelsAt(drawing)).toEqual(streamKeys);
  });

  test('do not include `queries` in a stream with a query', () => {
    const labels = labelsAt('config:\n  edition: 3\nstreams:\n  mine:\n    query: SELECT 1\n    <|>');
    expect(labels).toEqual(streamKeys.slice(2));
  });

  test('of a bucket definition begin with the required one', () => {
    const drawing = 'bucket_definitions:\n  mine:\n    <|>';
    expect(labelsAt(drawing).slice(0, 2)).toEqual(['data', 'parameters']);
    expect(offerOf(drawing, 'data').detail).toBe('required');
  });

  test('replace the word, and keep its colon', () => {
    expect(taken('config:\n  edi<|>: 3\n', 'edition')).toBe('  edition: 3');
    expect(taken('con<|>', 'config')).toBe('config:\n  ');
  });

  test('are inserted with the next line, a dash, or the value that is not the default', () => {
    const at = (label: string) => taken('config:\n  edition: 3\nstreams:\n  mine:\n    <|>', label);
    expect(at('with')).toBe('    with:\n  ');
    expect(at('queries')).toBe('    queries:\n  - ');
    expect(at('auto_subscribe')).toBe('    auto_subscribe: true');
  });

  test('are whole streams below `streams`', () => {
    const labels = labelsAt('config:\n  edition: 3\nstreams:\n  <|>\n');
    expect(labels).toEqual(['stream', 'stream for everyone', 'stream with a parameter']);
  });

  test('are not offered in comments', () => {
    expect(labelsAt('config:\n  # edi<|>\n')).toEqual([]);
    expect(labelsAt('config:\n  edition: 3 # <|>\n')).toEqual([]);
  });

  test('are not offered automatically while a line is being indented', () => {
    const drawing = 'config:\n  <|>';
    expect(labelsAt(drawing, { typed: ' ' })).toEqual([]);
    expect(labelsAt('config:\n  edition: <|>', { typed: ' ' })).toEqual(['3', '2', '1']);
    expect(labelsAt(drawing)).toContain('edition');
  });

  test('have documentation on request', () => {
    expect(offerOf('config:\n  <|>', 'edition').docs?.()).toContain('Default: `1`.');
  });
});

describe('Values', () => {
  test('are those of the schema, with the default last', () => {
    expect(labelsAt('config:\n  edition: <|>\n')).toEqual(['3', '2', '1']);
    expect(labelsAt('streams:\n  mine:\n    auto_subscribe: <|>')).toEqual(['true', 'false']);
  });

  test('replace the existing value, and add a missing space', () => {
    expect(taken('config:\n  timestamp_max_precision: sec<|>onds\n', 'milliseconds')).toBe(
      '  timestamp_max_precision: milliseconds',
    );
    expect(taken('config:\n  edition:<|>\n', '3')).toBe('  edition: 3');
  });

  test('of an empty list start with a dash', () => {
    expect(labelsAt('bucket_definitions:\n  mine:\n    data:\n      <|>')).toEqual(['- ']);
  });
});

describe('In a service config', () => {
  const environmentNames = () => ['PS_URI', 'HOME', 'PS_PORT'];
  const service = (lines: string) => `=== service.yaml\nreplication:\n  connections:\n${lines}`;

  test('the console is true, false, or a map', () => {
    const at = (lines: string) => labelsAt(`${service('')}${lines}`);
    expect(at('console: <|>\n')).toEqual(['true', 'false', '!env PS_…']);
    expect(at('console:\n  <|>\n')).toEqual(['hosts']);
    expect(at('console:\n  hosts:\n    - <|>\n')).toContain('sync.example.com');
  });

  test('keys of a connection are those of its type', () => {
    const labels = labelsAt(service('    - type: postgresql\n      <|>'));
    expect(labels).toContain('sslmode');
    expect(labels).not.toContain('type');
    expect(labelsAt(service('    - <|>'))).toEqual(['type']);
  });

  test('the type of a connection can be chosen', () => {
    expect(labelsAt(service('    - type: <|>'))).toContain('postgresql');
  });

  test('the type of a connection is found even after the cursor', () => {
    expect(labelsAt(service('    - <|>\n      type: postgresql\n'))).toContain('sslmode');
  });

  test('only the variables that services accept are offered, without their values', () => {
    const drawing = service('    - type: postgresql\n      uri: !env <|>');
    expect(labelsAt(drawing, { environmentNames })).toEqual(['PS_URI', 'PS_PORT']);
  });

  test('a variable is inserted with its tag, and with its type if it is not text', () => {
    const uri = service('    - type: postgresql\n      uri: <|>');
    expect(taken(uri, '!env PS_URI', { environmentNames })).toBe('      uri: !env PS_URI');
    const lives = '=== service.yaml\nreplication: {}\ntelemetry:\n  disable_telemetry_sharing: <|>\n';
    expect(labelsAt(lives, { environmentNames })).toContain('!env PS_URI::boolean');
  });

  test('the path of a sync config excludes its content', () => {
    expect(labelsAt('=== service.yaml\nsync_config:\n  path: a.yaml\n  <|>')).toEqual([
      'exit_on_error',
      'version_label',
    ]);
  });
});

test('In an ignore comment, the codes of the file are offered first, and errors are never offered', () => {
  const drawing =
    'config: { edition: 3 }\nstreams:\n  # headwater-ignore <|>\n  a: { query: SELECT id AS b FROM t }\n';
  const labels = labelsAt(drawing);
  expect(labels[0]).toBe('missing-id');
  expect(labels).toContain('unused-cte');
  expect(labels).not.toContain('yaml-syntax');
});

test('A foreign file has no completions', () => {
  expect(completionsAt('=== powersync.yaml\napiVersion: v1\nkind: Service\n<|>')).toEqual([]);
});
