/** Explains names in queries and names of definitions. */
import type { Analysis } from '../../engine/index.ts';
import { nameKey } from '../../engine/model/scope.ts';
import { cteSymbol } from '../../engine/names/symbols.ts';
import {
  outputsOf,
  tablesNamed,
  type VisibleColumn,
  type VisibleTable,
  visibleColumn,
  visibleTables,
} from '../../engine/names/visible.ts';
import { parseSql } from '../../engine/sql/parser/parser.ts';
import { positionAt } from '../../engine/sql/position/position.ts';
import { explainDefinition } from '../explain/definitions.ts';
import {
  explainAlias,
  explainColumn,
  explainCte,
  explainTable,
  explainUnknownTable,
} from '../explain/explainTables.ts';
import { explainBucketParameter, explainParameter } from '../explain/parameters.ts';
import { definitionSymbol, mentionAt, mentionsOfSymbol, type PlacedMention } from '../reading/mentions.ts';
import { type SqlPlace, sqlAt } from '../reading/sqlAt.ts';
import { type Reach, reachOf } from '../reading/visibleAt.ts';
import type { Hover } from './answer.ts';

export function hoverName(analysis: Analysis, offset: number): Hover | undefined {
  const mention = mentionAt(analysis, offset);
  if (!mention) return undefined;
  const place = mention.sql && sqlAt(analysis, offset);
  const markdown = explainMention(analysis, mention, place);
  return markdown === undefined ? undefined : { span: mention.span, markdown };
}

function explainMention(
  analysis: Analysis,
  { symbol, sql, role }: PlacedMention,
  place: SqlPlace | undefined,
): string | undefined {
  const { kind, name, part } = symbol;
  switch (kind) {
    case 'stream':
    case 'bucket definition':
    case 'event': {
      const placed = analysis.config?.definitions.find(
        (one) => definitionSymbol(one.definition).key === symbol.key,
      );
      return placed && explainDefinition(analysis, placed);
    }
    case 'cte':
      return explainNamedCte(analysis, symbol.key);
    case 'parameter':
    case 'subscription parameter':
      return part && explainParameter(name, part, mentionsOfSymbol(analysis, symbol).length);
    case 'bucket parameter':
      return place && bucketParameter(reachOf(analysis, place), name);
    case 'table':
      return place && symbol.table && tableIn(reachOf(analysis, place), symbol.table);
    case 'alias': {
      const table =
        place &&
        sql &&
        tablesAt(analysis, place, sql.span.end)
          .flat()
          .find((one) => nameKey(one.name) === nameKey(name));
      return table && explainAlias(table);
    }
    case 'column':
    case 'output': {
      const column = place && sql && columnAt(analysis, place, sql.span.start, name);
      if (column) return explainColumn(column);
      return role === 'reference' || !symbol.table
        ? undefined
        : explainColumn({ name, of: symbol.table.name });
    }
  }
}

function explainNamedCte({ config }: Analysis, key: string): string | undefined {
  const global = config?.ctes.find(({ cte }) => cteSymbol('', cte.name).key === key)?.cte;
  if (global) return explainCte(global);
  for (const { definition } of config?.definitions ?? []) {
    if (definition.kind !== 'stream') continue;
    const own = definition.ctes.find((cte) => cteSymbol(definition.name, cte.name).key === key);
    if (own) return explainCte(own);
  }
  return undefined;
}

function bucketParameter(reach: Reach, name: string): string | undefined {
  const definition = reach.definition?.definition;
  if (definition?.kind !== 'bucket-definition') return undefined;
  const queries = (definition.parameters ?? []).filter(({ sql: { statements } }) => {
    const [select] = statements;
    return select?.kind === 'select' && outputsOf(select, '', reach).some((column) => column.name === name);
  });
  return explainBucketParameter(
    name,
    queries.map(({ sql }) => sql.text),
  );
}

function tableIn(reach: Reach, { schema, name }: { readonly schema: string; readonly name: string }): string {
  const [table] = reach.catalog ? tablesNamed(reach.catalog, schema, name) : [];
  if (table) return explainTable(table);
  return explainUnknownTable(schema, name, reach.catalog, reach.usedColumns(schema, name));
}

/** Returns the tables of the queries around a place, innermost query first. */
function tablesAt(analysis: Analysis, place: SqlPlace, at: number): readonly (readonly VisibleTable[])[] {
  const { queries } = positionAt(place.text.slice(0, at));
  return visibleTables(parseSql(place.text).statements, queries, reachOf(analysis, place));
}

/** Returns a column. `at` is the start of its name, after the qualifier if there is one. */
function columnAt(analysis: Analysis, place: SqlPlace, at: number, name: string): VisibleColumn | undefined {
  const [qualifier] = positionAt(place.text.slice(0, at)).qualifiers.slice(-1);
  for (const tables of tablesAt(analysis, place, at)) {
    const column = visibleColumn(tables, qualifier, name);
    if (column) return column;
  }
  return undefined;
}
