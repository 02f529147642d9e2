/** Where the nodes of a graph of three columns stand, with few crossings between them. Large: see `layoutWorker.ts`. */
import { Graph, layout } from '@dagrejs/dagre';

export interface LayoutQuestion {
  readonly nodes: readonly { readonly id: string; readonly column: number; readonly height: number }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly weight: number }[];
  /** Pixels between two nodes of a column. */
  readonly gap: number;
}

export interface LayoutAnswer {
  /** The upper edge of each node, in pixels. */
  readonly tops: ReadonlyMap<string, number>;
  readonly height: number;
}

/** Columns are where they are: only the order in them, and the heights, are found out. */
export function layOut({ nodes, edges, gap }: LayoutQuestion): LayoutAnswer {
  const ends = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const middles = middlesOf(
    nodes.filter(({ id }) => ends.has(id)),
    edges,
    gap,
  );
  const tops = new Map<string, number>();
  let height = 0;
  for (const column of new Set(nodes.map((node) => node.column))) {
    // What nothing leads to or from stands below all others.
    const own = nodes
      .filter((node) => node.column === column)
      .map((node) => ({ ...node, middle: middles.get(node.id) ?? Number.POSITIVE_INFINITY }))
      .toSorted((a, b) => (a.middle === b.middle ? 0 : a.middle - b.middle));
    let free = 0;
    for (const { id, height: own_, middle } of own) {
      const wanted = Number.isFinite(middle) ? middle - own_ / 2 : free;
      const top = Math.max(free, wanted);
      tops.set(id, top);
      free = top + own_ + gap;
      height = Math.max(height, top + own_);
    }
  }
  return { tops, height };
}

function middlesOf(
  nodes: LayoutQuestion['nodes'],
  edges: LayoutQuestion['edges'],
  gap: number,
): ReadonlyMap<string, number> {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: gap, ranksep: 40, edgesep: 4, marginx: 0, marginy: 0 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, height } of nodes) graph.setNode(id, { width: 10, height });
  for (const { from, to, weight } of edges) graph.setEdge(from, to, { weight });
  layout(graph);
  return new Map(nodes.map(({ id }) => [id, (graph.node(id) as { readonly y: number }).y]));
}
