import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readScript } from '../../../server/engine/ddl/script.ts';

/** Draws each step on a line: statements unchanged, rows after `⇐`, commands after `\`. */
function drawn(text: string): string[] {
  return [...readScript(text)].map((step) => {
    const written = text.slice(step.start, step.end);
    if (step.kind === 'rows')
      return `${written} ⇐ ${JSON.stringify(text.slice(step.rows.start, step.rows.end))}`;
    return step.kind === 'command' ? `\\${step.name}|${step.argument}` : written;
  });
}

describe('A script is split', () => {
  test.each<[string, string, readonly string[]]>([
    ['at semicolons', 'select 1; select 2;\n;; select 3', ['select 1', 'select 2', 'select 3']],
    [
      'but not within quotes and comments',
      `select ';', ";", $$;$$, $a$ $$; $a$, E'\\';' -- ;\n, 2 /* ; */; select 2`,
      [`select ';', ";", $$;$$, $a$ $$; $a$, E'\\';' -- ;\n, 2`, 'select 2'],
    ],
    [
      'after the body of an SQL-standard function',
      'create or replace function f() returns int begin atomic select case when true then 1 end; select 2; end; select 3',
      [
        'create or replace function f() returns int begin atomic select case when true then 1 end; select 2; end',
        'select 3',
      ],
    ],
    ['after BEGIN of a transaction', 'begin; select 1; end; commit;', ['begin', 'select 1', 'end', 'commit']],
    [
      'after the statements of a rule',
      'create rule r as on insert to t do also (insert into a values (1); select 2); select 3',
      ['create rule r as on insert to t do also (insert into a values (1); select 2)', 'select 3'],
    ],
    [
      'inside other parentheses, so that one mistake does not affect the following statements',
      'create table t (a int; create table u (b int);',
      ['create table t (a int', 'create table u (b int)'],
    ],
    [
      'around the rows of a dump',
      "COPY public.t (id, name) FROM stdin;\n1\tit's; \n2\t\\N\n\\.\nselect 1;",
      ['COPY public.t (id, name) FROM stdin ⇐ "1\\tit\'s; \\n2\\t\\\\N\\n"', 'select 1'],
    ],
    ['around rows without an end marker', 'copy t from stdin;\n1\n2', ['copy t from stdin ⇐ "1\\n2"']],
    [
      'around rows with Windows line ends',
      'copy t from stdin with (format csv);\r\n1\r\n\\.\r\nselect 1;',
      ['copy t from stdin with (format csv) ⇐ "1\\r\\n"', 'select 1'],
    ],
    [
      'around psql commands',
      '\\restrict abc\n\\connect app\nselect 1;\n\\! rm -rf /\nselect 2 \\gexec\nselect 3',
      ['\\restrict|abc', '\\connect|app', 'select 1', '\\|! rm -rf /', 'select 2', '\\gexec|', 'select 3'],
    ],
    [
      'at GO in SQL Server scripts',
      'create table t (a int)\nGO\nselect 1',
      ['create table t (a int)', 'select 1'],
    ],
  ])('%s', (_, text, expected) => {
    expect(drawn(text)).toEqual(expected);
  });
});

describe('Only the forward part of a migration is read', () => {
  test.each<[string, string, readonly string[]]>([
    ['of dbmate', '-- migrate:up\nselect 1;\n-- migrate:down\nselect 2;', ['select 1']],
    ['of goose', '-- +goose Up\nselect 1;\n-- +goose Down\nselect 2;', ['select 1']],
    ['of sql-migrate', '-- +migrate Up notransaction\nselect 1;\n-- +migrate Down\nselect 2;', ['select 1']],
    ['of node-pg-migrate', '-- Up Migration\nselect 1;\n-- Down Migration\nselect 2;', ['select 1']],
    ['when it comes last', '-- migrate:down\nselect 2;\n-- migrate:up\nselect 1;', ['select 1']],
  ])('%s', (_, text, expected) => {
    expect(drawn(text)).toEqual(expected);
  });

  test.each(['-- down the road\nselect 1', '-- Up\nselect 1', 'select 1 -- migrate:down'])(
    'but other comments have no meaning: %s',
    (text) => {
      expect(drawn(text)).toHaveLength(1);
    },
  );
});

test('Any text is split into consecutive steps', () => {
  const piece = fc.constantFrom(
    ...['select', "'", '"', '$$', '$a$', ';', '(', ')', '\\', '\n', '--', '/*', '*/', 'copy t from stdin'],
    ...[
      'begin atomic',
      'create function',
      'create rule',
      'end',
      'case',
      '\\.',
      '-- migrate:down\n',
      'é',
      '😀',
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join(' ');
      let at = 0;
      for (const step of readScript(text)) {
        expect(step.start).toBeGreaterThanOrEqual(at);
        expect(step.end).toBeGreaterThan(step.start);
        at = step.kind === 'rows' ? step.rows.end : step.end;
        expect(at).toBeLessThanOrEqual(text.length);
      }
    }),
  );
});

test('Only the beginning of a statement with many rows is kept', () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => `(${index})`).join(', ');
  const [step] = readScript(`insert into t values ${rows}; select 1`);
  expect(step?.kind === 'statement' && step.tokens.length).toBe(64);
  expect(step?.end).toBe(`insert into t values ${rows}`.length);
});
