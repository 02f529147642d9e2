/** The YAML of a file as a single tree with spans in the file, even if the file was read in parts. */
import type { Analysis } from '../../engine/index.ts';
import { cover, type Span, shift, span } from '../../engine/text/span.ts';
import type { YamlNode } from '../../engine/yaml/nodes.ts';
import { type Entry, type FileSection, sectionsOf, spanInFile } from '../../engine/yaml/parts.ts';

/** A node, with its key if it is the value of a key. */
export interface TreeNode {
  /** The span from the key, or the node's own start, to the last visible character. */
  readonly span: Span;
  /**
   * The node, with spans relative to the start of its part. For a section that is split into parts, it is the null after the
   * heading.
   */
  readonly node: YamlNode;
  /** The span of the value without the key. */
  readonly value: Span;
  readonly key?: { readonly name: string; readonly span: Span };
  readonly inner: readonly TreeNode[];
}

/** Returns the nodes at the top level of the file. If the top level is not a map, returns the single node there. */
export function treeOf({ config, service }: Analysis): readonly TreeNode[] {
  if (config) {
    const [first] = config.parts;
    const root = first?.reading.root;
    if (first && root && root.kind !== 'map' && !first.heading) return [treeNode(root, first.base)];
    return sectionsOf(config.parts).map(sectionNode);
  }
  const root = service?.places.get('')?.node;
  return root ? innerOf(root, 0) : [];
}

function sectionNode(section: FileSection): TreeNode {
  const { key, value, part, content, entries = [] } = section;
  const inner = value.kind === 'map' ? innerOf(value, part.base) : entries.map(entryNode);
  const keySpan = spanInFile(section, key);
  return {
    node: value,
    span: cover(keySpan, content),
    value: content,
    key: { name: nameOf(key), span: keySpan },
    inner: inner.length > 0 ? inner : innerOf(value, part.base),
  };
}

function entryNode({ key, value, part }: Entry): TreeNode {
  return pairNode(key, value, part.base);
}

function pairNode(key: YamlNode, value: YamlNode, base: number): TreeNode {
  const of = treeNode(value, base);
  const keySpan = shift(key.span, base);
  return { ...of, key: { name: nameOf(key), span: keySpan }, span: span(keySpan.start, of.span.end) };
}

function treeNode(node: YamlNode, base: number): TreeNode {
  const at = shift(node.span, base);
  return { node, span: at, value: at, inner: innerOf(node, base) };
}

/** Returns the child nodes. Recursion is safe, because a parsed tree is never deep. */
function innerOf(node: YamlNode, base: number): readonly TreeNode[] {
  if (node.kind === 'map') return node.pairs.map(({ key, value }) => pairNode(key, value, base));
  return node.kind === 'sequence' ? node.items.map((item) => treeNode(item, base)) : [];
}

function nameOf(key: YamlNode): string {
  return key.kind === 'scalar' ? key.text : '';
}
