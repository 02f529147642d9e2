/** Finds the other places of a name. */
import type { Analysis } from '../engine/index.ts';
import type { NameSymbol } from '../engine/names/symbols.ts';
import { mentionAt, mentionsOfSymbol, type PlacedMention } from './reading/mentions.ts';

/** The symbol at a place, if a name is there. */
export function symbolAt(analysis: Analysis, offset: number): NameSymbol | undefined {
  return mentionAt(analysis, offset)?.symbol;
}

/** All places in one file, declarations included. */
export function references(analysis: Analysis, symbol: NameSymbol): readonly PlacedMention[] {
  return mentionsOfSymbol(analysis, symbol);
}
