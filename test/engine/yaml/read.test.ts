import { describe, expect, test } from 'vitest';
import { messageOf } from '../../../server/engine/diagnostics/diagnostics.ts';
import type { YamlNode } from '../../../server/engine/yaml/nodes.ts';
import { readYaml } from '../../../server/engine/yaml/read.ts';
import { walk } from '../../../server/engine/yaml/walk.ts';
import { expectMarks } from '../../support/engine/marks.ts';

function expectFindings(drawing: string): void {
  expectMarks(drawing, ({ text }) => readYaml(text).findings);
}

/** Returns each node as its kind and its text in the source. */
function nodesOf(source: string): string[] {
  const nodes: string[] = [];
  const { root } = readYaml(source);
  if (root)
    walk(root, (node) => {
      nodes.push(`${nameOf(node)} ${JSON.stringify(source.slice(node.span.start, node.span.end))}`);
    });
  return nodes;
}

function nameOf(node: YamlNode): string {
  const { anchor, tag } = node;
  const name = node.kind === 'scalar' ? `${node.style} ${typeName(node.value)}` : node.kind;
  return [...(anchor ? [`&${anchor}`] : []), ...(tag ? [tag] : []), name].join(' ');
}

function typeName(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

describe('Nodes end at their last visible character', () => {
  test.each([
    ['a: b # c\n', ['map "a: b"', 'plain string "a"', 'plain string "b"']],
    ['a: |\n  b\n\n\n', ['map "a: |\\n  b"', 'plain string "a"', 'literal string "|\\n  b"']],
    ['a: >+\r\n  b\r\n\r\n', ['map "a: >+\\r\\n  b"', 'plain string "a"', 'folded string ">+\\r\\n  b"']],
    ["- 'b'  \n# c\n", ['sequence "- \'b\'"', 'single string "\'b\'"']],
    ['[a, "b" ]  \n', ['sequence "[a, \\"b\\" ]"', 'plain string "a"', 'double string "\\"b\\""']],
    ['a:  # c\n', ['map "a:"', 'plain string "a"', 'plain null ""']],
    ['a:\n  - b\n  # c\n', ['map "a:\\n  - b"', 'plain string "a"', 'sequence "- b"', 'plain string "b"']],
  ])('%j', (source, nodes) => {
    expect(nodesOf(source)).toEqual(nodes);
  });
});

describe('Scalars have the values of the core schema', () => {
  test.each<[string, unknown]>([
    ['true', true],
    ['FALSE', false],
    ['yes', 'yes'],
    ['~', null],
    ['Null', null],
    ['0x1F', 31],
    ['0o17', 15],
    ['+3', 3],
    ['3.0', 3],
    ['1e2', 100],
    ['9007199254740993', 9007199254740993n],
    ['2024-01-01', '2024-01-01'],
    ['"3"', '3'],
    ['!!str 3', '3'],
  ])('%s', (source, value) => {
    const { root } = readYaml(`a: ${source}`);
    const node = root?.kind === 'map' ? root.pairs[0]?.value : undefined;
    expect(node).toMatchObject({ kind: 'scalar', value });
  });
});

test('Tags and anchors are kept as written', () => {
  expect(nodesOf('a: &x !env FOO\nb: *x\nc: !!map {}')).toEqual([
    'map "a: &x !env FOO\\nb: *x\\nc: !!map {}"',
    'plain string "a"',
    '&x !env plain string "FOO"',
    'plain string "b"',
    'alias "*x"',
    'plain string "c"',
    '!!map map "{}"',
  ]);
});

test('Aliases are not followed', () => {
  const bomb = Array.from({ length: 60 }, (_, n) => `a${n}: &a${n} [*a${n - 1}, *a${n - 1}]`).slice(1);
  expect(readYaml(`a0: &a0 x\n${bomb.join('\n')}\n`).findings).toEqual([]);
});

test.each(['', '\ufeff', '\n\n', '# a\n  # b', ' \t\r\n'])('%j has no root', (text) => {
  expect(readYaml(text)).toEqual({ text, findings: [] });
});

describe('Invalid YAML is explained at its place', () => {
  test('an unclosed quote', () =>
    expectFindings(`
      a: "b
      #~ ^^ error yaml-syntax "this quote is never closed"
      c: d
    `));

  test('an unclosed bracket', () =>
    expectFindings(`
      a: [b, c
      #~ ^ error yaml-syntax "bracket"
      d: e
    `));

  test('a colon in a plain text', () =>
    expectFindings(`
      a: SELECT note: FROM b
      #~ ^^^^^^^^^^^^^^^^^^^ error yaml-syntax "needs quotes"
    `));

  test('a key without a colon', () =>
    expectFindings(`
      a: b
      quer
      #~@0-4 error yaml-syntax "\`quer\` has no colon"
      c: d
    `));

  test('a key without a space before its value', () =>
    expectFindings(`
      a: b
      edition:3
      #~@0-8 error yaml-syntax "needs a space after it"
    `));

  test('a block that is not indented', () =>
    expectFindings(`
      query: |
      SELECT id
      #~@0-9 error yaml-syntax "indented more than its key"
      FROM tasks
    `));

  test('a line that is indented differently', () =>
    expectFindings(`
      a:
          b: c
        d: e
      #~^^^^ error yaml-syntax "indented differently"
    `));

  test('a tab as indentation', () =>
    expectFindings('a:\n\tb: c\n#~@0-1 error yaml-syntax "tabs cannot be used for indentation"\n'));

  test('a text that starts with a special character', () =>
    expectFindings(`
      a: @b
      #~ ^ error yaml-syntax "starts with \`@\`"
      c: \`d
      #~ ^ error yaml-syntax "needs quotes"
    `));

  test('an unknown escape', () =>
    expectFindings(`
      a: "b \\d"
      #~    ^^ error yaml-syntax "not an escape sequence"
    `));

  test('a list on the line of its key', () =>
    expectFindings(`
      a: - b
      #~ ^ error yaml-syntax "on the line below"
    `));

  test('text after a closed quote', () =>
    expectFindings(`
      a: 'it's'
      #~    ^^^ error yaml-syntax "write '' inside"
      b: "SELECT * FROM "Post" WHERE id"
      #~                ^^^^^^^^^^^^^^^^ error yaml-syntax "write \\" inside"
    `));

  test('a second document', () =>
    expectFindings(`
      a: b
      ---
      #~@0-+1:4 error yaml-multiple-documents
      c: d
    `));

  test('the same key twice, in any map', () =>
    expectFindings(`
      a:
        b: {c: 1, c: 2}
      #~          ^ error yaml-duplicate-key "line 2"
      x: 1
      "a": 2
      #~@0-3 error yaml-duplicate-key "line 1"
    `));
});

test('A duplicate points to the first key', () => {
  const [finding] = readYaml('a: 1\nb: 2\na: 3\n').findings;
  expect(finding?.related?.span).toEqual({ start: 0, end: 1 });
});

test('Keys of different types are not the same', () => {
  expect(readYaml('1: a\n"1": b\n[c]: d\n? [c]\n: e\n').findings.map(({ code }) => code)).not.toContain(
    'yaml-duplicate-key',
  );
});

test('Each mistake is reported once', () => {
  expect(readYaml('a: - b\nc: x\n  d: e\n').findings).toHaveLength(2);
});

test('The text around a mistake is read', () => {
  expect(nodesOf('a: @b\nc: d\n').slice(-2)).toEqual(['plain string "c"', 'plain string "d"']);
});

describe('Deep nesting is cut off', () => {
  test.each([
    ['brackets', '['],
    ['braces', '{a: '],
    ['dashes', '- '],
    ['explicit keys', '? '],
    ['maps', 'a:\n'],
  ])('%s', (name, opening) => {
    const depth = 150;
    const text =
      name === 'maps'
        ? Array.from({ length: depth }, (_, level) => ' '.repeat(level) + opening).join('')
        : opening.repeat(depth);
    expect(readYaml(text).findings.map(({ code }) => code)).toEqual(['yaml-too-deep']);
  });

  test('but 90 levels are read', () => {
    expect(readYaml(`${'['.repeat(90)}${']'.repeat(90)}`).findings).toEqual([]);
  });
});

test('No message of the YAML library is shown', () => {
  for (const text of [
    'a: }',
    'a: b\n : c',
    '!<x',
    'a: &',
    'a: *',
    '- a\nb',
    '%x\na',
    'a: |x\n',
    '[a: , ,]',
    '{,}',
  ])
    for (const finding of readYaml(text).findings) {
      expect(messageOf(finding)).not.toMatch(/implicit|scalar|flow|mapping|token|collection|node/i);
      expect(finding.span.end).toBeGreaterThanOrEqual(finding.span.start);
    }
});
