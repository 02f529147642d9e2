import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readQuickly } from '../../../server/engine/yaml/quick.ts';
import { readWithGrammar } from '../../../server/engine/yaml/read.ts';
import { readExamples } from '../../support/engine/examples.ts';
import { casesOf } from '../../support/house/share.ts';
import { edited } from './edits.ts';

const usual = `config:
  edition: 3 # newest
streams:
  mine:
    auto_subscribe: true
    with:
      boats: SELECT id FROM boats WHERE owner = auth.user_id()

    queries:
      - SELECT * FROM trips
      - |
        SELECT *

        FROM photos
      - 'SELECT 1'
  other:
    priority: 2
    query: |-
      SELECT *
        FROM crew
`;

test('A usual config is read', () => {
  expect(readQuickly(usual)).toEqual(readWithGrammar(usual).root);
});

test('Most examples are read', () => {
  const examples = readExamples();
  const read = examples.filter(({ text }) => readQuickly(text) !== undefined);
  expect(read.length / examples.length).toBeGreaterThan(0.8);
});

describe('It gives up on', () => {
  test.each([
    ['a tab', 'a:\n\tb: 1'],
    ['a carriage return', 'a: 1\r\n'],
    ['a flow collection', 'a: [b]'],
    ['an alias', 'a: *b'],
    ['a tag', 'a: !b c'],
    ['a key that is no text', 'true: 1'],
    ['a key that is there twice', 'a: 1\na: 2'],
    ['a value of several lines', 'a: b\n  c'],
    ['a colon inside of a value', 'a: b: c'],
    ['a document marker', '---\na: 1'],
    ['an escape', 'a: "\\n"'],
    ['a number that is no plain integer', 'a: 1e3'],
    ['lines indented differently', 'a:\n    b: 1\n  c: 2'],
    ['a block whose lines are indented less than the first', 'a: |\n    b\n   c\n'],
  ])('%s', (_, text) => {
    expect(readQuickly(text)).toBeUndefined();
  });
});

test('What it reads after random edits is what the grammar reads', () => {
  let read = 0;
  fc.assert(
    fc.property(edited([usual, ...readExamples().map(({ text }) => text)]), (text) => {
      const root = readQuickly(text);
      if (root === undefined) return;
      read++;
      expect({ text, findings: [], root }).toEqual(readWithGrammar(text));
    }),
    { numRuns: casesOf(2000), seed: 11 },
  );
  expect(read).toBeGreaterThan(casesOf(150));
});
