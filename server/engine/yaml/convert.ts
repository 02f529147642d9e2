/** Converts the nodes of `yaml` to our own. */
import { isAlias, isMap, isScalar, type ParsedNode, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import { type Span, span } from '../text/span.ts';
import type { ScalarStyle, YamlMap, YamlNode, YamlPair, YamlScalar, YamlSequence } from './nodes.ts';
import { trimEnd } from './space.ts';

/** Converts a node. Recursion is safe, because `compose` has cut off nodes that are nested too deeply. */
export function nodeOf(text: string, node: ParsedNode): YamlNode {
  if (isAlias(node)) return { kind: 'alias', name: node.source, span: span(node.range[0], node.range[1]) };
  const properties = {
    ...(node.anchor !== undefined && { anchor: node.anchor }),
    ...(node.tag !== undefined && { tag: node.tag.replace(/^tag:yaml\.org,2002:/, '!!') }),
  };
  if (isScalar(node)) return { ...scalarOf(text, node), ...properties };
  return { ...(isMap(node) ? mapOf(text, node) : sequenceOf(text, node)), ...properties };
}

const styles: Record<string, ScalarStyle> = {
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
};

function scalarOf(text: string, node: Scalar.Parsed): YamlScalar {
  const [start, end] = node.range;
  const { value, source } = node;
  return {
    kind: 'scalar',
    style: styles[node.type ?? ''] ?? 'plain',
    value: typeof value === 'bigint' ? smallest(value) : (value as YamlScalar['value']),
    text: typeof value === 'string' ? value : source,
    span: start === end ? nothingAt(trimEnd(text, 0, start)).span : span(start, trimEnd(text, start, end)),
  };
}

function smallest(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function mapOf(text: string, node: YAMLMap.Parsed): YamlMap {
  const pairs = node.items.map((pair) => pairOf(text, pair.key, pair.value));
  return { kind: 'map', flow: node.flow === true, pairs, span: spanOf(text, node, pairs.at(-1)?.value) };
}

function pairOf(text: string, keyNode: ParsedNode, value: ParsedNode | null): YamlPair {
  const key = nodeOf(text, keyNode);
  return { key, value: value === null ? nothingAt(key.span.end) : nodeOf(text, value) };
}

function nothingAt(at: number): YamlScalar {
  return { kind: 'scalar', style: 'plain', value: null, text: '', span: span(at, at) };
}

function sequenceOf(text: string, node: YAMLSeq.Parsed): YamlSequence {
  const items = node.items.map((item) => nodeOf(text, item));
  return { kind: 'sequence', flow: node.flow === true, items, span: spanOf(text, node, items.at(-1)) };
}

/** Returns the span of a collection. A block collection ends with its last node, but `yaml` would include the comments after it. */
function spanOf(text: string, { flow, range }: YAMLMap.Parsed | YAMLSeq.Parsed, last?: YamlNode): Span {
  const [start, end] = range;
  if (flow === true || last === undefined) return span(start, trimEnd(text, start, end));
  return span(start, Math.max(start, last.span.end));
}
