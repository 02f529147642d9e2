import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { YamlNode } from '../../../server/engine/yaml/nodes.ts';
import { type Part, readParts, sectionsOf } from '../../../server/engine/yaml/parts.ts';
import { readYaml } from '../../../server/engine/yaml/read.ts';
import { splitText } from '../../../server/engine/yaml/split.ts';
import { readExamples } from '../../support/engine/examples.ts';
import { casesOf } from '../../support/house/share.ts';
import { edited } from './edits.ts';

const divisible = new Set(['streams', 'bucket_definitions']);

function pieces(text: string): string[] {
  return splitText(text, divisible).map(({ base, end, path }) => [...path, text.slice(base, end)].join('/'));
}

test('Sections and the entries of divisible sections are pieces', () => {
  expect(
    pieces('config:\n  edition: 3\nstreams:\n  a:\n    query: x\n  b:\n    query: y\nwith:\n  c: z\n'),
  ).toEqual([
    'config:\n  edition: 3\n',
    'streams:\n',
    'streams/  a:\n    query: x\n',
    'streams/  b:\n    query: y\n',
    'with:\n  c: z\n',
  ]);
});

test('Comments and empty lines belong to the piece above', () => {
  expect(pieces('# top\nstreams: # all\n\n  # first\n  a: 1\n# second\n\n  b: 2\n')).toEqual([
    'streams: # all\n\n  # first\n',
    'streams/  a: 1\n# second\n\n',
    'streams/  b: 2\n',
  ]);
});

test('A line that does not look like an entry belongs to the entry above', () => {
  expect(pieces('streams:\n  a: {\n  }\n  [b]: c\n  "d": 1\n')).toEqual([
    'streams:\n',
    'streams/  a: {\n  }\n  [b]: c\n',
    'streams/  "d": 1\n',
  ]);
});

describe('A text is not split', () => {
  test.each([
    ['in flow style', '{streams: {a: 1}}'],
    ['that is a list', '- streams:\n- a'],
    ['with an indented root', '  streams:\n    a: 1\n'],
    ['with a second document', 'streams:\n  a: 1\n---\nstreams:\n'],
    ['with a directive', '%YAML 1.2\n---\nstreams:\n'],
    ['with an explicit key', 'streams:\n  a: 1\n  ? b\n  : c\n'],
    ['without content', '# nothing\n\n'],
  ])('%s', (_, text) => {
    expect(splitText(text, divisible)).toEqual([{ base: 0, end: text.length, path: [], heading: false }]);
  });
});

describe('A section is not split', () => {
  test.each([
    ['that is a list', 'streams:\n- a\n- b:\n  c: 1\n'],
    ['that has an anchor', 'streams: &x\n  a: 1\n  b: 2\n'],
    ['whose first entry is indented with a tab', 'streams:\n\ta: 1\n\tb: 2\n'],
    ['that is not divisible', 'with:\n  a: 1\n  b: 2\n'],
  ])('%s', (_, text) => {
    expect(splitText(text, divisible)).toHaveLength(1);
  });
});

test('The first piece starts after a byte order mark and a document start', () => {
  expect(splitText('\ufeff---\nstreams:\n  a: 1\n', divisible).map(({ base }) => base)).toEqual([5, 14]);
});

/** Returns the meaning of the whole file, assembled from its parts. */
function meaningOfParts(parts: readonly Part[]): unknown {
  return sectionsOf(parts).map(({ part, key, value, entries }) => [
    meaning(key, part.base),
    entries?.map((entry) => [meaning(entry.key, entry.part.base), meaning(entry.value, entry.part.base)]) ??
      meaning(value, part.base),
  ]);
}

function meaningOfWhole(text: string): unknown {
  const { root } = readYaml(text);
  if (root?.kind !== 'map') return [];
  return root.pairs.map(({ key, value }) => [
    meaning(key, 0),
    value.kind === 'map'
      ? value.pairs.map((pair) => [meaning(pair.key, 0), meaning(pair.value, 0)])
      : meaning(value, 0),
  ]);
}

/** Returns everything about a node, with places in the file. */
function meaning(node: YamlNode, base: number): unknown {
  const { anchor, tag } = node;
  const place = [node.span.start + base, node.span.end + base];
  switch (node.kind) {
    case 'alias':
      return [place, node.name];
    case 'scalar':
      return [place, anchor, tag, node.style, node.value, node.text];
    case 'sequence':
      return [place, anchor, tag, node.flow, node.items.map((item) => meaning(item, base))];
    case 'map':
      return [
        place,
        anchor,
        tag,
        node.flow,
        node.pairs.map(({ key, value }) => [meaning(key, base), meaning(value, base)]),
      ];
  }
}

function checkSame(text: string): void {
  const { parts } = readParts(text, divisible, undefined);
  const syntax = ({ code }: { code: string }) => code !== 'yaml-duplicate-key';
  const whole = readYaml(text).findings.some(syntax);
  const split = parts.some(({ reading }) => reading.findings.some(syntax));
  expect({ text, broken: split }).toEqual({ text, broken: whole });
  if (!whole) expect(meaningOfParts(parts)).toEqual(meaningOfWhole(text));
}

/** Short texts with every style and shape, so that a few edits are enough to combine them. */
const dense = [
  'streams:\n  a: "x"\n\n  b: \'y\'\n\n  c: {d: [e, "f"]}\n\n  g: |\n\n    h\n\n\n  i: >+\n    j\n\n     k\n\nwith: "l"\n\nm: n\n',
  'a: "b"\n\nstreams:\n\n  "c": "d\n\n    e"\n\n  f: &g\n    h\n\n  i: *g\n\n  ? j\n  : k\n\nbucket_definitions:\n  - l\n',
  "config: {a: 1,\n  b: 2}\n\nstreams:\n  c:\n    - d\n\n    - e: f\n      g: 'h\n\n        i'\n\n  j:\n  - k\n  l: !m\n    n\n",
  '# a\nstreams: # b\n  # c\n  d: "e # f" # g\n# h\n  i: j # k\n   # l\n  m: |- # n\n    # o\n   # p\n  q: r\n',
];

const examples = [...dense, ...readExamples().map(({ text }) => text)];

describe('A text has the same meaning split and whole', () => {
  test('for each example', () => {
    for (const text of examples) {
      checkSame(text);
      checkSame(text.replaceAll('\n', '\r\n'));
    }
  });

  test('for each prefix of some examples', () => {
    for (const text of examples.slice(0, 12))
      for (let end = 0; end < text.length; end++) checkSame(text.slice(0, end));
  });

  test('after random edits', () => {
    fc.assert(fc.property(fc.oneof(edited(dense), edited(examples)), checkSame), {
      numRuns: casesOf(1500),
      seed: 7,
    });
  });
});
