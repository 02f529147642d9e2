/** Completes a statement while it is typed: tables, columns of the tables in the statement, and keywords of SQL. */

import { shownName } from '../../api/tableName.ts';
import type { OwnTable } from './ownTables.ts';
import { inQuotes } from './pages.ts';

export interface SqlOffer {
  readonly text: string;
  readonly kind: 'table' | 'column' | 'word';
}

const words = [
  ...[
    'SELECT',
    'FROM',
    'WHERE',
    'JOIN',
    'LEFT JOIN',
    'ON',
    'GROUP BY',
    'ORDER BY',
    'LIMIT',
    'HAVING',
    'WITH',
  ],
  ...[
    'AND',
    'OR',
    'NOT',
    'IN',
    'IS NULL',
    'EXISTS',
    'LIKE',
    'ILIKE',
    'BETWEEN',
    'DISTINCT',
    'AS',
    'UNION',
    'count(*)',
  ],
];

const mostOffers = 8;

/** @returns the offers, and the number of characters before the cursor that they replace */
export function offerSql(
  text: string,
  cursor: number,
  tables: readonly OwnTable[],
): { readonly offers: readonly SqlOffer[]; readonly typed: number } {
  const before = text.slice(0, cursor);
  const [typed = ''] = /[\w"]*$/.exec(before) ?? [];
  const rest = before.slice(0, before.length - typed.length);
  if (isInText(before)) return { offers: [], typed: 0 };
  const word = typed.replaceAll('"', '').toLowerCase();
  const owner = /([\w"]+)\.$/.exec(rest)?.[1]?.replaceAll('"', '');
  const all = owner === undefined ? offersAfter(rest, text, tables) : columnsOfOwner(owner, text, tables);
  if (typed === '' && owner === undefined && !/\s$/.test(rest)) return { offers: [], typed: 0 };
  const starting = all.filter(({ text: offer }) => offer.replaceAll('"', '').toLowerCase().startsWith(word));
  const isDone = starting.length === 1 && starting[0]?.text === typed;
  const distinct = [...new Map(starting.map((offer) => [offer.text, offer])).values()];
  return { offers: isDone ? [] : distinct.slice(0, mostOffers), typed: typed.length };
}

/** Whether the cursor is inside a string, because there is an odd number of quotes before it. */
function isInText(before: string): boolean {
  return before.split("'").length % 2 === 0;
}

function offersAfter(rest: string, text: string, tables: readonly OwnTable[]): readonly SqlOffer[] {
  const tableOffers = tables.map((table): SqlOffer => ({ text: writtenName(table), kind: 'table' }));
  if (/\b(from|join)\s+$/i.test(rest)) return tableOffers;
  const named = tables.filter((table) => mentions(text, table));
  const columns = named.flatMap((table) => columnOffers(table));
  const rather = words.map((each): SqlOffer => ({ text: each, kind: 'word' }));
  return rest.trim() === '' ? rather : [...columns, ...rather, ...tableOffers];
}

function columnsOfOwner(owner: string, text: string, tables: readonly OwnTable[]): readonly SqlOffer[] {
  const alias = new RegExp(`([\\w"]+)\\s+(?:as\\s+)?"?${owner.replace(/\W/g, '')}"?\\b`, 'gi');
  const names = [owner, ...[...text.matchAll(alias)].map(([, name = '']) => name.replaceAll('"', ''))];
  const inSchema = tables.filter(({ schema }) => schema === owner);
  const found = tables.filter(({ name }) => names.includes(name));
  return [
    ...found.flatMap(columnOffers),
    ...inSchema.map((table): SqlOffer => ({ text: writtenPart(table.name), kind: 'table' })),
  ];
}

function columnOffers({ columns }: OwnTable): readonly SqlOffer[] {
  return columns.map(({ name }) => ({ text: writtenPart(name), kind: 'column' }));
}

function mentions(text: string, { name }: OwnTable): boolean {
  return text.toLowerCase().includes(name.toLowerCase());
}

function writtenName(table: OwnTable): string {
  const name = shownName(table);
  return /^[a-z_][a-z0-9_.]*$/.test(name)
    ? name
    : table.schema === 'public'
      ? inQuotes(table.name)
      : `${writtenPart(table.schema)}.${writtenPart(table.name)}`;
}

function writtenPart(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : inQuotes(name);
}
