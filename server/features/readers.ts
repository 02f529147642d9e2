/** Shows which definitions read a table, and which tables a definition reads, in the form of an editor's call hierarchy. */
import type { Analysis } from '../engine/index.ts';
import type { NameSymbol } from '../engine/names/symbols.ts';
import { cover, type Span, shift } from '../engine/text/span.ts';
import { definitionSymbol, mentionAt, mentionsIn } from './reading/mentions.ts';

interface Reader {
  readonly symbol: NameSymbol;
  /** The span of the entire definition. */
  readonly whole: Span;
  readonly name: Span;
}

export interface TableUse {
  readonly reader: Reader;
  readonly table: NameSymbol;
  /** The places where the definition names the table. */
  readonly places: readonly Span[];
}

/** Returns the roots of the hierarchy at a place: a table or a definition. */
export function readingsFrom(
  analysis: Analysis,
  offset: number,
): { readonly symbol: NameSymbol; readonly span: Span } | undefined {
  const asked = mentionAt(analysis, offset);
  if (asked === undefined) return undefined;
  const isOne = asked.symbol.kind === 'table' || definitionKinds.has(asked.symbol.kind);
  return isOne ? { symbol: asked.symbol, span: asked.span } : undefined;
}

const definitionKinds: ReadonlySet<NameSymbol['kind']> = new Set(['stream', 'bucket definition', 'event']);

/** Returns each definition with each table that it names, without the CTEs of the file. */
export function readings(analysis: Analysis): readonly TableUse[] {
  const tables = mentionsIn(analysis).filter(({ symbol }) => symbol.kind === 'table');
  return (analysis.config?.definitions ?? []).flatMap(({ definition, part: { base } }) => {
    const whole = shift(cover(definition.nameSpan, definition.span), base);
    const reader = { symbol: definitionSymbol(definition), whole, name: shift(definition.nameSpan, base) };
    const found = new Map<string, { table: NameSymbol; places: Span[] }>();
    for (const { symbol, span } of tables) {
      if (span.start < whole.start || whole.end < span.end) continue;
      const known = found.get(symbol.key) ?? { table: symbol, places: [] };
      known.places.push(span);
      found.set(symbol.key, known);
    }
    return [...found.values()].map(({ table, places }) => ({ reader, table, places }));
  });
}
