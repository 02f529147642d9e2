/** Where else a name is. */
import type { Analysis } from '../engine/index.ts';
import type { NameSymbol } from '../engine/names/symbols.ts';
import { mentionAt, mentionsOfSymbol, type PlacedMention } from './reading/names.ts';

/** What is at a place, if it is a name. */
export function symbolAt(analysis: Analysis, offset: number): NameSymbol | undefined {
  return mentionAt(analysis, offset)?.symbol;
}

/** All places in one file, declarations included. */
export function references(analysis: Analysis, symbol: NameSymbol): readonly PlacedMention[] {
  return mentionsOfSymbol(analysis, symbol);
}
