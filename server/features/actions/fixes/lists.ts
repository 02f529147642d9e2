/** Repairs of a query that should be several queries, and of stars that should be columns. */
import { sqlLines } from '../../../engine/migrate/yamlText.ts';
import { tokenize } from '../../../engine/sql/lexer.ts';
import { shiftEdits } from '../../../engine/text/edit.ts';
import { columnOf } from '../../../engine/text/lines.ts';
import { type Span, span } from '../../../engine/text/span.ts';
import { endOfLineOf } from '../../../engine/yaml/columns.ts';
import type { Fix, Fixes, Subject } from '../fix.ts';
import { expandStar } from '../refactorings/star.ts';
import { inSql } from '../sqlEdits.ts';
import { entryNamed, mapIn, pairOf, removingPair } from '../yamlEdits.ts';

export const listFixes: Fixes = {
  'not-a-select': inSql((sql, { found }, subject) => {
    const queries = found === 'UNION' ? unionParts(sql.text.sql.text) : [];
    return queries.length > 1 ? inQueries(subject, queries) : [];
  }),
  'query-or-queries': (subject) => (subject.finding.args.found === 'both' ? merge(subject) : []),
  'star-in-subquery': ({ analysis, finding }) =>
    expandStar({ analysis, selection: finding.span }).map(({ title, edits }) => ({ title, edits })),
};

/** Splits a UNION into its queries. UNION and UNION ALL have the same effect, because a row is synced only once. */
function unionParts(text: string): readonly string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  const { tokens } = tokenize(text);
  for (const [index, token] of tokens.entries()) {
    if (token.text === '(') depth++;
    if (token.text === ')') depth--;
    if (depth > 0 || token.kind !== 'word' || token.text !== 'union') continue;
    parts.push(text.slice(start, token.start));
    const next = tokens[index + 1];
    start = next?.kind === 'word' && /^(?:all|distinct)$/.test(next.text) ? next.end : token.end;
  }
  return [...parts, text.slice(start).replace(/;\s*$/, '')].map((part) => part.trim());
}

/** Writes the queries as items of the list that contains the query, or of a new list. */
function inQueries({ part, path }: Subject, queries: readonly string[]): readonly Fix[] {
  const found = path.at(-1);
  const list = found?.above.at(-1);
  const title = 'Write two queries';
  if (found && list?.kind === 'sequence' && !list.flow)
    return [
      {
        title,
        edits: shiftEdits([itemsAt(part.reading.text, list.span.start, found.node.span, queries)], part.base),
      },
    ];
  const place = found && pairOf(found);
  if (
    !found ||
    !place ||
    place.map.flow ||
    place.pair.key.kind !== 'scalar' ||
    place.pair.key.text !== 'query'
  )
    return [];
  const source = part.reading.text;
  const { start } = place.pair.key.span;
  const indent = columnOf(source, start) + 2;
  const lines = queries.flatMap((query) => sqlLines(`${' '.repeat(indent)}-`, indent + 2, query));
  const text = ['queries:', ...lines].join(endOfLineOf(source));
  return [{ title, edits: shiftEdits([{ span: span(start, found.node.span.end), text }], part.base) }];
}

/** Returns the span of an item from its dash to its end, and its new text. */
function itemsAt(source: string, list: number, at: Span, queries: readonly string[]) {
  const indent = columnOf(source, list);
  const lines = queries.flatMap((query) => sqlLines(`${' '.repeat(indent)}-`, indent + 2, query));
  const start = source.lastIndexOf('-', at.start);
  return { span: span(start, at.end), text: lines.join(endOfLineOf(source)).trimStart() };
}

/** Moves the single query to the start of the list. */
function merge({ part, path }: Subject): readonly Fix[] {
  const map = mapIn(path);
  const single = map && entryNamed(map, 'query');
  const list = map && entryNamed(map, 'queries')?.value;
  if (!map || map.flow || single?.value.kind !== 'scalar' || list?.kind !== 'sequence' || list.flow)
    return [];
  const source = part.reading.text;
  const { start } = list.span;
  const indent = columnOf(source, start);
  const lines = sqlLines(`${' '.repeat(indent)}-`, indent + 2, single.value.text.trim());
  const text = `${lines.join(endOfLineOf(source)).trimStart()}${endOfLineOf(source)}${' '.repeat(indent)}`;
  const inserted = shiftEdits([{ span: span(start, start), text }], part.base);
  return [{ title: 'Put the query into the list', edits: [...removingPair(part, map, single), ...inserted] }];
}
