/** Extracts a subquery of a stream to a common table expression of the stream. */
import { sqlLines } from '../../../engine/migrate/yamlText.ts';
import type { StreamDefinition } from '../../../engine/model/definition.ts';
import type { Select } from '../../../engine/sql/ast.ts';
import { tokenize } from '../../../engine/sql/lexer.ts';
import { unusedName } from '../../../engine/sql/names.ts';
import { type Edit, shiftEdits } from '../../../engine/text/edit.ts';
import type { Span } from '../../../engine/text/span.ts';
import { nodesAt } from '../../../engine/yaml/find.ts';
import type { YamlMap } from '../../../engine/yaml/nodes.ts';
import { editScalar } from '../../../engine/yaml/scalarEdits.ts';
import { nameFor } from '../../reading/writing.ts';
import type { Action } from '../action.ts';
import { allExpressions, allSelects, holds, outerOf, sqlWithin } from '../sqlEdits.ts';
import { entryNamed, insertingKey } from '../yamlEdits.ts';
import { type ActionPlace, keepsMeaning, type SqlSelection, sqlSelection } from './place.ts';

export function extractCte(place: ActionPlace): readonly Action[] {
  const { analysis } = place;
  const sql = sqlSelection(place);
  const stream = sql?.owner?.definition;
  if (!sql || stream?.kind !== 'stream' || analysis.config?.surroundings.options.edition !== 3) return [];
  const found = subqueryAt(sql);
  const map = mapOf(sql, stream);
  if (!found || !map || stream.ctes.some(({ query }) => query === sql.text)) return [];
  const taken = wordsOf(place, sql, stream);
  const name = unusedName(baseName(found), (candidate) => taken.has(candidate));
  const query = sqlWithin(sql, found.select.span);
  const change = editScalar(sql.part.reading, sql.scalar, [{ span: found.at, text: nameFor(name) }]);
  if (!change) return [];
  const edits: Edit[] = [...shiftEdits(change, sql.part.base), ...addCte(sql, map, name, query)];
  const title = `Extract to the CTE ${name}`;
  return keepsMeaning(analysis, edits) ? [{ title, kind: 'refactor.extract', edits }] : [];
}

interface Subquery {
  readonly select: Select;
  /** The span including the parentheses. */
  readonly at: Span;
  readonly alias?: string;
}

/** Returns the innermost subquery at the place. */
function subqueryAt(sql: SqlSelection): Subquery | undefined {
  const inExpressions = allExpressions(sql).flatMap((expr): Subquery[] =>
    expr.kind === 'subquery' && expr.query.kind === 'select' && expr.outer
      ? [{ select: expr.query, at: outerOf(expr) }]
      : [],
  );
  const inFrom = allSelects(sql)
    .flatMap(({ from }) => from)
    .flatMap(({ source }): Subquery[] => {
      if (source.kind !== 'subquery' || source.query.kind !== 'select') return [];
      if (!source.alias || source.alias.columns) return [];
      const end = sql.text.sql.text.indexOf(')', source.query.span.end) + 1;
      const at = { start: source.span.start, end };
      return [{ select: source.query, at, alias: source.alias.name.text }];
    });
  return [...inExpressions, ...inFrom]
    .filter(({ at }) => holds(at, sql.at))
    .sort((a, b) => a.at.end - a.at.start - (b.at.end - b.at.start))[0];
}

function mapOf({ part }: SqlSelection, stream: StreamDefinition): YamlMap | undefined {
  const found = nodesAt(part.reading.root, stream.span.start)
    .map(({ node }) => node)
    .find(
      ({ kind, span }) => kind === 'map' && span.start === stream.span.start && span.end === stream.span.end,
    );
  return found?.kind === 'map' ? found : undefined;
}

/** Returns a name for the CTE: from the alias of the subquery, or from the selected column, such as `boats_id`. */
function baseName({ select, alias }: Subquery): string {
  if (alias !== undefined) return `${alias}_rows`;
  const [column] = select.columns;
  const source = select.from[0]?.source;
  const table = source?.kind === 'subquery' ? source.alias?.name.text : source?.name.text;
  const selected =
    column?.alias?.text ?? (column?.expr.kind === 'reference' ? column.expr.column.text : 'value');
  return `${table ?? 'rows'}_${selected}`.toLowerCase().replace(/\W+/g, '_');
}

/**
 * Returns all words in the SQL of the stream and the names of all CTEs. A new CTE must not have any of these names, because it
 * would hide tables and columns.
 */
function wordsOf(
  { analysis }: ActionPlace,
  { owner }: SqlSelection,
  stream: StreamDefinition,
): ReadonlySet<string> {
  const texts = owner?.texts ?? [];
  const globals = analysis.config?.ctes.map(({ cte }) => cte) ?? [];
  return new Set([
    ...texts.flatMap(({ sql }) => tokenize(sql.text).tokens.map(({ text }) => text.toLowerCase())),
    ...[...globals, ...stream.ctes].map(({ name }) => name.toLowerCase()),
  ]);
}

function addCte({ part }: SqlSelection, map: YamlMap, name: string, query: string): readonly Edit[] {
  const ctes = entryNamed(map, 'with')?.value;
  if (ctes?.kind === 'map') {
    const entry = ctes.flow ? flowEntry(name, query) : sqlLines(`${name}:`, 2, query).join('\n');
    return insertingKey(part, ctes, entry);
  }
  if (ctes) return [];
  if (map.flow) return insertingKey(part, map, `with: {${flowEntry(name, query)}}`);
  return insertingKey(part, map, ['with:', ...sqlLines(`  ${name}:`, 4, query)].join('\n'));
}

function flowEntry(name: string, query: string): string {
  return `${name}: ${JSON.stringify(query)}`;
}
