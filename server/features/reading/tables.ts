/** The tables that a config reads. */
import type { Analysis } from '../../engine/index.ts';
import type { Catalog } from '../../engine/model/catalog.ts';
import { sqlTextsOf } from './sqlTexts.ts';

/** It reads tables, and none of them has a name that the catalog knows. */
export function namesNoTable(analysis: Analysis, { tables }: Catalog): boolean {
  const known = new Set(tables.map(({ name }) => name));
  const ctes = new Set(analysis.config?.ctes.map(({ cte }) => cte.name.toLowerCase()));
  const read = sqlTextsOf(analysis).flatMap(({ text }) => tablesIn(text.sql.statements[0]));
  const names = read.filter((name) => !ctes.has(name.toLowerCase()));
  return names.length > 0 && !names.some((name) => known.has(name) || isWildcard(name));
}

type Statements = ReturnType<typeof sqlTextsOf>[number]['text']['sql']['statements'];

/** Of FROM alone: what stands there is enough to know what a config is about. */
function tablesIn(query: Statements[number] | undefined): string[] {
  if (query?.kind !== 'select') return [];
  return query.from.flatMap(({ source }) => (source.kind === 'table' ? [source.name.text] : []));
}

function isWildcard(name: string): boolean {
  return name.endsWith('%');
}
