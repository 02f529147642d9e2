/** A text that is read in pieces has the same nodes and findings as the undivided text. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readLargeYaml } from '../../../server/engine/yaml/large.ts';
import { readYaml } from '../../../server/engine/yaml/read.ts';
import { root } from '../../support/house/imports.ts';

const examples = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.yaml') && !path.includes('node_modules'))
  .map((path) => readFileSync(join(root, 'examples', path), 'utf8'));

const drawn = [
  'a: 1\nb:\n- x\n- y\nc: { d: 1,\n  e: [2,\n    3] }\n',
  'tests:\n  - name: a\n    holds: |\n      - b\n      c: d\n  # a comment\n  - { name: b }\n  -\n    name: c\n',
  'rows:\n  rooms:\n    - { id: 1 }\n    - { id: 2 }\n  members: [ { id: 1 } ]\n  "quoted": "two\n    lines"\n',
  '---\na:\n  b: 1\n  c:\n    d: 2\n',
  'a: &x { b: 1 }\nc:\n  - *x\n  - *x\n',
  'a:\r\n  - b: 1\r\n  - b: 2\r\nc: 3\r\n',
  '\ufeffa:\n  - 1\n  - 2\n',
  "a: 'it''s'\nb: !env NAME\nc: >\n  folded\n  text\nd:\n",
];

describe.each([1, 20, 100])('Reading in pieces of %i characters', (length) => {
  test.each([...examples, ...drawn])('has the same result as reading undivided text %#', (text) => {
    const { root: whole, findings } = readYaml(text);
    const inPieces = readLargeYaml(text, undefined, length);
    expect(inPieces.root).toEqual(whole);
    expect(inPieces.findings).toEqual(findings);
  });
});

test('A duplicate key is reported once, whichever piece it is in', () => {
  const text = 'a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\na: 2\n';
  const byPlace = (findings: ReturnType<typeof readYaml>['findings']) =>
    findings.toSorted((one, other) => one.span.start - other.span.start);
  for (const length of [1, 8, 20, 1_000])
    expect(byPlace(readLargeYaml(text, undefined, length).findings)).toEqual(
      byPlace(readYaml(text).findings),
    );
});

test('A mistake is reported at its place, and does not affect other pieces', () => {
  const text = 'tests:\n  - name: a\n  - name: [b\n  - name: c\n';
  const { root: node, findings } = readLargeYaml(text, undefined, 1);
  expect(findings.map(({ code }) => code)).toEqual(['yaml-syntax']);
  expect(findings[0]?.span.start).toBeGreaterThan(text.indexOf('[b') - 1);
  const [tests] = node?.kind === 'map' ? node.pairs : [];
  expect(
    tests?.value.kind === 'sequence' && tests.value.items.map(({ span }) => text.slice(span.start, span.end)),
  ).toEqual(['name: a', 'name: [b', 'name: c']);
});

test('Only the piece that has changed is read again', () => {
  const text = Array.from({ length: 50 }, (_, at) => `- { name: t${at} }\n`).join('');
  const before = readLargeYaml(`tests:\n${text}`, undefined, 100);
  const after = readLargeYaml(`tests:\n${text.replace('t25', 'other')}`, before.pieces, 100);
  const read = [...after.pieces.values()].filter((piece) => ![...before.pieces.values()].includes(piece));
  expect(read).toHaveLength(1);
  expect(after.root).toEqual(readYaml(`tests:\n${text.replace('t25', 'other')}`).root);
});
