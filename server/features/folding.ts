/** What an editor can fold: keys with all that belongs to them, items of lists, SQL included. */
import type { Analysis } from '../engine/index.ts';
import type { Span } from '../engine/text/span.ts';
import { innerConfigOf } from './reading/inner.ts';
import { type TreeNode, treeOf } from './reading/tree.ts';

/** In reading order; each reaches over a line's end, and no two start at the same place. */
export function folding(analysis: Analysis): readonly Span[] {
  const folds = new Map<number, Span>();
  const collect = (node: TreeNode): void => {
    const { span } = node;
    const isLong = /[\r\n]/.test(analysis.text.slice(span.start, span.end));
    if (!isLong) return;
    if (!folds.has(span.start)) folds.set(span.start, span);
    node.inner.forEach(collect);
  };
  treeOf(analysis).forEach(collect);
  const inner = innerConfigOf(analysis);
  const inside = inner ? folding(inner.analysis).map(inner.toFile) : [];
  return [...folds.values(), ...inside].sort((a, b) => a.start - b.start);
}
