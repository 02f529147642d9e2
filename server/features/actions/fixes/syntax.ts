/** Repairs of text that the SQL parser cannot read, and of clauses that have no effect. */

import { tokenize } from '../../../engine/sql/lexer.ts';
import { reservedWords } from '../../../engine/sql/words.ts';
import { type Edit, shiftEdits } from '../../../engine/text/edit.ts';
import { lineStart } from '../../../engine/text/lines.ts';
import { span } from '../../../engine/text/span.ts';
import { endOfLineOf } from '../../../engine/yaml/columns.ts';
import type { Fix, Fixes, SqlSubject } from '../fix.ts';
import {
  allSelects,
  holds,
  inSql,
  isSame,
  removeSpan,
  replaceSpan,
  selectAround,
  sqlFix,
  sqlWithin,
  sure,
  tokensAround,
} from '../sqlEdits.ts';
import { rewriteOf } from './callRewrites.ts';
import { requestValue } from './requestValue.ts';

export const syntaxFixes: Fixes = {
  'sql-syntax': inSql((sql, _, { at }) => {
    const { problems } = sql.text.sql;
    const problem = problems.find((one) => isSame(sql.text.place(one.span), at));
    if (!problem?.fix) return [...reservedCall(sql), ...placeholders(sql)];
    const { title, span: place, text } = problem.fix;
    const edit = replaceSpan(place, text);
    return sqlFix(sql, title, [edit], decidesRows(sql, edit) ? {} : sure);
  }),
  'ignored-statement': inSql((sql) => {
    const end = sql.text.sql.statements[0]?.span.end;
    if (end === undefined) return [];
    const { text } = sql.text.sql;
    return sqlFix(sql, 'Remove the ignored text', [{ span: span(end, text.trimEnd().length), text: '' }]);
  }),
  'unsupported-clause': inSql((sql) => {
    for (const { refused, distinct, all } of allSelects(sql)) {
      const clause = refused.find(({ span: whole }) => isSame(whole, sql.span));
      if (clause) return sqlFix(sql, `Remove ${clause.clause}`, [removeSpan(sql, clause.span)], sure);
      if (distinct && holds(sql.span, distinct))
        return sqlFix(sql, 'Remove DISTINCT', [removeSpan(sql, distinct)], sure);
      if (all && holds(sql.span, all)) return sqlFix(sql, 'Remove ALL', [removeSpan(sql, all)], sure);
    }
    return [];
  }),
  'ignored-distinct': inSql((sql) => {
    const distinct = selectAround(sql)?.distinct;
    return distinct ? sqlFix(sql, 'Remove DISTINCT', [removeSpan(sql, distinct)], sure) : [];
  }),
  'event-where-ignored': inSql((sql) => {
    const where = selectAround(sql)?.where;
    if (!where) return [];
    const { start, end } = where.outer ?? where.span;
    const [keyword] = tokensAround(sql, start);
    return keyword ? sqlFix(sql, 'Remove WHERE', [removeSpan(sql, span(keyword.start, end))], sure) : [];
  }),
  'multiple-statements': inSql((sql, _, { part, path }) => {
    const list = path.at(-1)?.above.at(-1);
    const first = sql.text.sql.statements[0];
    if (list?.kind !== 'sequence' || list.flow || !first) return [];
    return splitInList(
      sql,
      sql.text.sql.text.slice(sql.span.start).trim(),
      first.span.end,
      part.reading.text,
    );
  }),
  'yaml-syntax': ({ analysis, finding }) => [
    ...spacesForTabs(analysis.text),
    ...blockInstead(analysis.text, finding.span.start),
  ],
};

/** Whether a parenthesis decides how conditions are joined. If so, it may belong to another place, and the fix is not sure. */
function decidesRows(sql: SqlSubject, { span: { start, end }, text }: Edit): boolean {
  const tokens = tokenize(sql.text.sql.text).tokens.filter(({ kind }) => kind !== 'string');
  const findJoins = (some: typeof tokens) =>
    new Set(some.map((token) => token.text).filter((word) => /^(?:and|or|not)$/.test(word)));
  if (text !== ')') return sqlWithin(sql, { start, end }) === ')' && findJoins(tokens).size > 1;
  const before = tokens.filter((token) => token.end <= start);
  const open: number[] = [];
  for (const [index, token] of before.entries())
    if (token.text === '(') open.push(index);
    else if (token.text === ')') open.pop();
  const from = open.at(-1) ?? 0;
  const inside = before.slice(from);
  const callee = before[from - 1];
  const isCall = callee?.kind === 'word' && !reservedWords.has(callee.text);
  return findJoins(inside).size > 0 || (isCall && inside.some((token) => /^[=<>!]/.test(token.text)));
}

