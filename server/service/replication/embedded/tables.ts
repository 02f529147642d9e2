/** The tables of the embedded database: their descriptions, and those that match patterns. */
import { matchesTable } from '../../../engine/plan/evaluate/patterns.ts';
import type { TablePattern } from '../../../engine/plan/plan.ts';
import type { TypeRow } from '../../../engine/plan/values/postgres/types.ts';
import type { ColumnId, TableId } from '../../ground/sourceIds.ts';
import { quoteTable } from '../postgres/identifiers.ts';
import { keylessMessage } from '../postgres/tables.ts';
import type { MatchedTable, TableInfo, TableMeasure, TableShape } from '../source.ts';
import type { EmbeddedDatabase } from './database.ts';

/** A description from `headwater.describe`. */
export interface Description {
  readonly schema: string;
  readonly name: string;
  readonly identityKind: string;
  readonly columns: readonly DescribedColumn[];
  readonly identity: readonly KeyColumn[];
  /** `details` and `file` are absent if an earlier release described the table. */
  readonly details?: TableShape['details'];
  readonly file?: number;
  /** The types of the columns, with all types that they consist of, except PostgreSQL's own simple types. */
  readonly types: readonly TypeRow[];
}

interface DescribedColumn {
  readonly name: string;
  /** Absent if an earlier release described the table. */
  readonly number?: ColumnId;
  readonly type: string;
  readonly oid: number;
}

interface KeyColumn {
  readonly name: string;
  readonly type: string;
  /** The type as SQL names it. */
  readonly cast: string;
}

/**
 * Returns the description of a table. Without identity columns, a row is identified by all of its values, because the log
 * contains complete rows, including old ones.
 */
export function toTableInfo(sourceId: TableId, description: Description): TableInfo {
  const { schema, name, identity, columns } = description;
  const keyed = description.identityKind !== 'f' && identity.length > 0;
  return {
    sourceId,
    schema,
    name,
    identityKind: keyed ? (description.identityKind === 'i' ? 'index' : 'default') : 'full',
    identity: (keyed ? identity : columns).map(({ name: column, type }) => ({ name: column, type })),
    omitted: [],
    ...shapeOf(description, identity.length === 0),
  };
}

/** Returns the shape. All changes of all tables are captured, so a table never stops being replicated. */
function shapeOf({ columns, details, file }: Description, isKeyless: boolean): Pick<TableInfo, 'shape'> {
  const numbered = columns.flatMap(({ name, number }) =>
    number === undefined ? [] : [[name, number] as const],
  );
  if (numbered.length < columns.length) return {};
  return {
    shape: {
      membership: '',
      columns: Object.fromEntries(numbered),
      ...(details && { details }),
      ...(file !== undefined && { file }),
      ...(isKeyless && { isKeyless }),
    },
  };
}

/** Reads a description. Older folders contain some without types, each of which is followed by one with types. */
export function readDescription(text: string): Description {
  return { types: [], ...JSON.parse(text) } as Description;
}

interface FoundTable {
  readonly sourceId: TableId;
  readonly description: Description;
}

export async function findTables(database: Pick<EmbeddedDatabase, 'query'>): Promise<readonly FoundTable[]> {
  const { rows } = await database.query(
    `SELECT oid, text FROM (SELECT c.oid, headwater.describe(c.oid) AS text FROM pg_class c WHERE relkind = 'r') AS found
     WHERE text IS NOT NULL ORDER BY oid`,
  );
  return rows.map(([oid, text]) => ({
    sourceId: Number(oid) as TableId,
    description: readDescription(text as string),
  }));
}

/** Returns the tables that the patterns match, and the patterns that match no table. */
export function matchTables(
  patterns: readonly TablePattern[],
  tables: readonly TableInfo[],
  tag: string,
): { readonly matches: readonly MatchedTable[]; readonly unmatched: readonly TablePattern[] } {
  const taken = new Set<number>();
  const unmatched: TablePattern[] = [];
  const matches = patterns.flatMap((pattern) => {
    const matching = tables.filter(({ schema, name }) => matchesTable(pattern, { tag, schema, name }));
    const isPlain = !pattern.schema.wildcard && !pattern.name.wildcard;
    if (matching.length === 0 && isPlain && pattern.tag === tag) unmatched.push(pattern);
    return matching.flatMap((table) => {
      if (taken.has(table.sourceId)) return [];
      taken.add(table.sourceId);
      return [{ pattern, table, problems: problemsOf(table), replicated: true }];
    });
  });
  return { matches, unmatched };
}

function problemsOf(table: TableInfo): MatchedTable['problems'] {
  if (table.shape?.isKeyless !== true) return [];
  const message =
    `${keylessMessage(table)} A PostgreSQL server would refuse to update and delete its rows while they are ` +
    'published.';
  return [{ level: 'warning', message }];
}

export async function measureEmbedded(
  database: Pick<EmbeddedDatabase, 'queryAsUser'>,
  table: TableInfo,
): Promise<TableMeasure> {
  const { rows } = await database.queryAsUser(
    `SELECT count(*), pg_table_size(${table.sourceId}::regclass) FROM ${quoteTable(table)}`,
  );
  const [count, bytes] = (rows[0] ?? []).map(Number);
  return { rows: count ?? 0, bytesPerRow: count ? (bytes ?? 0) / count : 0 };
}
