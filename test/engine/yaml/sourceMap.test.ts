import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { span } from '../../../server/engine/text/span.ts';
import type { YamlScalar } from '../../../server/engine/yaml/nodes.ts';
import { readYaml } from '../../../server/engine/yaml/read.ts';
import { offsetInValue, sourceMap } from '../../../server/engine/yaml/sourceMap.ts';

/** Returns the source text at the place that the map finds for a word of the value. */
function marked(source: string, word: string): string {
  const scalar = scalarOf(source);
  const start = scalar.text.indexOf(word);
  const at = sourceMap(source, scalar)(span(start, start + word.length));
  return source.slice(at.start, at.end);
}

function scalarOf(source: string): YamlScalar {
  const { root, findings } = readYaml(source);
  expect(findings).toEqual([]);
  const value = root?.kind === 'map' ? root.pairs[0]?.value : undefined;
  if (value?.kind !== 'scalar') throw new Error(`No scalar: ${source}`);
  return value;
}

describe('A word of the value is found in', () => {
  test.each([
    ['a plain scalar', 'q: SELECT nope(1)'],
    ['a plain scalar of several lines', 'q: SELECT *\n  FROM boats\n   WHERE nope(1)\n'],
    ['a plain scalar with an empty line', 'q: SELECT *\n\n\n  FROM boats WHERE nope(1)\n'],
    ['a single-quoted scalar', "q: 'kind = ''a'' AND nope(1)'"],
    ['a double-quoted scalar with an escape', 'q: "kind = \'\\u0061\' AND nope(1)"'],
    ['a double-quoted scalar with a surrogate pair', 'q: "\\U0001F600 \\ud83d\\ude00 nope(1)"'],
    ['a double-quoted scalar with an escaped line break', 'q: "SELECT \\\n   x \\\n\n   FROM nope(1)"'],
    ['a literal block', 'q: |\n  SELECT *\n\n  WHERE nope(1)\n'],
    ['a literal block that keeps its end', 'q: |+\n  SELECT *\n    WHERE nope(1)\n\n\n'],
    ['a block with an indentation indicator', 'q: |2\n      SELECT *\n  WHERE nope(1)\n'],
    ['a folded block', 'q: >\n  SELECT *\n  FROM boats\n  WHERE nope(1)\n'],
    ['a folded block with a deeper line', 'q: >-\n  SELECT * FROM boats\n\n    WHERE nope(1)\n'],
    ['a folded block after deeper lines', 'q: >\n  SELECT\n    a,\n\n    b\n\n\n  WHERE nope(1)\n'],
    ['a folded block with a tab', 'q: >\n  SELECT\n  \ta\n  WHERE nope(1)\n'],
    ['a folded block that begins with empty lines', 'q: >\n\n\n  WHERE nope(1)\n'],
    ['a block after a header with a comment', 'q: | # the query\n  WHERE nope(1)\n'],
    ['an anchored scalar', 'q: &a SELECT nope(1) # comment'],
  ])('%s', (_, source) => {
    expect(marked(source, 'nope')).toBe('nope');
    expect(marked(source.replaceAll('\n', '\r\n'), 'nope')).toBe('nope');
  });
});

test('A span over a folded line break covers the indentation', () => {
  expect(marked('q: upper(\n    name)', 'upper( name')).toBe('upper(\n    name');
});

test('A span that ends where a line ends does not reach into the next line', () => {
  expect(marked('q: a b\n    c', 'b')).toBe('b');
  expect(marked('q: |\n    a b\n    c', 'b')).toBe('b');
});

test('The end of the value is after its last character', () => {
  const source = "q: 'a''' # comment";
  expect(sourceMap(source, scalarOf(source))(span(2, 2))).toEqual(span(7, 7));
});

test('A place in the source is mapped back to the value, and a place outside to the nearest one', () => {
  const source = "q: 'a''b' # comment";
  const scalar = scalarOf(source);
  const places = [0, 4, 5, 6, 7, 8, 9, 15].map((at) => offsetInValue(source, scalar, at));
  expect(places).toEqual([0, 0, 1, 1, 2, 3, 3, 3]);
});

test('An empty value is placed after its opening quote', () => {
  const source = "q: ''";
  expect(sourceMap(source, scalarOf(source))(span(0, 0))).toEqual(span(4, 4));
});

