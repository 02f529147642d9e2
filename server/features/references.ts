/** Finds the other places of a name. */
import type { Analysis } from '../engine/index.ts';
import type { NameSymbol } from '../engine/names/symbols.ts';
import { mentionAt, mentionsOfSymbol, type PlacedMention } from './reading/mentions.ts';

/** Returns the symbol of the name at a place, if there is one. */
export function symbolAt(analysis: Analysis, offset: number): NameSymbol | undefined {
  return mentionAt(analysis, offset)?.symbol;
}

/** Returns all places of a symbol in one file, including its declarations. */
export function references(analysis: Analysis, symbol: NameSymbol): readonly PlacedMention[] {
  return mentionsOfSymbol(analysis, symbol);
}
