/** Finds the part of the map that matches a search. */
import type { MarkKind } from '../../api/syncMap.ts';
import type { MapNode, MapPicture } from './picture.ts';

interface MapFilter {
  /** A part of a name. */
  readonly text: string;
  /** A node needs at least one of these marks. Empty: any node matches. */
  readonly marks: ReadonlySet<MarkKind>;
  /** The streams of one user. Undefined: all streams. */
  readonly streams?: ReadonlySet<string> | undefined;
}

/** Returns the matching nodes, the streams to which they belong, and the other nodes of these streams. */
export function filterPicture({ nodes, edges }: MapPicture, filter: MapFilter): MapPicture {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const fitting = new Set(nodes.filter((node) => fits(node, filter)).map(({ id }) => id));
  const streams = new Set([...fitting].filter((id) => byId.get(id)?.column === 'streams'));
  for (const { from, to } of edges) {
    if (byId.get(to)?.column === 'streams' && fitting.has(from)) streams.add(to);
    if (byId.get(from)?.column === 'streams' && fitting.has(to)) streams.add(from);
  }
  const { streams: wanted } = filter;
  if (wanted !== undefined)
    for (const id of streams) if (!wanted.has(byId.get(id)?.label ?? '')) streams.delete(id);
  const shown = new Set<string>(streams);
  for (const { from, to } of edges) {
    if (streams.has(from)) shown.add(to);
    if (streams.has(to)) shown.add(from);
  }
  // A match is shown even if it belongs to no stream, unless only the streams of a user are wanted.
  if (wanted === undefined) for (const id of fitting) shown.add(id);
  return {
    nodes: nodes.filter(({ id }) => shown.has(id)),
    edges: edges.filter(({ from, to }) => streams.has(from) || streams.has(to)),
  };
}

function fits({ label, marks: own }: MapNode, { text, marks }: MapFilter): boolean {
  const isNamed = label.toLowerCase().includes(text.trim().toLowerCase());
  return isNamed && (marks.size === 0 || own.some(({ kind }) => marks.has(kind)));
}
