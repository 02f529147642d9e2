/** The declaration of a name. */
import type { Analysis } from '../engine/index.ts';
import type { NameSymbol } from '../engine/names/symbols.ts';
import type { Span } from '../engine/text/span.ts';
import { mentionAt, mentionsOfSymbol } from './reading/mentions.ts';

interface Definition {
  /** The name that was asked about. */
  readonly origin: Span;
  /** The name, for one that is declared elsewhere: tables and their columns. */
  readonly symbol: NameSymbol;
  readonly targets: readonly Target[];
}

interface Target {
  /** The span of the entire declaration. */
  readonly whole: Span;
  /** Its name. */
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
