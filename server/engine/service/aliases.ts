/** Resolves anchors and aliases. Unlike in sync configs, an alias in a service config means the node to which it refers. */
import type { Finding } from '../diagnostics/diagnostics.ts';
import type { Span } from '../text/span.ts';
import type { YamlAlias, YamlNode } from '../yaml/nodes.ts';
import { walk } from '../yaml/walk.ts';
import { finding } from './finding.ts';

/** Nodes by their anchors, in reading order. */
export type Anchors = ReadonlyMap<string, readonly YamlNode[]>;

export function anchorsOf(root: YamlNode): Anchors {
  const anchors = new Map<string, YamlNode[]>();
  walk(root, (node) => {
    if (node.kind === 'alias' || node.anchor === undefined) return;
    const named = anchors.get(node.anchor);
    if (named === undefined) anchors.set(node.anchor, [node]);
    else named.push(node);
  });
  return anchors;
}

/** Returns the last node before the alias that has its anchor. */
export function targetOf(anchors: Anchors, { name, span }: YamlAlias): YamlNode | undefined {
  const anchored = anchors.get(name);
  // Many aliases before many anchors must not take time proportional to their product.
  if (anchored?.[0] === undefined || anchored[0].span.start > span.start) return undefined;
  return anchored.findLast((node) => node.span.start < span.start);
}

interface AliasedConfig {
  readonly places: ReadonlyMap<string, { readonly node: YamlNode; readonly span: Span }>;
  readonly anchors: Anchors;
}

export function checkAliases({ places, anchors }: AliasedConfig): Finding[] {
  return [...places.values()].flatMap(({ node, span }) =>
    node.kind === 'alias' && targetOf(anchors, node) === undefined
      ? [finding('service-unknown-alias', span, { name: node.name })]
      : [],
  );
}
