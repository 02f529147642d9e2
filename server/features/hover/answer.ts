import type { Span } from '../../engine/text/span.ts';

/** What is shown, and the text that it is about. */
export interface Hover {
  readonly span: Span;
  readonly markdown: string;
}
