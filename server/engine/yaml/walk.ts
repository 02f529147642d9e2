import type { YamlNode } from './nodes.ts';

/** Visits each node in reading order, keys before their values. Recursion is safe, because a parsed tree is never deep. */
export function walk(node: YamlNode, visit: (node: YamlNode) => void): void {
  visit(node);
  if (node.kind === 'sequence') for (const item of node.items) walk(item, visit);
  if (node.kind === 'map')
    for (const { key, value } of node.pairs) {
      walk(key, visit);
      walk(value, visit);
    }
}
