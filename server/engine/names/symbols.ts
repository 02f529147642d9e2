/**
 * The meanings of names in a config. Two mentions mean the same thing if their keys are equal. Keys contain no offsets, so they can
 * be compared between files where that is useful.
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
  /** An output column of a query, which other queries or clients read by this name. */
  | 'output'
  | 'parameter'
  | 'subscription parameter'
  | 'bucket parameter';

export interface NameSymbol {
  readonly kind: SymbolKind;
  readonly key: string;
  readonly name: string;
  /** Present for a table, or for a column of a table. */
  readonly table?: { readonly schema: string; readonly name: string };
  /** The part of the request, for a parameter that the app sends. */
  readonly part?: 'auth' | 'connection' | 'subscription';
  /** Present if the name means the same thing in all configs of an app. */
  readonly shared?: true;
}

/**
 * The role of a mention. `implied`: the place also names something else. For example, `SELECT id` in a CTE names an output column
 * that others read, in addition to the column of the table, which has its own mention.
 */
export type MentionRole = 'declaration' | 'implied' | 'reference';

export interface Mention {
  readonly symbol: NameSymbol;
  readonly role: MentionRole;
  /** The span of the name as written, including quotes. */
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

/** Returns the symbol of an output column. `of` is the key of its query. */
export function outputSymbol(of: string, name: string): NameSymbol {
  return { kind: 'output', key: keyFrom('output', of, name), name };
}

/** Returns the symbol of a parameter that the app sends with its token or its connection. */
export function parameterSymbol(part: 'auth' | 'connection', name: string): NameSymbol {
  return { kind: 'parameter', key: keyFrom('parameter', part, name), name, part, shared };
}

/**
 * Returns the symbol of a parameter that the app sends with a subscription to the stream, or to any stream that uses a CTE of the
 * entire file.
 */
export function subscriptionSymbol(stream: string, name: string): NameSymbol {
  const key = keyFrom('subscription parameter', stream, name);
  return { kind: 'subscription parameter', key, name, part: 'subscription' };
}

export function bucketParameterSymbol(definition: string, name: string): NameSymbol {
  return { kind: 'bucket parameter', key: keyFrom('bucket parameter', definition, name), name };
}

/** Joins the parts of a key. Names may contain any character, so a separator alone would not keep them apart. */
export function keyFrom(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
