import { describe, expect, test } from 'vitest';
import { analyze } from '../../server/engine/index.ts';
import { tokenize } from '../../server/engine/sql/lexer.ts';
import { applyEdits } from '../../server/engine/text/edit.ts';
import { span } from '../../server/engine/text/span.ts';
import { plansText } from '../../server/features/actions/refactorings/place.ts';
import { formatConfig, formatLine } from '../../server/features/formatting/formatting.ts';
import { writableTexts } from '../../server/features/reading/queries.ts';
import { readExamples } from '../support/engine/examples.ts';
import { readFixture } from '../support/engine/fixture.ts';
import { someOf } from '../support/house/share.ts';

function formatted(text: string): string {
  return applyEdits(text, formatConfig(analyze(text, { kind: 'sync' })));
}

const lineEnds = [
  ['LF', '\n'],
  ['CRLF', '\r\n'],
] as const;

describe.each(lineEnds)('All examples with %s', (_, lineEnd) => {
  test.each(someOf(readExamples()))(
    '$name keeps its meaning and its styles, and formatting it again changes nothing',
    ({ text }) => {
      const before = text.replace(/\r?\n/g, lineEnd);
      const after = formatted(before);
      const [one, two] = [analyze(before, { kind: 'sync' }), analyze(after, { kind: 'sync' })];
      expect(two.findings.map(({ code }) => code)).toEqual(one.findings.map(({ code }) => code));
      expect(plansText(two)).toBe(plansText(one));
      expect(scalarsOf(two)).toEqual(scalarsOf(one));
      expect(formatted(after)).toBe(after);
      expect(after.split(lineEnd).join('')).not.toMatch(/[\r\n]/);
    },
  );
});

function scalarsOf(analysis: ReturnType<typeof analyze>) {
  return writableTexts(analysis).map(({ scalar }) => [
    scalar.style,
    tokenize(scalar.text).tokens.map(({ kind, text }) => `${kind} ${text}`),
  ]);
}

const untidy = `config:
  edition: 3
streams:
  plain:
    query:   select  a,b from t where x=1 and(y = 2)   # kept
  broken:
    query: select a
      from t
      where x=1
  single:
    query: 'select a from t where x = ''it''''s'' and   y=2'
  double:
    query: "select a\\tfrom t where x = '\\u0061'"
  literal:
    query: |-
        -- which
        select a , upper( b )  as c -- the text
          from t join u on u.id=t.u
        where t.a in (select id from a_rather_long_table_name where owner_id = auth.user_id() and kind = 'boat')
        /* all
           of it */

  folded:
    query: >
      select a from t
      where x = 1
  flow: { queries: [ 'select  a from t', select b from t ] }
`;

const tidy = `config:
  edition: 3
streams:
  plain:
    query:   SELECT a, b FROM t WHERE x = 1 AND (y = 2)   # kept
  broken:
    query: SELECT a
      FROM t
      WHERE x = 1
  single:
    query: 'SELECT a FROM t WHERE x = ''it''''s'' AND y = 2'
  double:
    query: "SELECT a FROM t WHERE x = '\\u0061'"
  literal:
    query: |-
        -- which
        SELECT a, upper(b) AS c -- the text
        FROM t
        JOIN u ON u.id = t.u
        WHERE t.a IN (
          SELECT id FROM a_rather_long_table_name WHERE owner_id = auth.user_id() AND kind = 'boat'
        )
        /* all
           of it */

  folded:
    query: >
      SELECT a
      FROM t
      WHERE x = 1
  flow: { queries: [ 'SELECT a FROM t', SELECT b FROM t ] }
`;

test('every scalar keeps its style, and every comment its place', () => {
  expect(formatted(untidy)).toBe(tidy);
});

test('a formatted config is not changed', () => {
  expect(formatConfig(analyze(tidy))).toEqual([]);
});

test('only the queries that a selection touches are formatted', () => {
  const at = untidy.indexOf('folded');
  const edits = formatConfig(analyze(untidy), span(at, at + 20));
  const after = applyEdits(untidy, edits);
  expect(after.slice(0, at)).toBe(untidy.slice(0, at));
  expect(after).toContain("SELECT a\n      FROM t\n      WHERE x = 1\n  flow: { queries: [ 'select");
});

test('a query with a mistake, or with more than one statement, is not formatted', () => {
  const text =
    'config:\n  edition: 3\nstreams:\n  a:\n    queries:\n      - select a,b form t\n      - select a,b from t; select  1\n';
  expect(formatted(text)).toBe(text);
});

test('a column without an alias keeps its text, because the text is its name', () => {
  const text = 'config:\n  edition: 3\nstreams:\n  a:\n    query: select id,a||b,upper( c ) from t\n';
  expect(formatted(text)).toContain('SELECT id, a||b, upper( c ) FROM t');
});

test('a value whose lines are folded is not laid out around a line comment', () => {
  const text = 'config:\n  edition: 3\nstreams:\n  a:\n    query: "select a -- no\\nfrom t"\n';
  expect(formatted(text)).toBe(text);
});

test('a sync config inside a service config is also formatted', () => {
  const text = `sync_config:
  content: |
    config:
      edition: 3
    streams:
      a:
        query: |
          select id
          from t where x=1
`;
  expect(applyEdits(text, formatConfig(analyze(text, { kind: 'service' })))).toBe(
    text.replace(
      'select id\n          from t where x=1',
      'SELECT id\n          FROM t\n          WHERE x = 1',
    ),
  );
});

test('while typing, only the completed line is formatted, and no line moves', () => {
  const { files } = readFixture(`
    config:
      edition: 3
    streams:
      a:
        query: |
          select a,b
            from   t<|>
          where x=1
  `);
  const [{ text = '', cursors = [] } = {}] = files;
  const [end = 0] = cursors;
  const start = text.lastIndexOf('\n', end - 1) + 1;
  expect(applyEdits(text, formatLine(analyze(text), span(start, end)))).toBe(
    text.replace('from   t', 'FROM t'),
  );
});
