/** A value of any style is changed in its source, and nothing else in the source changes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../../server/engine/text/edit.ts';
import { span } from '../../../server/engine/text/span.ts';
import type { YamlNode, YamlScalar } from '../../../server/engine/yaml/nodes.ts';
import { readYaml } from '../../../server/engine/yaml/read.ts';
import { editScalar } from '../../../server/engine/yaml/scalarEdits.ts';

const sources: readonly (readonly [style: string, source: string])[] = [
  ['plain', 'a: SELECT x FROM y # note\nb: 1\n'],
  ['plain in lines', 'a: SELECT x\n  FROM y\n\n  WHERE z\nb: 1\n'],
  ['plain in a list', 'l:\n  - SELECT x FROM y\n  - z\n'],
  ['single', "a: 'SELECT ''x'' FROM y'\nb: 1\n"],
  ['double', 'a: "SELECT \\x41 \\"q\\" \\\n  FROM y"\nb: 1\n'],
  ['literal', 'a: |\n  SELECT x\n    FROM y\n\n  WHERE z\nb: 1\n'],
  ['literal with indicators', 'a: |2-\n     SELECT x\n   FROM y\nb: 1\n'],
  ['folded', 'a: >-\n  SELECT x\n  FROM y\n\n    WHERE z\n  AND w\nb: 1\n'],
  ['flow', 'm: { a: SELECT x FROM y, b: [ "1", two ] }\n'],
  ['tagged and anchored', 'a: !t &n SELECT x FROM y\nb: 1\n'],
];

const pieces = fc.constantFrom(
  '',
  'z',
  ' AND y',
  "'a: b'",
  ' #c',
  '"Q"',
  '\\',
  '\n',
  '\n-- c\n',
  'ä',
  '{',
  ', ',
  ']',
  "it''s",
);

describe.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
])('With %s', (_, lineEnd) => {
  test.each(sources)('any edit of a %s value can be written', (_style, source) => {
    const text = source.replaceAll('\n', lineEnd);
    const reading = readYaml(text);
    const scalar = scalarIn(reading.root as YamlNode);
    fc.assert(
      fc.property(fc.nat(), fc.nat(), pieces, (a, b, inserted) => {
        const [start, end] = [a % (scalar.text.length + 1), b % (scalar.text.length + 1)].sort(
          (x, y) => x - y,
        );
        const edits = [{ span: span(start ?? 0, end ?? 0), text: inserted }];
        const made = editScalar(reading, scalar, edits);
        const wanted = applyEdits(scalar.text, edits);
        expect(made, wanted).toBeDefined();
        const after = readYaml(applyEdits(text, made ?? []));
        expect(after.findings).toEqual([]);
        expect(valuesOf(after.root as YamlNode)).toEqual(
          valuesOf(reading.root as YamlNode).map((value) => (value === scalar.text ? wanted : value)),
        );
      }),
      { seed: 7, numRuns: 60 },
    );
  });
});

test('small edits stay small, and keep the style', () => {
  const text = "a: 'SELECT ''b'''\n";
  const reading = readYaml(text);
  const made = editScalar(reading, scalarIn(reading.root as YamlNode), [{ span: span(8, 9), text: "'c" }]);
  expect(made).toEqual([{ span: span(13, 14), text: "''c" }]);
});

test('a plain value that YAML would cut off becomes a block', () => {
  const reading = readYaml('a: SELECT x FROM y\n');
  const made = editScalar(reading, scalarIn(reading.root as YamlNode), [
    { span: span(13, 13), text: 'y: #' },
  ]);
  expect(applyEdits(reading.text, made ?? [])).toBe('a: |-\n  SELECT x FROMy: # y\n');
});

/** Returns the first scalar that contains SQL. */
function scalarIn(root: YamlNode): YamlScalar {
  const found = scalarsOf(root).find(({ text }) => text.includes('SELECT'));
  if (!found) throw new Error('There is none.');
  return found;
}

function valuesOf(root: YamlNode): string[] {
  return scalarsOf(root).map(({ text }) => text);
}

function scalarsOf(node: YamlNode): YamlScalar[] {
  switch (node.kind) {
    case 'scalar':
      return [node];
    case 'alias':
      return [];
    case 'sequence':
      return node.items.flatMap(scalarsOf);
    case 'map':
      return node.pairs.flatMap(({ key, value }) => [...scalarsOf(key), ...scalarsOf(value)]);
  }
}
