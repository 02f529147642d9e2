/** The data of a map: each stream with its tables and audiences, and each table with its readers. */
import type { PlacedDefinition } from '../file/definitions.ts';
import { type Catalog, isReplicated } from '../model/catalog.ts';
import { bucketsOf } from '../plan/buckets.ts';
import type { RowSelection, StreamPlan, TablePattern } from '../plan/plan.ts';
import { indexTables, matchingTables, nameOfPattern } from '../plan/tablePatterns.ts';
import { compareTexts } from '../text/order.ts';
import { type Audience, audienceOf, isOpenTo } from './audiences.ts';

export interface TableName {
  /** The unique name of the table, as queries write it. */
  readonly id: string;
  readonly schema: string;
  readonly name: string;
}

/** The use of a table. `rows`: its rows are synced. `access`: its rows decide which users get rows of other tables. */
export interface MapRead {
  readonly table: string;
  readonly use: 'rows' | 'access';
}

/** The facts about a stream. */
export interface StreamFacts {
  readonly placed: PlacedDefinition;
  readonly ways: readonly StreamWay[];
  readonly reads: readonly StreamRead[];
  /** The rules whose rows every user can get. */
  readonly openRules: ReadonlySet<RowSelection>;
}

/** A table and how streams use it. */
export interface TableReads {
  readonly table: TableName;
  readonly reads: readonly (StreamRead & { readonly stream: StreamFacts })[];
}

/** Rows of some tables that reach an audience. */
export interface StreamWay {
  readonly audience: Audience;
  readonly rules: readonly RowSelection[];
}

interface StreamRead extends MapRead {
  readonly name: TableName;
  readonly selection: RowSelection;
}

export function factsOf(placed: PlacedDefinition, catalog: Catalog | undefined): StreamFacts {
  const { plan, texts } = placed;
  if (plan === undefined) return { placed, ways: [], reads: [], openRules: new Set() };
  const ways = bucketsOf(plan).map((count) => ({
    audience: audienceOf(count, plan, texts),
    rules: plan.sources[count.route.source]?.rules ?? [],
  }));
  const open = ways.filter(({ audience }) => isOpenTo(audience));
  return {
    placed,
    ways,
    reads: readsOf(plan, catalog),
    openRules: new Set(open.flatMap(({ rules }) => rules)),
  };
}

function readsOf({ sources, lookups }: StreamPlan, catalog: Catalog | undefined): readonly StreamRead[] {
  const read = (selection: RowSelection, use: MapRead['use']): StreamRead[] =>
    namesOf(selection.table, catalog).map((name) => ({ table: name.id, name, use, selection }));
  return [
    ...sources.flatMap(({ rules }) => rules.flatMap((rule) => read(rule, 'rows'))),
    ...lookups.flatMap((lookup) => read(lookup, 'access')),
  ];
}

/** Returns the tables that a pattern matches, or the pattern itself if no matching table is known. */
function namesOf(pattern: TablePattern, catalog: Catalog | undefined): readonly TableName[] {
  const isPattern = pattern.name.wildcard || pattern.schema.wildcard;
  const known =
    isPattern && catalog !== undefined ? matchingTables(indexTables(catalog, pattern.tag), pattern) : [];
  if (known.length > 0) return known.map(({ schema, name }) => nameTable(schema, name));
  const { schema, name } = pattern;
  return [
    {
      id: nameOfPattern(pattern),
      schema: schema.wildcard ? `${schema.text}%` : schema.text,
      name: name.wildcard ? `${name.text}%` : name.text,
    },
  ];
}

function nameTable(schema: string, name: string): TableName {
  return { id: schema === 'public' ? name : `${schema}.${name}`, schema, name };
}

/**
 * Returns the readers of each table. An unread table is included only if streams read other tables of its schema, because a source
 * has many internal tables.
 */
export function readsByTable(
  facts: readonly StreamFacts[],
  catalog: Catalog | undefined,
  defaultSchema: string,
): readonly TableReads[] {
  const tables = new Map<
    string,
    { readonly table: TableName; readonly reads: TableReads['reads'][number][] }
  >();
  for (const stream of facts)
    for (const read of stream.reads) {
      const found = tables.get(read.table) ?? { table: read.name, reads: [] };
      found.reads.push({ ...read, stream });
      tables.set(read.table, found);
    }
  const schemas = new Set([defaultSchema, ...[...tables.values()].map(({ table }) => table.schema)]);
  const others = (catalog?.tables ?? [])
    .filter((table) => schemas.has(table.schema) && isReplicated(table))
    .map(({ schema, name }) => nameTable(schema, name))
    .filter(({ id }) => !tables.has(id))
    .toSorted((a, b) => compareTexts(a.id, b.id));
  return [...tables.values(), ...others.map((table) => ({ table, reads: [] }))];
}
