import { describe, expect, test } from 'vitest';
import type { Expr, Statement } from '../../../server/engine/sql/ast.ts';
import { parseSql } from '../../../server/engine/sql/parser/parser.ts';
import { children } from '../../../server/engine/sql/walk.ts';
import type { Span } from '../../../server/engine/text/span.ts';

/** Each drawing is a query, and below it expected spans with their labels. */
const drawings: readonly string[] = [
  `
SELECT t.id AS "Id", s.t.*, 'it''s' FROM s.t
       ^^^^ reference
       ^^^^^^^^^^^^ column
               ^^^^ alias
                     ^^^^^ star
                            ^^^^^^^ literal
                                         ^^^ table name
`,
  `
SELECT (a + (b)) * c, -(d), NOT e, f IS NOT NULL
       ^^^^^^^^^ outer
        ^^^^^^^ binary
            ^^^ outer
             ^ reference
       ^^^^^^^^^^^^^ binary
          ^ operator
                 ^ operator
                      ^^^^ unary
                            ^^^^^ unary
                                   ^^^^^^^^^^^^^ is
`,
  `
SELECT * FROM t WHERE a NOT IN (1, 2) AND b IN (SELECT c FROM u) AND (d) BETWEEN 1 AND (2)
                      ^^^^^^^^^^^^^^^ in
                        ^^^^^^ operator
                                ^^^^ list
                               ^^^^^^ outer
                                          ^^^^^^^^^^^^^^^^^^^^^^ in
                                                ^^^^^^^^^^^^^^^ subquery
                                                ^^^^^^^^^^^^^^^ select
                                               ^^^^^^^^^^^^^^^^^ outer
                                                                     ^^^^^^^^^^^^^^^^^^^^^ between
`,
  `
SELECT auth.parameter('x'), upper(DISTINCT a), x::pg.varchar(10)[], CAST(a AS double precision), date '2024'
       ^^^^^^^^^^^^^^^^^^^ call
       ^^^^^^^^^^^^^^ call name
                            ^^^^^ call name
                                  ^^^^^^^^ modifier
                                               ^^^^^^^^^^^^^^^^^^^ cast
                                                  ^^^^^^^^^^^^^^^^ type
                                                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^ cast
                                                                              ^^^^^^^^^^^^^^^^ type
                                                                                                 ^^^^ type
                                                                                                 ^^^^^^^^^^^ cast
`,
  `
SELECT j -> 'a' ->> 0, a[1], ARRAY[1, 2], ROW(1), CASE WHEN a THEN b END, $1, user, substring(a FROM 1)
       ^^^^^^^^^^^^^^ member
       ^^^^^^^^ member
                       ^^^^ index
                             ^^^^^^^^^^^ list
                                          ^^^^^^ list
                                                  ^^^^^^^^^^^^^^^^^^^^^^ case
                                                                          ^^ parameter
                                                                              ^^^^ keyword
                                                                                    ^^^^^^^^^^^^^^^^^^^ special
`,
  `
SELECT * FROM s.t AS x, f(1) WITH ORDINALITY e, (SELECT 1) q LEFT JOIN u y ON a = b JOIN v USING (c)
              ^^^ table name
              ^^^^^^^^ source
                     ^ alias
                        ^^^^ source call
                        ^^^^^^^^^^^^^^^^^^^^^^ source
                                                 ^^^^^^^^ select
                                                ^^^^^^^^^^^^ source
                                                             ^^^^^^^^^^^^^^^^^^^^^^ join
                                                                       ^^^ source
                                                                                           ^^^^^^^^^ using
`,
  `
SELECT DISTINCT ON (a) b FROM t GROUP BY a, b HAVING c ORDER BY d DESC, e
       ^^^^^^^^^^^^^^^ distinct
                                ^^^^^^^^^^^^^ GROUP BY
                                              ^^^^^^^^ HAVING
                                                       ^^^^^^^^^^^^^^^^^^ ORDER BY
`,
  `
SELECT 1 LIMIT 10 OFFSET 5 FOR NO KEY UPDATE SKIP LOCKED
         ^^^^^^^^^^^^^^^^^ LIMIT
                           ^^^^^^^^^^^^^^^^^ FOR
                                             ^^^^^^^^^^^ SKIP LOCKED
`,
  `
SELECT 1 OFFSET 5 ROWS
         ^^^^^^^^^^^^^ OFFSET
`,
  `
SELECT 1 FETCH FIRST 5 ROWS ONLY
         ^^^^^^^^^^^^^^^^^^^^^^^ FETCH
`,
  `
 ; SELECT 1 ; INSERT INTO t VALUES (1) ;
   ^^^^^^^^ select
              ^^^^^^^^^^^^^^^^^^^^^^^^ INSERT
`,
];

