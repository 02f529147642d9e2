/** Completes tables, CTEs and table functions after FROM and JOIN, and CTEs after IN. */
import { oncePer } from '../../engine/ground/oncePer.ts';
import { type CatalogTable, isReplicated } from '../../engine/model/catalog.ts';
import type { Cte } from '../../engine/model/definition.ts';
import { tableFunctions } from '../../engine/sql/functions.ts';
import { explainFunction } from '../explain/explainFunctions.ts';
import { explainCte, explainTable } from '../explain/explainTables.ts';
import { usedTables } from '../reading/visibleAt.ts';
import { comparedColumn } from './compared.ts';
import type { Completion } from './item.ts';
import { byLikelihood } from './likelyTables.ts';
import type { SqlContext } from './sqlContext.ts';

export function completeTables(context: SqlContext): readonly Completion[] {
  const { position, reach } = context;
  const [schema] = position.qualifiers;
  if (schema !== undefined) return knownTables(context, schema);
  // A stream syncs the rows of a table, and CTEs only choose those rows.
  const isMain = position.queries.length === 1 && position.previous === 'from';
  return [
    ...reach.ctes.map((cte) => ({ ...offerCte(context, cte), rank: isMain ? 2 : 0 })),
    ...knownTables(context, reach.defaultSchema),
    ...schemas(context),
    ...functionsOfTables(context),
  ];
}

/** Completes `IN cte`, which reads the only column of a CTE. */
export function completeSets(context: SqlContext): readonly Completion[] {
  const { position, reach } = context;
  const isList = position.canSelect && comparedColumn(context)?.isList === true;
  return position.previous === 'in' || isList ? reach.ctes.map((cte) => offerCte(context, cte)) : [];
}

function offerCte(context: SqlContext, cte: Cte): Completion {
  return {
    label: cte.name,
    kind: 'cte',
    detail: 'CTE',
    insert: context.insert([context.name(cte.name)]),
    span: context.span,
    rank: 0,
    docs: () => explainCte(cte),
  };
}

/** Returns the tables of the source database, or those that other queries of the file read. */
function knownTables(context: SqlContext, schema: string): readonly Completion[] {
  const { analysis, reach, edition, world } = context;
  const catalog = reach.catalog ?? world.catalog?.();
  const offer = (name: string, table?: CatalogTable): Completion => ({
    label: name,
    kind: 'table',
    ...(table ? { detail: schema } : { detail: 'used in this file' }),
    insert: context.insert([context.name(name)]),
    span: context.span,
    rank: 1,
    filter: context.nameFilter(name),
    ...(table && { docs: () => explainTable(table) }),
  });
  const [tag, name] = schema.includes('.') ? schema.split('.') : ['default', schema];
  const isHere = (table: CatalogTable) =>
    table.schema === name &&
    isReplicated(table) &&
    (edition === 3 ? table.tag === 'default' : table.tag === tag);
  if (catalog) {
    const tables = new Map(catalog.tables.filter(isHere).map((table) => [table.name, table]));
    return byLikelihood(context, [...tables.values()].map(namedTable)).map((table) =>
      offer(table.name, tables.get(table.name)),
    );
  }
  const names = new Set(
    usedTables(analysis)
      .filter((table) => table.schema === schema && !isTyped(context, table.name))
      .map((table) => table.name),
  );
  const { owner = '' } = context.place;
  // A stream often has the name of its table.
  if (schema === reach.defaultSchema && /^[a-z]\w*$/.test(owner) && !isTyped(context, owner))
    names.add(owner);
  const used = [...names].map((table) => ({ name: table, columns: reach.usedColumns(schema, table) }));
  return byLikelihood(context, used).map((table) => offer(table.name));
}

/** Caches the names of a table for as long as the catalog stays the same. */
const namedTable = oncePer(({ name, columns }: CatalogTable) => ({ name, columns: [...columns.keys()] }));

/** Whether the name is only the word at the cursor, which does not count as a table. */
function isTyped({ place, position }: SqlContext, name: string): boolean {
  return place.text.slice(position.start, place.at) === name;
}

function schemas(context: SqlContext): readonly Completion[] {
  const { analysis, isQuoted, reach } = context;
  const { catalog, defaultSchema } = reach;
  const names = new Set((catalog?.tables ?? []).map(({ schema }) => schema));
  const isWritten = new RegExp(`(?:from|join)\\s+"?${defaultSchema}"?\\.`, 'i').test(analysis.text);
  if (!isWritten) names.delete(defaultSchema);
  return [...names].map((name) => ({
    label: name,
    kind: 'schema',
    detail: 'schema',
    insert: context.insert([isQuoted ? context.name(name) : `${context.name(name)}.`]),
    span: context.span,
    rank: isWritten && name === defaultSchema ? 0 : 2,
    continues: true,
  }));
}

function functionsOfTables(context: SqlContext): readonly Completion[] {
  const { place, edition, span } = context;
  const isLegal =
    place.role === 'parameters' || (edition === 3 && place.role !== 'data' && place.role !== 'payload');
  if (!isLegal) return [];
  return [...tableFunctions.values()].map((of) => ({
    label: of.name,
    kind: 'function',
    detail: of.signature,
    insert: context.isCall ? [of.name] : [`${of.name}(`, { stop: '' }, ')'],
    span,
    rank: 3,
    docs: () => explainFunction({ kind: 'table', of }),
  }));
}
