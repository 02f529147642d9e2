/** The parts of the map that have a problem, with the reason. */

import { listNames } from '../../shared/listNames.ts';
import type { Catalog, CatalogTable } from '../model/catalog.ts';
import { columnsIn, type Expression } from '../plan/expression.ts';
import type { Lookup, RowRule, RowSelection } from '../plan/plan.ts';
import { areFullyKnown, indexTables, matchingTables } from '../plan/tablePatterns.ts';
import { ownerColumnIn } from '../risk/owner.ts';
import type { StreamFacts, TableReads } from './facts.ts';
import { brokenSentence } from './sentences.ts';

/**
 * - `broken`: the stream has an error.
 * - `missing`: the source does not have the table, or one of the columns that are read.
 * - `open`: every user can get the rows, although something indicates an owner.
 * - `unsynced`: no user gets the table.
 */
export interface ConfigMark {
  readonly kind: 'broken' | 'missing' | 'open' | 'unsynced';
  readonly sentence: string;
}

export function marksOfTable(
  { table: { id }, reads }: TableReads,
  catalog: Catalog | undefined,
): readonly ConfigMark[] {
  const isSynced = reads.some(({ use }) => use === 'rows');
  const why = reads.length === 0 ? 'No stream reads this table.' : 'No stream syncs rows of this table.';
  return [
    ...missingIn(id, reads, catalog),
    ...openIn(id, reads, catalog),
    ...(isSynced ? [] : [mark('unsynced', why)]),
  ];
}

/** Returns the marks of a stream. A problem of a table is also a problem of the streams that it affects. */
export function marksOfStream(
  { placed, ways, reads, openRules }: StreamFacts,
  ofTables: ReadonlyMap<string, readonly ConfigMark[]>,
): readonly ConfigMark[] {
  if (placed.plan === undefined) return [mark('broken', brokenSentence)];
  const marksWith = (kind: ConfigMark['kind'], of: readonly { readonly table: string }[]) =>
    of.flatMap(({ table }) => (ofTables.get(table) ?? []).filter((each) => each.kind === kind));
  const open = reads.filter(({ selection }) => openRules.has(selection) && isUnconditional(selection));
  const found = [...marksWith('missing', reads), ...marksWith('open', open)];
  return [...new Set(found), ...(ways.length === 0 ? [mark('unsynced', 'No client can get its rows.')] : [])];
}

function mark(kind: ConfigMark['kind'], sentence: string): ConfigMark {
  return { kind, sentence };
}

type Reads = TableReads['reads'];

function missingIn(table: string, reads: Reads, catalog: Catalog | undefined): readonly ConfigMark[] {
  const [first] = reads;
  if (first === undefined || catalog === undefined || catalog.open) return [];
  const known = matchesOf(first.selection, catalog);
  if (known.length === 0) return [mark('missing', `The source has no table ${table}.`)];
  if (!areFullyKnown(known)) return [];
  const columns = new Set(reads.flatMap(({ selection }) => columnsOf(selection)));
  const missing = [...columns].filter((name) => !known.some((each) => each.columns.has(name)));
  if (missing.length === 0) return [];
  const what = missing.length === 1 ? 'column' : 'columns';
  return [mark('missing', `${table} has no ${what} ${listNames(missing)}.`)];
}

function matchesOf({ table }: RowSelection, catalog: Catalog): readonly CatalogTable[] {
  return matchingTables(indexTables(catalog, table.tag), table);
}

/** Returns all columns that a part of a plan reads from its rows. */
function columnsOf(selection: RowSelection): readonly string[] {
  return [
    ...selection.filter,
    ...selection.expansions.flatMap(({ args }) => args),
    ...valuesOf(selection),
  ].flatMap(columnsIn);
}

function valuesOf(selection: RowSelection & Partial<RowRule & Lookup>): readonly Expression[] {
  const { keys = [], inputs = [], outputs = [], columns = [] } = selection;
  const given = columns.flatMap((column) => (column.kind === 'column' ? [column.value] : []));
  return [...keys, ...inputs, ...outputs, ...given];
}

/** Marks tables whose rows are open. A condition on the rows counts as a decision about which of them are for everyone. */
function openIn(table: string, reads: Reads, catalog: Catalog | undefined): readonly ConfigMark[] {
  const open = reads.filter(
    ({ stream, selection }) => stream.openRules.has(selection) && isUnconditional(selection),
  );
  const [first] = open;
  if (first === undefined || catalog === undefined) return [];
  const { schema, name } = first.name;
  const known = matchesOf(first.selection, catalog).find(
    (each) => each.schema === schema && each.name === name,
  );
  const reason = known && reasonToProtect(known);
  if (reason === undefined) return [];
  const streams = listNames([...new Set(open.map(({ stream }) => stream.placed.definition.name))]);
  return [mark('open', `Everyone can get the rows of ${table} through ${streams}, although ${reason}.`)];
}

function isUnconditional({ filter }: RowSelection): boolean {
  return filter.length === 0;
}

function reasonToProtect(table: CatalogTable): string | undefined {
  if (table.rowSecurity) return 'the table has row-level security';
  const owner = ownerColumnIn(table);
  return owner === undefined ? undefined : `the column ${owner} identifies the owner of a row`;
}