describe('spans', () => {
  for (const drawing of drawings) {
    const [query = '', ...lines] = drawing.slice(1, -1).split('\n');
    const found = spansOf(query).map(
      ({ label, span }) => `${' '.repeat(span.start)}${'^'.repeat(span.end - span.start)} ${label}`,
    );
    test(query, () => {
      for (const line of lines) expect(found).toContain(line);
    });
  }
});

describe('the place of a mistake', () => {
  const mistakes: readonly (readonly [query: string, line: string])[] = [
    ['SELECT * FROM boats SELECT', '                    ^^^^^^'],
    ['SELECT id, n -1 AS m FROM boats', '             ^^'],
    ['SELECT a, FROM boats', '        ^'],
    ['SELEC * FROM boats', '^^^^^'],
    ['SELECT * FRM boats', '         ^^^'],
    ['SELECT * FROM boats WHER a = 1', '                    ^^^^'],
    ['SELECT * FROM boats WHERE a = 1 AN b = 2', '                                ^^'],
    ['SELECT t.order FROM t', '         ^^^^^'],
    ['SELECT * FROM boats WHERE', '                    ^^^^^'],
    ['SELECT * FROM boats WHERE a b  ', '                            ^'],
    ['SELECT `a` FROM boats', '       ^^^'],
    ["SELECT id,\n  name FROM boats WHERE a = 'b", '                                       ^^'],
    ['SELECT a b c FROM `d`', '           ^'],
    ["SELECT 1 /* it's mine */ FROM t", '^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^'],
  ];
  test.each(mistakes)('%s', (query, line) => {
    const span = parseSql(query).problems[0]?.span ?? { start: 0, end: 0 };
    expect(' '.repeat(span.start) + '^'.repeat(span.end - span.start)).toBe(line);
  });
});

interface LabelledSpan {
  readonly label: string;
  readonly span: Span;
}

function spansOf(query: string): LabelledSpan[] {
  return parseSql(query).statements.flatMap(ofStatement);
}

function ofStatement(statement: Statement): LabelledSpan[] {
  if (statement.kind === 'other') return [{ label: statement.what, span: statement.span }];
  const labelled: LabelledSpan[] = [{ label: 'select', span: statement.span }];
  const add = (label: string, span: Span | undefined): void => {
    if (span) labelled.push({ label, span });
  };
  add('distinct', statement.distinct);
  for (const { expr, alias, span } of statement.columns) {
    add('column', span);
    add('alias', alias?.span);
    labelled.push(...ofExpr(expr));
  }
  for (const { source, join } of statement.from) {
    add('source', source.span);
    add('alias', source.alias?.name.span);
    if (source.kind === 'subquery') labelled.push(...ofStatement(source.query));
    else add('table name', source.nameSpan);
    if (source.kind === 'function') add('source call', source.callSpan);
    add('join', join?.span);
    add('using', join?.using);
    if (join?.on) labelled.push(...ofExpr(join.on));
  }
  if (statement.where) labelled.push(...ofExpr(statement.where));
  for (const { clause, span } of statement.refused) add(clause, span);
  return labelled;
}

function ofExpr(expr: Expr): LabelledSpan[] {
  return [
    { label: expr.kind, span: expr.span },
    ...(expr.outer ? [{ label: 'outer', span: expr.outer }] : []),
    ...(expr.kind === 'binary' || expr.kind === 'in' ? [{ label: 'operator', span: expr.opSpan }] : []),
    ...(expr.kind === 'cast' ? [{ label: 'type', span: expr.type.span }] : []),
    ...(expr.kind === 'call' ? [{ label: 'call name', span: expr.nameSpan }] : []),
    ...(expr.kind === 'call' ? expr.modifiers.map(({ span }) => ({ label: 'modifier', span })) : []),
    ...(expr.kind === 'subquery' ? ofStatement(expr.query) : []),
    ...children(expr).flatMap(ofExpr),
  ];
}
