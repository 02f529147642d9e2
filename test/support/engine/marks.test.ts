import { describe, expect, test } from 'vitest';
import type { Code, Finding } from '../../../server/engine/diagnostics/diagnostics.ts';
import { span } from '../../../server/engine/text/span.ts';
import { type FixtureFile, readFixture } from './fixture.ts';
import { draw, expectMarks } from './marks.ts';

/** Finds each `bad` as an unknown key, and each `odd` as a priority. */
function findWords(file: FixtureFile): Finding[] {
  return [...file.text.matchAll(/bad|odd/g)].map((match) =>
    match[0] === 'bad'
      ? finding('unknown-key', match.index, 3, { key: 'bad', near: 'good' })
      : finding('invalid-priority', match.index, 3, {}),
  );
}

function finding(code: Code, start: number, length: number, args: object): Finding {
  return { code, span: span(start, start + length), args };
}

function failureOf(drawing: string): string {
  try {
    expectMarks(drawing, findWords);
  } catch (error) {
    return (error as Error).message;
  }
  return 'no failure';
}

describe('reading', () => {
  test('marks are removed from the text and refer to the line above', () => {
    const [file] = readFixture('a: bad\n#~ ^^^ error unknown-key\nb: 1\n').files;
    expect(file?.text).toBe('a: bad\nb: 1\n');
    expect(file?.marks).toEqual([{ severity: 'error', code: 'unknown-key', span: span(3, 6) }]);
  });

  test('several marks may follow one line', () => {
    const [file] = readFixture('a: bad odd\n#~ ^^^ error x\n#~     ^^^ hint y "why"\n').files;
    expect(file?.marks.map((mark) => mark.span)).toEqual([span(3, 6), span(7, 10)]);
    expect(file?.marks[1]?.sentence).toBe('why');
  });

  test('marks with numbers can cover the first columns, empty spans and several lines', () => {
    const [file] = readFixture('bad: 1\n#~@0-3 error x\n#~@4-4 error y\n#~@5-+1:2 error z\nodd\n').files;
    expect(file?.marks.map((mark) => mark.span)).toEqual([span(0, 3), span(4, 4), span(5, 9)]);
  });

  test('cursors are removed, and later columns are counted as drawn', () => {
    const [file] = readFixture('a<|>b: bad<|>\n#~     ^^^ error unknown-key\n').files;
    expect(file?.text).toBe('ab: bad\n');
    expect(file?.cursors).toEqual([1, 7]);
    expect(file?.marks[0]?.span).toEqual(span(4, 7));
  });

  test('a fixture that starts with a line break loses its indentation', () => {
    const { files, indent } = readFixture(`
      a:
        b: bad

      #~   ^^^ error unknown-key
    `);
    expect(indent).toBe('      ');
    expect(files[0]?.text).toBe('a:\n  b: bad\n\n');
  });

  test('a fixture without a leading line break is not changed', () => {
    expect(readFixture('  a: 1\r\n').files[0]?.text).toBe('  a: 1\r\n');
  });

  test('a line indented less than the first is refused', () => {
    expect(() => readFixture('\n    a: 1\n  b: 2\n')).toThrow('indented less');
  });

  test('a fixture may contain several files', () => {
    const { files } = readFixture('=== service.yaml\nport: 1\n=== a/sync.yaml\nbad\n#~@0-3 error x\n');
    expect(files.map((file) => [file.path, file.text, file.marks.length])).toEqual([
      ['service.yaml', 'port: 1\n', 0],
      ['a/sync.yaml', 'bad\n', 1],
    ]);
  });

  test('a catalog is read from create table lines', () => {
    const { catalog, files } = readFixture(
      'a: 1\n=== catalog\ncreate table tasks (id uuid, done boolean, note)\ncreate table audit.log (at real);\n',
    );
    expect(files).toHaveLength(1);
    expect(catalog?.tables.map(({ tag, schema, name }) => `${tag}.${schema}.${name}`)).toEqual([
      'default.public.tasks',
      'default.audit.log',
    ]);
    expect([...(catalog?.tables[0]?.columns.values() ?? [])]).toEqual([
      { name: 'id', type: 'text', sourceType: 'uuid', nullable: true },
      { name: 'done', type: 'integer', sourceType: 'boolean', nullable: true },
      { name: 'note' },
    ]);
  });

  test('an invalid mark is refused', () => {
    expect(() => readFixture('a: 1\n#~ ^^^ fatal x\n')).toThrow('Not a mark');
    expect(() => readFixture('a: 1\n#~@0-+3:1 error x\n')).toThrow('no line');
  });
});

describe('comparing', () => {
  test('passes when all findings are drawn', () => {
    expect(failureOf('a: bad\n#~ ^^^ error unknown-key "DID YOU MEAN `good`"\n')).toBe('no failure');
  });

  test.each([
    ['an unmarked finding', 'a: bad\n', 'sync.yaml: not marked: unknown-key'],
    ['an unmet mark', 'a: 1\n#~ ^ error unknown-key\n', 'sync.yaml: not found: unknown-key'],
    ['another column', 'a: bad\n#~  ^^^ error unknown-key\n', 'not found: unknown-key'],
    ['another severity', 'a: bad\n#~ ^^^ hint unknown-key\n', 'not found: unknown-key'],
    ['another code', 'a: bad\n#~ ^^^ error missing-key\n', 'not found: missing-key'],
    ['another sentence', 'a: bad\n#~ ^^^ error unknown-key "worse"\n', 'not found: unknown-key "worse"'],
    [
      'a finding drawn once but found twice',
      'bad bad\n#~@0-3 error unknown-key\n',
      'not marked: unknown-key',
    ],
  ])('fails on %s', (_, drawing, message) => {
    expect(failureOf(drawing)).toContain(message);
  });

  test('a failure shows the fixture with the actual findings and the original indentation', () => {
    expect(
      failureOf(`
        a: bad
        #~ ^^ error unknown-key
        b: odd
        #~ ^^^ error invalid-priority "0, 1, 2"
      `),
    ).toContain(`Drawn as found:
        a: bad
        #~ ^^^ error unknown-key
        b: odd
        #~ ^^^ error invalid-priority "0, 1, 2"
`);
  });
});

describe('drawing', () => {
  test.each([
    'a: bad\n#~ ^^^ error unknown-key\nb: 1\n',
    'bad\n#~@0-3 error unknown-key\n#~@3-3 hint x\n',
    'a: bad\n#~@3-+1:3 error unknown-key "part"\nodd: 1\n',
    'a: bad\r\n#~ ^^^ error unknown-key\nb: 1\r\n',
    'a<|>b: <|>bad<|>\n#~        ^^^ error unknown-key\nc\n<|>',
    '#~@0-0 error config-not-a-map\n',
  ])('a fixture that was read is drawn unchanged: %j', (drawing) => {
    const [file] = readFixture(drawing).files;
    expect(file && draw(file, file.marks)).toBe(drawing);
  });
});
