import type { YamlNode } from './nodes.ts';

/** Visits each node in reading order, keys before their values. Readings are never deep, so it may recurse. */
export function walk(node: YamlNode, visit: (node: YamlNode) => void): void {
  visit(node);
  if (node.kind === 'sequence') for (const item of node.items) walk(item, visit);
  if (node.kind === 'map')
    for (const { key, value } of node.pairs) {
      walk(key, visit);
      walk(value, visit);
    }
}