/** Makes the second statement the next item of the list. */
function splitInList(
  sql: Parameters<typeof sqlFix>[0],
  second: string,
  end: number,
  source: string,
): readonly Fix[] {
  const { scalar, part } = sql;
  if (scalar.style !== 'plain' || second.includes('\n')) return [];
  const lead = source.slice(lineStart(source, scalar.span.start), scalar.span.start);
  if (!/^ *- *$/.test(lead)) return [];
  const rest = sql.text.place(span(end, sql.text.sql.text.length));
  const text = `${endOfLineOf(source)}${lead}${second.replace(/;\s*$/, '')}`;
  return [{ title: 'Make it a separate query', edits: shiftEdits([{ span: rest, text }], part.base) }];
}

/** Rewrites a plain value as a block. A colon followed by a space would end a plain value, but a block may contain it. */
function blockInstead(text: string, offset: number): readonly Fix[] {
  const start = lineStart(text, offset);
  const end = text.indexOf('\n', offset);
  const line = text.slice(start, end < 0 ? text.length : end).replace(/\r$/, '');
  const [, lead = '', , value] = /^( *(?:- +)?)([\w-]+:|-) +(SELECT\b.*)$/i.exec(line) ?? [];
  if (value === undefined || !/: |:$/.test(value)) return [];
  const indent = ' '.repeat(lead.length + 2);
  const at = span(start + line.length - value.length, start + line.length);
  return [
    { title: 'Make it a block', edits: [{ span: at, text: `|${endOfLineOf(text)}${indent}${value}` }] },
  ];
}

/** Rewrites a call such as `left(x, 3)`, whose name is a reserved word at which the parser stops. */
function reservedCall(sql: SqlSubject): readonly Fix[] {
  const { tokens } = tokenize(sql.text.sql.text);
  const first = tokens.findIndex(({ start }) => start === sql.span.start);
  const args: { start: number; end: number }[] = [];
  let depth = 0;
  for (const { kind, text, end } of tokens.slice(first + 1)) {
    if (kind === 'end' || (depth === 0 && text !== '(')) return [];
    const last = args.at(-1);
    if (text === '(' && depth++ === 0) args.push({ start: end, end });
    else if (text === ')' && --depth === 0) {
      const call = { exprs: [], args: args.map((arg) => sqlWithin(sql, arg).trim()) };
      const written = rewriteOf(tokens[first]?.text ?? '', call);
      if (written === undefined) return [];
      return sqlFix(sql, `Write ${written}`, [replaceSpan(span(sql.span.start, end), written)]);
    } else if (text === ',' && depth === 1) args.push({ start: end, end });
    else if (last) last.end = end;
  }
  return [];
}

/** Replaces the placeholders of templates and drivers, such as `:list_id`, `{{ list_id }}` and `${list_id}`, all at once. */
function placeholders(sql: Parameters<typeof sqlFix>[0]): readonly Fix[] {
  const found = [
    ...sql.text.sql.text.matchAll(
      /(?<![:\w'])(?:'?\$?\{\{? *(?<braced>[A-Za-z_]\w*) *\}\}?'?|:(?<bound>[A-Za-z_]\w*))/g,
    ),
  ];
  const edits = found.map(({ 0: whole, index, groups }) =>
    replaceSpan(
      span(index, index + whole.length),
      requestValue('subscription', groups?.braced ?? groups?.bound ?? ''),
    ),
  );
  const [first] = edits;
  return first === undefined ? [] : sqlFix(sql, `Write ${first.text}`, edits);
}

/** Replaces tabs with spaces, because YAML does not allow tabs as indentation. */
function spacesForTabs(text: string): readonly Fix[] {
  const edits = [...text.matchAll(/^[ \t]*\t[ \t]*/gm)].map(({ 0: indent, index }) => ({
    span: span(index, index + indent.length),
    text: indent.replaceAll('\t', '  '),
  }));
  return edits.length === 0 ? [] : [{ title: 'Indent with spaces', edits, ...sure }];
}
