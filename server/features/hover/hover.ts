/** What can be told about the place that the mouse is on. */
import type { Analysis } from '../../engine/index.ts';
import type { Span } from '../../engine/span.ts';
import { hoverFunction } from './functions.ts';

export interface Hover {
  readonly span: Span;
  readonly markdown: string;
}

export function hover(analysis: Analysis, offset: number): Hover | undefined {
  return hoverFunction(analysis, offset);
}
