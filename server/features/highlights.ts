/** Finds the other places of the name at the cursor, and whether each of them declares or reads the name. */
import type { Analysis } from '../engine/index.ts';
import type { Span } from '../engine/text/span.ts';
import { mentionAt, mentionsOfSymbol } from './reading/mentions.ts';

interface Highlight {
  readonly span: Span;
  readonly kind: 'gives' | 'reads';
}

export function highlights(analysis: Analysis, offset: number): readonly Highlight[] {
  const asked = mentionAt(analysis, offset);
  if (!asked) return [];
  return mentionsOfSymbol(analysis, asked.symbol).map(({ span, role }) => ({
    span,
    kind: role === 'reference' ? 'reads' : 'gives',
  }));
}
