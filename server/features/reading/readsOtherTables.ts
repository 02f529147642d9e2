/** Decides whether a config belongs to another database than the catalog. */
import { oncePer } from '../../engine/ground/oncePer.ts';
import type { Analysis } from '../../engine/index.ts';
import type { Catalog } from '../../engine/model/catalog.ts';
import { nearest } from '../../engine/text/nearest.ts';
import { textFactsOf } from './facts.ts';
import { onceInFile, type TextRun } from './sqlTexts.ts';

/** Whether the config reads tables, but none that are in the catalog, not even under a misspelt or half-typed name. */
export function readsOtherTables(analysis: Analysis, catalog: Catalog): boolean {
  const known = namesOf(catalog);
  const ctes = new Set(analysis.config?.ctes.map(({ cte }) => cte.name.toLowerCase()));
  const names = new Set([...tablesRead(analysis)].filter((name) => !ctes.has(name.toLowerCase())));
  const isOurs = (name: string): boolean =>
    known.has(name) ||
    isWildcard(name) ||
    nearest(name, known) !== undefined ||
    catalog.tables.some((table) => table.name.startsWith(name));
  return names.size > 0 && ![...names].some(isOurs);
}

const tablesRead = onceInFile(
  oncePer((run: TextRun) => new Set(run.flatMap((text) => textFactsOf(text).outerTables))),
);

/** The table names as a map, whose keys are sorted only once. */
const namesOf = oncePer(
  ({ tables }: Catalog): ReadonlyMap<string, true> => new Map(tables.map(({ name }) => [name, true])),
);

function isWildcard(name: string): boolean {
  return name.endsWith('%');
}
