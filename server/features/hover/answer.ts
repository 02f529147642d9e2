import type { Span } from '../../engine/text/span.ts';

/** The text of a hover and the span that it is about. */
export interface Hover {
  readonly span: Span;
  readonly markdown: string;
}
