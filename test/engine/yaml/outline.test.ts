import { describe, expect, test } from 'vitest';
import { outlineAt, type YamlPlace } from '../../../server/engine/yaml/outline/outline.ts';
import { readFixture } from '../../support/engine/fixture.ts';
import { expectLinear } from '../../support/house/growth.ts';

function placeIn(drawing: string): { readonly text: string; readonly place: YamlPlace | undefined } {
  const [file] = readFixture(drawing).files;
  const text = file?.text ?? '';
  return { text, place: outlineAt(text, file?.cursors[0] ?? 0) };
}

/** Describes the place, for example `streams/mine: key que`, with `-` for list items, and `value` in place of a value. */
function told(drawing: string): string {
  const { text, place } = placeIn(drawing);
  if (!place) return 'nothing';
  const path = place.path.map(({ key }) => key ?? '-').join('/');
  if (place.kind === 'value')
    return `${path}: value ${text.slice(place.start).split('\n')[0]?.trim()}`.trimEnd();
  const kind = place.isKey ? 'key' : 'word';
  return `${path}: ${kind} ${text.slice(place.word.start, place.word.end)}`.trimEnd();
}

describe('The place is found', () => {
  test.each([
    ['at the top', '<|>', ': word'],
    ['in a word at the top', 'con<|>\nstreams: {}\n', ': word con'],
    ['in a key', 'a:\n  b<|>c: 1\n', 'a: key bc'],
    ['in a key with blanks before its colon', 'a:\n  b<|>c  : 1\n', 'a: key bc'],
    ['in a quoted key', 'a:\n  "b<|>c": 1\n', 'a: key "bc"'],
    ['after a colon', 'a:\n  b: <|>\n', 'a/b: value'],
    ['in a value', 'a:\n  b: x <|>y\n', 'a/b: value x y'],
    ['below a key', 'a:\n  b:\n    <|>\n  c: 1\n', 'a/b: word'],
    ['at the indentation of a blank line', 'a:\n  b:\n    c: 1\n  <|>\n', 'a: word'],
    ['after a dash', 'a:\n  - <|>\n', 'a/-: word'],
    ['after a dash at the indentation of its key', 'a:\n- <|>\n', 'a/-: word'],
    ['at the indentation of the first key of an item', 'a:\n  - b: 1\n    <|>\n', 'a/-: word'],
    ['below a list that has no indentation', 'a:\n- b: 1\n  <|>\nc: 1\n', 'a/-: word'],
    ['at the top after a list that has no indentation', 'a:\n- b\n<|>\n', ': word'],
    ['in a list of lists', 'a:\n  - - b\n    - <|>\n', 'a/-/-: word'],
    ['in a block', 'a:\n  b: |\n    x\n    y<|>\n', 'a/b: value |'],
    ['in a block that looks like keys', 'a:\n  b: |\n    c:\n      d: <|>\n', 'a/b: value |'],
    ['below a block', 'a:\n  b: |\n    c: 1\n  <|>\n', 'a: word'],
    ['in the second line of a value', 'a:\n  b: x\n    y<|>\n', 'a/b: value x'],
    ['in the second line of a quoted value', 'a:\n  b: "x\n    y<|>"\n', 'a/b: value "x'],
    ['below an anchor', 'a: &x\n  <|>\n', 'a: word'],
    ['after comments', 'a: # one\n  # two\n  <|>\n', 'a: word'],
    ['in the second document', 'a:\n  b: 1\n---\n<|>\n', ': word'],
    ['in braces', 'a: { b: 1, c<|> }\n', 'a: word c'],
    ['after a colon in braces', 'a: { b: 1, c: <|> }\n', 'a/c: value }'],
    ['in brackets', 'a: [b, <|>]\n', 'a/-: value ]'],
    ['in braces in brackets', 'a: [{ b: "]", <|> }]\n', 'a/-: word'],
    ['after closed braces', 'a: { b: 1 } <|>\n', 'nothing'],
    ['in a comment', 'a: 1 # <|>\n', 'nothing'],
    ['after a number sign in quotes', 'a: "#" <|>\n', 'a: value "#"'],
    ['with CRLF', 'a:\r\n  b:\r\n    <|>\r\n', 'a/b: word'],
  ])('%s', (_, drawing, expected) => {
    expect(told(drawing)).toBe(expected);
  });
});

test.each([' ', 'a', "' ", '" ', '- ', 'a ', '# ', '[', '{', ', '])(
  'A long line of %j takes linear time',
  (piece) => {
    expectLinear((factor) => {
      const line = piece.repeat(10_000 * factor);
      outlineAt(`a:\n  ${line}x\n  b: `, line.length + 6);
    });
  },
);

describe('Siblings are the keys of the same map', () => {
  const siblingsOf = (drawing: string) => {
    const { place } = placeIn(drawing);
    return place?.kind === 'word' ? [...place.siblings().keys()] : [];
  };

  test.each([
    ['above and below', 'a:\n  b: 1\n  <|>\n  c: 2\nd: 3\n', ['b', 'c']],
    ['not inside their values', 'a:\n  b:\n    x: 1\n  <|>\n', ['b']],
    ['only in the same item', 'a:\n  - b: 1\n  - c: 1\n    <|>\n  - d: 1\n', ['c']],
    ['at the first key of an item', 'a:\n  - <|>\n    c: 1\n  - d: 1\n', ['c']],
    ['in braces', 'a: { b: 1, <|> }\n', ['b']],
  ])('%s', (_, drawing, expected) => {
    expect(siblingsOf(drawing)).toEqual(expected);
  });
});
