/** Edits of a text. */
import { compareSpans, type Span, shift } from './span.ts';

/**
 * A replacement. Spans refer to the text before any edit. The edits of a list do not overlap, and edits at the same place are in
 * order.
 */
export interface Edit {
  readonly span: Span;
  readonly text: string;
}

export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  for (const edit of inOrder(edits)) {
    result += text.slice(at, edit.span.start) + edit.text;
    at = edit.span.end;
  }
  return result + text.slice(at);
}

export function shiftEdits(edits: readonly Edit[], by: number): readonly Edit[] {
  return edits.map(({ span, text }) => ({ span: shift(span, by), text }));
}

export function areDisjoint(edits: readonly Edit[]): boolean {
  return inOrder(edits).every((edit, index, all) => {
    const next = all[index + 1];
    return next === undefined || edit.span.end <= next.span.start;
  });
}

/** Sorts edits. The sort is stable. */
function inOrder(edits: readonly Edit[]): readonly Edit[] {
  return [...edits].sort((a, b) => compareSpans(a.span, b.span));
}
