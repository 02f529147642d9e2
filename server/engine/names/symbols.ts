/**
 * The meanings of names in a config. Two mentions are of one thing if their keys are equal. Keys contain no offsets, so they
 * can be compared between files where that makes sense.
 */
import type { Span } from '../text/span.ts';

export type SymbolKind =
  | 'stream'
  | 'bucket definition'
  | 'event'
  | 'cte'
  | 'alias'
  | 'table'
  | 'column'
  /** A column of a query that other queries, or clients, read under this name. */
  | 'output'
  | 'parameter'
  | 'subscription parameter'
  | 'bucket parameter';

export interface NameSymbol {
  readonly kind: SymbolKind;
  readonly key: string;
  readonly name: string;
  /** For a table or a column of one. */
  readonly table?: { readonly schema: string; readonly name: string };
  /** For a parameter that the app sends: where it sends it. */
  readonly part?: 'auth' | 'connection' | 'subscription';
  /** Whether it is the same thing in all configs of an app. */
  readonly shared?: true;
}

/**
 * The role of a mention. `implied`: the place names the thing without being there for that. For example, `SELECT id` in a CTE
 * names a column that others read. Such a place also has a mention of its own.
 */
export type MentionRole = 'declaration' | 'implied' | 'reference';

export interface Mention {
  readonly symbol: NameSymbol;
  readonly role: MentionRole;
  /** The name as written, quotes included. */
  readonly span: Span;
}

const shared = true;

export function cteSymbol(owner: string, name: string): NameSymbol {
  return { kind: 'cte', key: keyFrom('cte', owner, name.toLowerCase()), name };
}

export function tableSymbol(schema: string, name: string): NameSymbol {
  return { kind: 'table', key: keyFrom('table', schema, name), name, table: { schema, name }, shared };
}

export function columnSymbol(table: NonNullable<NameSymbol['table']>, name: string): NameSymbol {
  return { kind: 'column', key: keyFrom('column', table.schema, table.name, name), name, table, shared };
}

/** Returns the symbol of an output column. `of` is the key of the query that has it. */
export function outputSymbol(of: string, name: string): NameSymbol {
  return { kind: 'output', key: keyFrom('output', of, name), name };
}

/** Returns the symbol of a parameter that the app sends with its token and its connection. */
export function parameterSymbol(part: 'auth' | 'connection', name: string): NameSymbol {
  return { kind: 'parameter', key: keyFrom('parameter', part, name), name, part, shared };
}

/**
 * Returns the symbol of a parameter that the app sends with a subscription to the stream, or to any stream that uses a CTE of
 * the whole file.
 */
export function subscriptionSymbol(stream: string, name: string): NameSymbol {
  const key = keyFrom('subscription parameter', stream, name);
  return { kind: 'subscription parameter', key, name, part: 'subscription' };
}

export function bucketParameterSymbol(definition: string, name: string): NameSymbol {
  return { kind: 'bucket parameter', key: keyFrom('bucket parameter', definition, name), name };
}

/** Names may contain anything, so a separator is not enough to keep them apart. */
export function keyFrom(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
