/** Finds the declaration of a name. */
import type { Analysis } from '../engine/index.ts';
import type { NameSymbol } from '../engine/names/symbols.ts';
import type { Span } from '../engine/text/span.ts';
import { mentionAt, mentionsOfSymbol } from './reading/mentions.ts';

interface Definition {
  /** The span of the name at the cursor. */
  readonly origin: Span;
  /** The name itself, for names that are declared elsewhere: tables and their columns. */
  readonly symbol: NameSymbol;
  readonly targets: readonly Target[];
}

interface Target {
  /** The span of the entire declaration. */
  readonly whole: Span;
  /** The span of the name in the declaration. */
  readonly name: Span;
}

export function definition(analysis: Analysis, offset: number): Definition | undefined {
  const asked = mentionAt(analysis, offset);
  if (!asked) return undefined;
  const { symbol, span: origin } = asked;
  const targets = mentionsOfSymbol(analysis, symbol)
    .filter(({ role }) => role !== 'reference')
    .map(({ span: name, whole = name }) => ({ whole, name }));
  return { origin, symbol, targets };
}
