import type { Span } from '../../engine/text/span.ts';

/** The text to show, and the place that it is about. */
export interface Hover {
  readonly span: Span;
  readonly markdown: string;
}
