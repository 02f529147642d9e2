/** Anchors and aliases: unlike sync configs, service configs are read with what an alias refers to. */
import type { Finding } from '../diagnostics.ts';
import type { YamlAlias, YamlNode } from '../yaml/nodes.ts';
import { walk } from '../yaml/walk.ts';
import { finding } from './finding.ts';
import type { ServiceConfig } from './places.ts';

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

/** The last node before the alias that has its anchor. */
export function targetOf(anchors: Anchors, { name, span }: YamlAlias): YamlNode | undefined {
  return anchors.get(name)?.findLast((node) => node.span.start < span.start);
}

export function checkAliases({ places, anchors }: ServiceConfig): Finding[] {
  return [...places.values()].flatMap(({ node, span }) =>
    node.kind === 'alias' && targetOf(anchors, node) === undefined
      ? [finding('service-unknown-alias', span, { name: node.name })]
      : [],
  );
}
