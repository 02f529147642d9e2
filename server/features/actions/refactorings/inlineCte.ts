/** Replaces the uses of a common table expression with its query, and removes the CTE. */
import { append } from '../../../engine/ground/append.ts';
import type { Analysis, Part } from '../../../engine/index.ts';
import type { SqlText } from '../../../engine/model/definition.ts';
import { laidOut } from '../../../engine/sql/layout/layout.ts';
import { type Edit, shiftEdits } from '../../../engine/text/edit.ts';
import { shift } from '../../../engine/text/span.ts';
import { nodesAt } from '../../../engine/yaml/find.ts';
import { editScalar } from '../../../engine/yaml/scalarEdits.ts';
import { mentionAt, mentionsOfSymbol, type PlacedMention } from '../../reading/mentions.ts';
import { type WritableSql, writableTexts } from '../../reading/queries.ts';
import { nameFor } from '../../reading/writing.ts';
import type { Action } from '../action.ts';
import { allExpressions, allSelects, isSame, outerOf } from '../sqlEdits.ts';
import { pairOf, removingPair } from '../yamlEdits.ts';
import { type ActionPlace, keepsMeaning } from './place.ts';

export function inlineCte({ analysis, selection }: ActionPlace): readonly Action[] {
  const asked = mentionAt(analysis, selection.start);
  if (asked?.symbol.kind !== 'cte') return [];
  const mentions = mentionsOfSymbol(analysis, asked.symbol);
  const declaration = mentions.find(({ role }) => role === 'declaration');
  const uses = mentions.filter(({ role }) => role === 'reference');
  const query = declaration && queryOf(analysis, declaration);
  if (!declaration || !query || uses.length === 0) return [];
  const inlined = editsOfUses(analysis, uses, query);
  if (!inlined) return [];
  const edits = [...inlined, ...removal(analysis, declaration)];
  const title = `Inline the CTE ${asked.symbol.name}`;
  return keepsMeaning(analysis, edits) ? [{ title, kind: 'refactor.inline', edits }] : [];
}

/** Returns the query in one line, unless a comment in it requires a line break. */
function queryOf({ config }: Analysis, { span: name }: PlacedMention): string | undefined {
  const globals = config?.ctes ?? [];
  const own = (config?.definitions ?? []).flatMap(({ definition, part }) =>
    definition.kind === 'stream' ? definition.ctes.map((cte) => ({ cte, part })) : [],
  );
  const found = [...globals, ...own].find(({ cte, part }) => isSame(shift(cte.nameSpan, part.base), name));
  const text = found?.cte.query.sql.text.trim().replace(/;\s*$/, '');
  if (text === undefined) return undefined;
  const line = laidOut(text, { width: Number.POSITIVE_INFINITY, lines: 'one' });
  return line === undefined || line.includes('\n') ? text : line;
}

function editsOfUses(
  analysis: Analysis,
  uses: readonly PlacedMention[],
  query: string,
): readonly Edit[] | undefined {
  const texts = new Map<SqlText, WritableSql>();
  for (const sql of writableTexts(analysis)) texts.set(sql.text, sql);
  const bySql = new Map<WritableSql, Edit[]>();
  for (const { sql: place } of uses) {
    const sql = place && texts.get(place.text);
    const own = sql && place && useEdits(sql, place.span, query);
    if (!own) return undefined;
    bySql.set(sql, [...(bySql.get(sql) ?? []), ...own]);
  }
  const edits: Edit[] = [];
  for (const [{ part, scalar }, own] of bySql) {
    const made = editScalar(part.reading, scalar, own);
    if (!made) return undefined;
    append(edits, shiftEdits(made, part.base));
  }
  return edits;
}

/**
 * Replaces one use: `IN cte`, `cte && …`, or a table in FROM. A table gets the name of the CTE as its alias, so that its columns
 * still refer to it.
 */
function useEdits(sql: WritableSql, at: Edit['span'], query: string): readonly Edit[] | undefined {
  const reference = allExpressions(sql).find(
    (expr) => expr.kind === 'reference' && !expr.table && isSame(expr.column.span, at),
  );
  if (reference) return [{ span: outerOf(reference), text: `(${query})` }];
  for (const { from } of allSelects(sql))
    for (const { source } of from)
      if (source.kind === 'table' && isSame(source.name.span, at))
        return [{ span: at, text: `(${query})${source.alias ? '' : ` AS ${nameFor(source.name.text)}`}` }];
  const isQualifier = allExpressions(sql).some(
    (expr) =>
      (expr.kind === 'reference' || expr.kind === 'star') && expr.table && isSame(expr.table.span, at),
  );
  return isQualifier ? [] : undefined;
}

/** Removes the entry of the CTE, and also the `with` key if the entry is the only one. */
function removal({ config }: Analysis, { span: name }: PlacedMention): readonly Edit[] {
  const part: Part | undefined = config?.parts.findLast(({ base }) => base <= name.start);
  if (!part) return [];
  const path = nodesAt(part.reading.root, name.start - part.base);
  const key = path.findLast(({ node }) => isSame(shift(node.span, part.base), name));
  const entry = key && pairOf(key);
  if (!entry) return [];
  const outer = path.find(({ node }) => node === entry.map);
  const above = outer && pairOf(outer);
  return entry.map.pairs.length === 1 && above
    ? removingPair(part, above.map, above.pair)
    : removingPair(part, entry.map, entry.pair);
}
