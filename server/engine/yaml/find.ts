/** Finds the node at a place in a text. */
import type { Span } from '../text/span.ts';
import type { YamlNode, YamlPair, YamlScalar } from './nodes.ts';

/** A node and its ancestors, outermost first. */
export interface Path {
  readonly node: YamlNode;
  readonly above: readonly YamlNode[];
  /** The pair of which the node is the key or value. */
  readonly pair?: YamlPair;
}

/** Returns the scalar with exactly this span. */
export function scalarAt(
  root: YamlNode | undefined,
  at: Span,
): (Path & { readonly node: YamlScalar }) | undefined {
  const found = nodesAt(root, at.start).find(
    ({ node }) => node.kind === 'scalar' && node.span.start === at.start && node.span.end === at.end,
  );
  return found?.node.kind === 'scalar' ? { ...found, node: found.node } : undefined;
}

/** Returns the nodes that contain an offset, outermost first. Recursion is safe, because a parsed tree is never deep. */
export function nodesAt(root: YamlNode | undefined, offset: number): readonly Path[] {
  const found: Path[] = [];
  if (root !== undefined) collect({ node: root, above: [] }, offset, found);
  return found;
}

function collect(path: Path, offset: number, found: Path[]): void {
  const { node, above } = path;
  if (offset < node.span.start || offset > node.span.end) return;
  found.push(path);
  const inner = [...above, node];
  if (node.kind === 'sequence')
    for (const item of node.items) collect({ node: item, above: inner }, offset, found);
  if (node.kind === 'map')
    for (const pair of node.pairs) {
      collect({ node: pair.key, above: inner, pair }, offset, found);
      collect({ node: pair.value, above: inner, pair }, offset, found);
    }
}

/** Whether the node is in braces or brackets, where no block is possible. */
export function isInFlow({ above }: Path): boolean {
  return above.some((node) => (node.kind === 'map' || node.kind === 'sequence') && node.flow);
}
