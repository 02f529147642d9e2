import { parseSql } from '../sql/parser/parser.ts';
import {
  type DdlCursor,
  isIdentifier,
  isKeyword,
  readName,
  readParentheses,
  take,
  tokenAhead,
} from './cursor.ts';
import type { CreateView, DdlColumn } from './statement.ts';

/** Reads the statement after `CREATE VIEW`. The types of the columns are unknown. */
export function readCreateView(text: string, c: DdlCursor, form: CreateView['form']): CreateView | undefined {
  take(c, 'if', 'not', 'exists');
  const name = readName(c);
  if (!name) return undefined;
  const listed = readParentheses(c).flatMap(([token]): DdlColumn[] =>
    isIdentifier(token) ? [{ name: token.text, span: token, nullable: true }] : [],
  );
  if (listed.length > 0) return { kind: 'create view', name, form, columns: listed };
  while (tokenAhead(c) && !isKeyword(tokenAhead(c), 'as')) c.at += 1;
  const start = tokenAhead(c, 1)?.start;
  const end = c.tokens.at(-1)?.end;
  const columns = start === undefined ? undefined : columnsOfQuery(text.slice(start, end), start);
  return { kind: 'create view', name, form, ...(columns && { columns }) };
}

/** Returns undefined unless the query names every column. */
function columnsOfQuery(text: string, base: number): readonly DdlColumn[] | undefined {
  const { statements, problems } = parseSql(text);
  const [query] = statements;
  if (query?.kind !== 'select' || problems.length > 0) return undefined;
  const names = query.columns.map(({ alias, expr }) =>
    alias ? alias : expr.kind === 'reference' ? expr.column : undefined,
  );
  return names.every((name) => name !== undefined)
    ? names.map(({ text: name, span }) => ({
        name,
        span: { start: span.start + base, end: span.end + base },
        nullable: true,
      }))
    : undefined;
}