/** Characters that the styles treat in different ways. */
const characters = fc.constantFrom(...'ab1 \n\t\'"\\#:-|>é😀');
const value = fc.array(characters, { maxLength: 24 }).map((all) => all.join(''));
const indent = fc.constantFrom('  ', '    ');
const lineBreak = fc.constantFrom('\n', '\r\n');

/** Writers of a value in each style. Some of them change the value, so the test uses the value that `yaml` reads. */
const writers: Record<string, (value: string, indent: string) => string> = {
  plain: (text, by) => `x${text.replace(/[#:]/g, 'y').replace(/\n/g, `\n${by}`)}`,
  single: (text, by) => `'${text.replaceAll("'", "''").replace(/\n/g, `\n${by}`)}'`,
  double: (text, by) => `"${text.replace(/["\\]/g, '\\$&').replace(/\n/g, `\n${by}`)}"`,
  escaped: (text, by) => `"${text.replace(/[^ab]/gu, escapeOf).replace(/b/g, `b\\\n${by}`)}"`,
  literal: (text, by) => `|${by.length}+\n${by}${text.replace(/\n/g, `\n${by}`)}\n`,
  clipped: (text, by) => `|\n${by}x${text.replace(/\n/g, `\n${by}`)}\n`,
  folded: (text, by) => `>${by.length}\n${by}${text.replace(/\n/g, `\n${by}`)}\n`,
  stripped: (text, by) => `>-\n${by}x${text.replace(/\n/g, `\n${by}`)}\n\n`,
};

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code > 0xffff) return `\\U${code.toString(16).padStart(8, '0')}`;
  return code < 0x80
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

describe('Each character of the value is placed at the source text that it comes from', () => {
  test.each(Object.keys(writers))('%s', (style) => {
    fc.assert(
      fc.property(value, indent, lineBreak, (text, by, end) => {
        const written = writers[style]?.(text, by) ?? '';
        const source = `q: ${written}`.replaceAll('\n', end);
        const { root, findings } = readYaml(source);
        const scalar = root?.kind === 'map' ? root.pairs[0]?.value : undefined;
        fc.pre(findings.length === 0 && scalar?.kind === 'scalar');
        checkPlaces(source, scalar as YamlScalar);
      }),
      { numRuns: 400, seed: 3 },
    );
  });
});

function checkPlaces(source: string, scalar: YamlScalar): void {
  const place = sourceMap(source, scalar);
  let before = scalar.span.start;
  for (let at = 0; at < scalar.text.length; at++) {
    const found = place(span(at, at + 1));
    const character = scalar.text[at] ?? '';
    const from = source.slice(found.start, found.end);
    if (!couldBe(character, from, scalar)) {
      throw new Error(
        `${JSON.stringify(character)} at ${at} of ${JSON.stringify(scalar.text)} is placed at ${JSON.stringify(from)} of ${JSON.stringify(source)}`,
      );
    }
    const back = offsetInValue(source, scalar, found.start);
    expect(place(span(back, back + 1))).toEqual(found);
    const isSecondHalf = found.start < before && from.startsWith('\\U');
    if (!isSecondHalf) expect(found.start).toBeGreaterThanOrEqual(before);
    before = isSecondHalf ? before : found.end;
  }
}

function couldBe(character: string, from: string, { style }: YamlScalar): boolean {
  if (from === character) return true;
  if (character === ' ' && /^[ \t]*\r?\n[ \t]*$/.test(from)) return style !== 'literal';
  if (character === '\n' && /^\r?\n$/.test(from)) return true;
  if (style === 'single') return character === "'" && from === "''";
  if (style !== 'double') return false;
  if (/^\\["\\]$/.test(from)) return from[1] === character;
  const code = /^\\[xuU]([0-9a-f]+)$/.exec(from)?.[1];
  return code !== undefined && String.fromCodePoint(Number.parseInt(code, 16)).includes(character);
}

test('A value that ends within an escape does not extend beyond the source', () => {
  for (const source of ['q: "a\\u0', 'q: "a\\', 'q: "a\\x4']) {
    const { root } = readYaml(source);
    const value = root?.kind === 'map' ? root.pairs[0]?.value : undefined;
    if (value?.kind !== 'scalar') throw new Error(`No scalar: ${source}`);
    const { length } = value.text;
    expect(sourceMap(source, value)(span(0, Math.max(length, 1))).end).toBeLessThanOrEqual(source.length);
  }
});
