import { describe, expect, test } from 'vitest';
import { parseSql } from '../../../server/engine/sql/parser/parser.ts';

interface Mistake {
  readonly wrong: string;
  readonly say: string;
  /** The query after the repair. */
  readonly right?: string;
}

const mistakes: readonly Mistake[] = [
  {
    wrong: 'SELECT * FROM t WHERE a == 1',
    say: 'Unexpected `==`. Compare with a single `=`.',
    right: 'SELECT * FROM t WHERE a = 1',
  },
  {
    wrong: 'SELECT `id` FROM `boats`',
    say: 'Backticks are not supported. Put names in double quotes: "id".',
    right: 'SELECT "id" FROM `boats`',
  },
  {
    wrong: 'SELECT id, n -1 AS m FROM boats',
    say: 'Put a space after the minus: - 1. Without it, this is a number.',
    right: 'SELECT id, n - 1 AS m FROM boats',
  },
  {
    wrong: 'SELECT id, order FROM boats',
    say: '`order` is a reserved word. As a name it needs double quotes: "order".',
    right: 'SELECT id, "order" FROM boats',
  },
  {
    wrong: 'SELECT id, user.name FROM user',
    say: '`user` is a reserved word. As a name it needs double quotes: "user".',
    right: 'SELECT id, "user".name FROM user',
  },
  {
    wrong: 'SELECT t.order FROM t',
    say: '`order` is a reserved word. As a name it needs double quotes: "order".',
    right: 'SELECT t."order" FROM t',
  },
  {
    wrong: 'SELECT a, b, FROM t',
    say: 'Nothing follows the comma before FROM. Remove the comma or add a value.',
    right: 'SELECT a, b FROM t',
  },
  {
    wrong: 'SELECT a, b,',
    say: 'Nothing follows the comma. Remove the comma or add a value.',
    right: 'SELECT a, b',
  },
  {
    wrong: 'SELECT a,, b FROM t',
    say: 'Nothing comes before this comma. Remove the comma.',
    right: 'SELECT a, b FROM t',
  },
  {
    wrong: 'SELECT * FROM t WHERE !a',
    say: 'Unexpected `!`. Write NOT, or != to compare.',
    right: 'SELECT * FROM t WHERE NOT a',
  },
  {
    wrong: 'SELECT * FROM t WHERE a = :p',
    say: 'Parameters such as :p do not exist here. Use auth, connection or subscription functions.',
  },
  {
    wrong: 'SELECT * FROM t WHERE a = ?',
    say: 'Parameters such as ? do not exist here. Use auth, connection or subscription functions.',
  },
  {
    wrong: 'SELECT * FROM t WHERE a = @p',
    say: 'Parameters such as @p do not exist here. Use auth, connection or subscription functions.',
  },
  {
    wrong: 'SELECT * FROM t WHERE a = $p',
    say: 'Parameters such as $p do not exist here. Use auth, connection or subscription functions.',
  },
  {
    wrong: 'SELECT * FROM t WHERE a = {{p}}',
    say: 'Parameters such as {{p}} do not exist here. Use auth, connection or subscription functions.',
  },
  {
    wrong: 'SELECT * FROM t LIMIT ALL',
    say: 'Remove LIMIT ALL: without LIMIT there is no limit.',
    right: 'SELECT * FROM t ',
  },
  {
    wrong: 'SELECT * FROM t NATURAL JOIN u',
    say: 'NATURAL JOIN is not supported. Write JOIN … ON a.x = b.x.',
  },
  {
    wrong: 'SELECT * FROM t, LATERAL f(1)',
    say: 'Remove LATERAL: a function in FROM can use the tables before it.',
  },
  {
    wrong: 'SELECT * FROM (SELECT 1 FROM x) WHERE a',
    say: 'A subquery in FROM needs a name: (SELECT …) AS q.',
    right: 'SELECT * FROM (SELECT 1 FROM x) AS q WHERE a',
  },
  { wrong: 'SELECT a b c FROM t', say: 'Unexpected `c`. Expected a comma, AS or FROM.' },
  {
    wrong: 'SELECT * FRM boats WHERE a = 1 AND',
    say: 'Unexpected `FRM`. Did you mean FROM?',
    right: 'SELECT * FROM boats WHERE a = 1 AND',
  },
  {
    wrong: 'SELEC * FROM boats',
    say: 'Unexpected `SELEC`. Did you mean SELECT?',
    right: 'SELECT * FROM boats',
  },
  {
    wrong: 'SELECT * FROM boats WEHRE a = 1',
    say: 'Unexpected `WEHRE`. Did you mean WHERE?',
    right: 'SELECT * FROM boats WHERE a = 1',
  },
  {
    wrong: 'SELECT * FROM boats b WHERE a = 1 ADN b = 2',
    say: 'Unexpected `ADN`. Did you mean AND?',
    right: 'SELECT * FROM boats b WHERE a = 1 AND b = 2',
  },
  {
    wrong: 'SELECT (a FROM t',
    say: 'The parenthesis after `SELECT` is never closed.',
    right: 'SELECT (a) FROM t',
  },
  {
    wrong: 'SELECT a) FROM t',
    say: 'This parenthesis was never opened. Remove it.',
    right: 'SELECT a FROM t',
  },
  {
    wrong: "SELECT * FROM t WHERE a = 'x",
    say: "This text is never closed. Put a single quote at its end; inside, a quote is written ''.",
  },
  {
    wrong: "SELECT * FROM t WHERE a = 'it's fine'",
    say: "The text ends here. A quote inside a text is written ''.",
  },
  {
    wrong: "SELECT * FROM t WHERE a = 'x' 'y'",
    say: "Two texts cannot follow each other directly. Join them with ||; a quote inside a text is written ''.",
    right: "SELECT * FROM t WHERE a = 'x' || 'y'",
  },
  { wrong: 'SELECT * FROM t WHERE a = "x', say: 'This name is never closed. Put a double quote at its end.' },
  {
    wrong: 'SELECT * FROM t WHERE a = 1e5',
    say: 'Exponents are not supported. Write all digits instead of 1e5.',
  },
  {
    wrong: 'SELECT * FROM t WHERE a = 1e-5',
    say: 'Exponents are not supported. Write all digits instead of 1e-5.',
  },
  {
    wrong: 'SELECT * FROM t WHERE a = 0xFF AND b = 1_000',
    say: 'Hexadecimal numbers are not supported. Write 255.',
    right: 'SELECT * FROM t WHERE a = 255 AND b = 1_000',
  },
  {
    wrong: 'SELECT * FROM t WHERE a = NOT b',
    say: 'After an operator, put NOT and its operand in parentheses: a = (NOT b).',
  },
  {
    wrong: 'SELECT * FROM t WHERE a = ‘x’',
    say: 'Curly quotes are not allowed. Write strings in plain single quotes.',
    right: "SELECT * FROM t WHERE a = 'x'",
  },
  {
    wrong: 'SELECT * FROM t WHERE a = “x” AND b = 1',
    say: 'Curly quotes are not allowed. Write strings in \' and names in ".',
    right: 'SELECT * FROM t WHERE a = "x" AND b = 1',
  },
  {
    wrong: 'SELECT größe FROM t',
    say: 'Names with letters such as ö need double quotes: "größe".',
    right: 'SELECT "größe" FROM t',
  },
  {
    wrong: 'SELECT "" FROM t',
    say: "A name cannot be empty. An empty text is written with single quotes: ''.",
    right: "SELECT '' FROM t",
  },
  { wrong: 'SELECT "a*" FROM t', say: 'A name in double quotes cannot contain a star.' },
  { wrong: 'SELECT a // comment', say: 'A comment starts with --.' },
  { wrong: 'SELECT a FROM t */', say: 'This comment was never opened. A comment starts with /*.' },
  {
    wrong: 'SELECT * FROM log_% WHERE a',
    say: 'A table pattern needs double quotes: "log_%".',
    right: 'SELECT * FROM "log_%" WHERE a',
  },
  {
    wrong: 'SELECT * FROM my-table',
    say: 'A name with a dash needs double quotes: "my-table".',
    right: 'SELECT * FROM "my-table"',
  },
  {
    wrong: 'SELECT * FROM t WHERE a IN ()',
    say: 'The list after IN is empty. To match nothing, write IN ARRAY[].',
    right: 'SELECT * FROM t WHERE a IN ARRAY[]',
  },
  {
    wrong: "SELECT * FROM t WHERE a IN ['a']",
    say: 'Unexpected `[`. A list is written ARRAY[…].',
    right: "SELECT * FROM t WHERE a IN ARRAY['a']",
  },
  {
    wrong: 'SELECT * FROM t WHERE a IN (1,)',
    say: 'Nothing follows the comma. Remove the comma or add a value.',
    right: 'SELECT * FROM t WHERE a IN (1)',
  },
  {
    wrong: 'SELECT * FROM t WHERE a <=> b',
    say: 'Unexpected `<=>`. Write a = b OR (a IS NULL AND b IS NULL).',
  },
  {
    wrong: 'SELECT * FROM t WHERE a => b',
    say: 'Unexpected `=>`. Write >=.',
    right: 'SELECT * FROM t WHERE a >= b',
  },
  {
    wrong: 'SELECT * FROM t WHERE a IS 5',
    say: 'Unexpected `5`. After IS only NULL, TRUE and FALSE are possible, with or without NOT.',
  },
  { wrong: 'SELECT * FROM t WHERE a IS UNKNOWN', say: 'IS UNKNOWN is not supported. Write IS NULL.' },
  {
    wrong: 'SELECT * FROM t WHERE a IS NOT DISTINCT FROM b',
    say: 'IS DISTINCT FROM is not supported. Compare with = or !=, and with IS NULL.',
  },
  {
    wrong: 'SELECT * FROM t WHERE a = 1, b = 2',
    say: 'Join conditions with AND, not with a comma.',
    right: 'SELECT * FROM t WHERE a = 1 AND b = 2',
  },
  {
    wrong: 'SELECT * FROM t WHERE a = 1 HAVING b',
    say: 'HAVING is possible only after GROUP BY. Write the condition in WHERE.',
  },
  { wrong: 'SELECT * FROM t GROUP BY a WHERE b', say: 'WHERE must be before GROUP BY, ORDER BY and LIMIT.' },
  {
    wrong: 'SELECT * FROM t WHERE a WHERE b',
    say: 'There is already a WHERE. Join the conditions with AND.',
  },
  { wrong: 'SELECT * FROM t WHERE a JOIN u ON b', say: 'JOIN belongs to FROM, before WHERE.' },
  { wrong: 'SELECT * FROM t WHERE a b', say: 'Unexpected `b`. Expected an operator such as =, AND or OR.' },
  {
    wrong: 'SELECT * FROM t WHERE a =',
    say: "The query ends after `=`. Expected a value, such as a column, a number, a 'text' or a function.",
  },
  { wrong: 'SELECT * FROM', say: 'The query ends after `FROM`. Expected a table.' },
  { wrong: 'SELECT * FROM t JOIN ON a = b', say: 'Unexpected `ON`. Expected a table.' },
  { wrong: 'SELECT * FROM t LEFT u ON a = b', say: 'Unexpected `u`. Expected JOIN.' },
  {
    wrong: 'SELECT * FROM t OUTER JOIN u',
    say: 'OUTER needs LEFT, RIGHT or FULL before it. Sync queries have inner joins only: write JOIN.',
  },
  {
    wrong: 'SELECT * INTO x FROM t',
    say: 'SELECT INTO is not supported. Remove INTO and the name after it.',
  },
  {
    wrong: 'SELECT * FROM t WHERE a -> b = 1',
    say: "A key is a text. Put it in single quotes: 'b'.",
    right: "SELECT * FROM t WHERE a -> 'b' = 1",
  },
  {
    wrong: "SELECT a AS 'b' FROM t",
    say: 'Write a name in double quotes: "b".',
    right: 'SELECT a AS "b" FROM t',
  },
  {
    wrong: 'SELECT a AS order FROM t',
    say: '`order` is a reserved word. As a name it needs double quotes: "order".',
    right: 'SELECT a AS "order" FROM t',
  },
  {
    wrong: "SELECT * FROM 'boats'",
    say: 'Write a table name in double quotes: "boats".',
    right: 'SELECT * FROM "boats"',
  },
  { wrong: 'SELECT * FROM a.b.c', say: 'A table name has at most two parts: schema.table.' },
  { wrong: 'SELECT a.b.c.d FROM t', say: 'A name has at most three parts: schema.table.column.' },
  { wrong: 'SELECT left(a, 1) FROM t', say: 'There is no function `left`. Write substring(x, 1, n).' },
  { wrong: 'SELECT * FROM t WHERE a = SELECT b FROM c', say: 'Put the subquery in parentheses: (SELECT …).' },
  {
    wrong: 'SELECT * FROM t SELECT * FROM u',
    say: 'A second SELECT begins here. Make it a separate query, or put a subquery in parentheses.',
  },
  {
    wrong: 'SELECT CASE WHEN a THEN b FROM t',
    say: 'Unexpected `FROM`. CASE needs END; before it, WHEN and ELSE are possible.',
  },
  { wrong: 'SELECT CASE a WHEN 1 2 END FROM t', say: 'Unexpected `2`. Expected THEN.' },
  { wrong: 'SELECT CAST(a text) FROM t', say: 'Unexpected `text`. Expected AS and a type.' },
  {
    wrong: 'SELECT CAST(a AS) FROM t',
    say: 'Unexpected `)`. Expected a type: text, integer, real, numeric or blob.',
  },
  { wrong: 'SELECT a BETWEEN 1 FROM t', say: 'Unexpected `FROM`. BETWEEN needs AND and its upper bound.' },
  { wrong: 'SELECT a NOT b FROM t', say: 'Unexpected `b`. After a value, NOT needs IN, LIKE or BETWEEN.' },
  {
    wrong: "SELECT a LIKE 'x' ESCAPE '!' FROM t",
    say: 'LIKE and ESCAPE are not supported. Use substring() or instr().',
  },
  {
    wrong: 'SELECT a COLLATE nocase FROM t',
    say: 'COLLATE is not supported, because text is compared by its characters. Compare lower(x).',
  },
  { wrong: 'SELECT TOP 10 * FROM t', say: 'TOP is not supported: sync queries choose rows one by one.' },
  { wrong: 'foo bar', say: 'Unexpected `foo`. A query starts with SELECT.' },
  { wrong: '(SELECT 1)', say: 'Remove the parentheses around SELECT.' },
  { wrong: '', say: 'There is no query here. Write SELECT … FROM ….' },
  { wrong: ';', say: 'The query ends after `;`. A query starts with SELECT.' },
  {
    wrong: 'SELECT a – b FROM t',
    say: 'Unexpected `–`. Write a plain minus: -.',
    right: 'SELECT a - b FROM t',
  },
  {
    wrong: "SELECT E'\\q' FROM t",
    say: "Unknown escape sequence. E'…' supports \\n, \\t, \\r, \\b, \\f and \\\\; a quote is written ''.",
  },
  { wrong: 'SELECT $$a$$ FROM t', say: 'Texts in $$ are not supported. Use single quotes.' },
  {
    wrong: 'SELECT f(a b c, d), g(h FROM t) WHERE x',
    say: 'Unexpected `b`. Expected an operator, a comma or a closing parenthesis.',
  },
  { wrong: 'SELECT * FROM t WHERE a = 1 AND AND b = 2', say: 'A value is missing before `AND`.' },
  { wrong: 'SELECT * FROM t WHERE AND b = 2', say: 'A value is missing before `AND`.' },
  { wrong: 'SELECT * FROM t WHERE a = = b', say: 'A value is missing before `=`.' },
  {
    wrong: 'SELECT * FROM t WHERE a < > b',
    say: 'Write <> without a space.',
    right: 'SELECT * FROM t WHERE a <> b',
  },
  { wrong: 'SELECT x::text[ FROM t', say: 'A value is missing before `FROM`.' },
  { wrong: 'SELECT a[1:2] FROM t', say: 'Unexpected `:`. Expected a closing bracket.' },
  { wrong: 'SELECT a\u0000b FROM t', say: 'The character U+0000 is not allowed here.' },
  { wrong: 'SELECT a \ud800 FROM t', say: 'The character U+D800 is not allowed here.' },
  { wrong: 'SELECT \\a FROM t', say: 'A backslash has no meaning outside a text.' },
  { wrong: 'SELECT 2 ** 3 FROM t', say: 'There is no power operator. Multiply instead.' },
  { wrong: 'SELECT * FROM t AS', say: 'The query ends after `AS`. Expected a name after AS.' },
  { wrong: 'SELECT * FROM t ORDER a', say: 'Unexpected `a`. Expected BY.' },
  {
    wrong: 'SELECT * FROM t WHERE auth.',
    say: 'The query ends after `.`. Expected a column name after the dot.',
  },
  { wrong: 'SELECT t. FROM t', say: 'Unexpected `FROM`. Expected a column name after the dot.' },
  { wrong: 'SELECT DISTINCT ON a FROM t', say: 'Unexpected `a`. Expected an opening parenthesis.' },
  { wrong: 'SELECT ALL (a) FROM t', say: 'Unexpected `ALL`. Remove ALL before the parenthesis.' },
  {
    wrong: 'SELECT default.x FROM t',
    say: '`default` is a reserved word. As a name it needs double quotes: "default".',
    right: 'SELECT "default".x FROM t',
  },
  {
    wrong: "SELECT * FROM t WHERE end = 1 AND user = 'x'",
    say: '`end` is a reserved word. As a name it needs double quotes: "end".',
    right: 'SELECT * FROM t WHERE "end" = 1 AND user = \'x\'',
  },
  {
    wrong: 'SELECT * FROM t WHERE desc = 1',
    say: '`desc` is a reserved word. As a name it needs double quotes: "desc".',
    right: 'SELECT * FROM t WHERE "desc" = 1',
  },
  {
    wrong: 'SELECT * FROM group',
    say: '`group` is a reserved word. As a name it needs double quotes: "group".',
    right: 'SELECT * FROM "group"',
  },
  {
    wrong: 'SELECT * FROM order WHERE a = 1',
    say: '`order` is a reserved word. As a name it needs double quotes: "order".',
    right: 'SELECT * FROM "order" WHERE a = 1',
  },
  {
    wrong: 'SELECT * FROM t, group WHERE a',
    say: '`group` is a reserved word. As a name it needs double quotes: "group".',
    right: 'SELECT * FROM t, "group" WHERE a',
  },
  {
    wrong: 'SELECT a\u200b FROM t',
    say: 'There is an invisible character (U+200B). Write a space.',
    right: 'SELECT a  FROM t',
  },
  {
    wrong: 'SELECT $p, {{q}}',
    say: 'Parameters such as $p do not exist here. Use auth, connection or subscription functions.',
  },
];

describe('each mistake has its own message', () => {
  test.each(mistakes)('$wrong', ({ wrong, say, right }) => {
    const [problem] = parseSql(wrong).problems;
    expect(problem?.problem).toBe(say);
    expect(problem?.fix && repaired(wrong, problem.fix)).toBe(right);
  });
});

test('a repair removes the first mistake', () => {
  for (const { wrong, right } of mistakes) {
    if (right === undefined) continue;
    const [before] = parseSql(wrong).problems;
    const [after] = parseSql(right).problems;
    expect(
      after === undefined || after.span.start !== before?.span.start || after.problem !== before.problem,
    ).toBe(true);
  }
});

function repaired(
  text: string,
  fix: { readonly span: { start: number; end: number }; readonly text: string },
): string {
  return text.slice(0, fix.span.start) + fix.text + text.slice(fix.span.end);
}
