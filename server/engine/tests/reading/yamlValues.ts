/** Reads YAML values of a test: integers stay integers, and lists and maps become JSON. */
import type { Json, JsonObject } from '../../plan/values/json.ts';
import { toText } from '../../plan/values/text.ts';
import type { YamlMap, YamlNode, YamlScalar } from '../../yaml/nodes.ts';
import { walk } from '../../yaml/walk.ts';

/** The maximum number of nodes after expansion, because nested aliases could make a short text endless. */
const mostExpanded = 100_000;

/** Returns the same tree with aliases replaced by their nodes. Beyond the limit, aliases are kept. */
export function expandAliases(root: YamlNode): YamlNode {
  const anchors = new Map<string, YamlNode>();
  let aliases = 0;
  walk(root, (node) => {
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (node.kind === 'alias') aliases += 1;
  });
  if (aliases === 0) return root;
  let left = mostExpanded;
  const expand = (node: YamlNode, inside: readonly string[]): YamlNode => {
    left -= 1;
    switch (node.kind) {
      case 'alias': {
        const found = anchors.get(node.name);
        if (found === undefined || inside.includes(node.name) || left < 0) return node;
        return { ...expand(found, [...inside, node.name]), span: node.span };
      }
      case 'sequence':
        return { ...node, items: node.items.map((item) => expand(item, inside)) };
      case 'map':
        return {
          ...node,
          pairs: node.pairs.map(({ key, value }) => ({ key, value: expand(value, inside) })),
        };
      default:
        return node;
    }
  };
  return expand(root, []);
}

function valueOfNode(node: YamlNode): Json {
  switch (node.kind) {
    case 'scalar':
      return valueOfScalar(node);
    case 'sequence':
      return node.items.map(valueOfNode);
    case 'map':
      return objectOfMap(node);
    case 'alias':
      return null;
  }
}

export function objectOfMap(map: YamlMap): JsonObject {
  const object: Record<string, Json> = Object.create(null);
  for (const { key, value } of map.pairs) if (key.kind === 'scalar') object[key.text] = valueOfNode(value);
  return object;
}

function valueOfScalar({ value, text }: YamlScalar): Json {
  if (typeof value !== 'number' || !Number.isInteger(value)) return value;
  if (Number.isSafeInteger(value)) return /[.eE]/.test(text) ? value : BigInt(value);
  // The number has lost digits of such an integer.
  return /^[+-]?\d{1,40}$/.test(text) ? BigInt(text) : value;
}

/** Returns the id of a row or user as clients see it; undefined if the value cannot be an id. */
export function idOfNode(node: YamlNode | undefined): string | undefined {
  if (node?.kind !== 'scalar') return undefined;
  const value = valueOfScalar(node);
  const canName = typeof value === 'string' || typeof value === 'bigint' || typeof value === 'number';
  return canName ? toText(value) : undefined;
}
