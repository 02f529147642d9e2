/**
 * Groups the streams of a large map by the tables that they read, and its tables by the streams that read them. Groups can be
 * opened. The order of the file is kept.
 */
import { listNames } from '../../../server/shared/listNames.ts';
import type { MarkKind } from '../../api/syncMap.ts';
import { markKinds } from '../../api/syncMap.ts';
import { amountText } from '../parts/amounts.ts';
import type { MapColumn, MapEdge, MapNode, MapPicture } from './picture.ts';

interface MapGroup {
  readonly id: string;
  readonly column: MapColumn;
  readonly label: string;
  readonly members: readonly (MapGroup | MapNode)[];
  /** The number of nodes in the group, including nodes in inner groups. */
  readonly size: number;
  /** The marks of its nodes. */
  readonly marks: ReadonlyMap<MarkKind, number>;
}

export type MapEntry = MapGroup | MapNode;

export function isGroup(entry: MapEntry): entry is MapGroup {
  return 'members' in entry;
}

/** The maximum number of nodes of a column that are not grouped. */
const mostTogether = 24;

/** Returns the entries of all columns. A column with few nodes has no groups. */
export function groupPicture({ nodes, edges }: MapPicture): readonly MapEntry[] {
  const nodesOf = (column: MapColumn) => nodes.filter((node) => node.column === column);
  const labels = new Map(nodes.map(({ id, label }) => [id, label]));
  const rows = edges.filter(({ use }) => use === 'rows');
  const reads = linksOf(rows, ({ from, to }) => [to, from]);
  const readers = linksOf(edges, ({ from, to }) => [from, to]);
  const namesOf = (ids: readonly string[]) => ids.flatMap((id) => labels.get(id) ?? []);
  const streams = groupAlike(nodesOf('streams'), 'streams', ({ id }) => namesOf(reads.get(id) ?? []));
  return [
    ...groupAlike(nodesOf('tables'), 'tables', ({ id }) => namesOf(readers.get(id) ?? [])),
    ...streams.map((entry) => (isGroup(entry) ? groupByAudience(entry, readers, namesOf) : entry)),
    ...nodesOf('audiences'),
  ];
}

type Links = ReadonlyMap<string, readonly string[]>;

function linksOf(
  edges: readonly MapEdge[],
  endsOf: (edge: MapEdge) => readonly [from: string, to: string],
): Links {
  const links = new Map<string, string[]>();
  for (const edge of edges) {
    const [from, to] = endsOf(edge);
    const known = links.get(from);
    if (known === undefined) links.set(from, [to]);
    else known.push(to);
  }
  return links;
}

/** Groups nodes whose lines lead to the same nodes. */
function groupAlike(
  nodes: readonly MapNode[],
  path: string,
  othersOf: (node: MapNode) => readonly string[],
): readonly MapEntry[] {
  if (nodes.length <= mostTogether) return nodes;
  const alike = new Map<string, { readonly others: readonly string[]; readonly members: MapNode[] }>();
  for (const node of nodes) {
    const others = othersOf(node);
    const key = JSON.stringify(others.toSorted());
    const known = alike.get(key);
    if (known === undefined) alike.set(key, { others, members: [node] });
    else known.members.push(node);
  }
  return [...alike].flatMap(([key, { others, members }]): readonly MapEntry[] => {
    if (members.length === 1 || others.length === 0) return members;
    const amount = amountText(members.length, path === 'tables' ? 'table' : 'stream');
    return [toGroup(`group ${path} ${key}`, `${amount} of ${listNames(others)}`, members)];
  });
}

/** Groups the streams of a large group by the users who get them. */
function groupByAudience(group: MapGroup, audiences: Links, namesOf: (ids: readonly string[]) => string[]) {
  const nodes = nodesIn([group]);
  const inner = groupAlike(nodes, group.id, ({ id }) => namesOf(audiences.get(id) ?? []));
  return inner.length > 1 ? { ...group, members: inner } : group;
}

function toGroup(id: string, label: string, nodes: readonly MapNode[]): MapGroup {
  const count = (kind: MarkKind) =>
    nodes.filter(({ marks }) => marks.some((mark) => mark.kind === kind)).length;
  const marks = markKinds
    .map((kind): [MarkKind, number] => [kind, count(kind)])
    .filter(([, number]) => number > 0);
  const column = nodes[0]?.column ?? 'tables';
  return { id, column, label, members: nodes, size: nodes.length, marks: new Map(marks) };
}

export interface ShownGraph {
  readonly entries: readonly MapEntry[];
  /** The open groups, which are replaced by their members. */
  readonly opened: readonly MapGroup[];
  /** The edges between shown entries. Each one combines `count` edges of the picture. */
  readonly edges: readonly ShownEdge[];
}

type ShownEdge = MapEdge & { readonly count: number };

/** Returns the graph to draw while some groups are open. */
export function shownGraph(
  tree: readonly MapEntry[],
  edges: readonly MapEdge[],
  open: ReadonlySet<string>,
): ShownGraph {
  const entries: MapEntry[] = [];
  const opened: MapGroup[] = [];
  /** The entry that represents each node. */
  const shownAs = new Map<string, string>();
  const show = (entry: MapEntry): void => {
    if (!isGroup(entry)) {
      entries.push(entry);
      shownAs.set(entry.id, entry.id);
    } else if (open.has(entry.id)) {
      opened.push(entry);
      entry.members.forEach(show);
    } else {
      entries.push(entry);
      for (const { id } of nodesIn([entry])) shownAs.set(id, entry.id);
    }
  };
  tree.forEach(show);
  const merged = new Map<string, ShownEdge>();
  for (const { from, to, use } of edges) {
    const [start, end] = [shownAs.get(from), shownAs.get(to)];
    if (start === undefined || end === undefined) continue;
    const key = JSON.stringify([start, end]);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { from: start, to: end, use, count: 1 });
    else merged.set(key, { ...known, use: use === 'rows' ? 'rows' : known.use, count: known.count + 1 });
  }
  const graph = { entries, opened, edges: [...merged.values()] };
  const streams = entries.filter(({ column }) => column === 'streams');
  return streams.length > mostTogether ? repeatAudiences(graph, streams, open) : graph;
}

/**
 * Draws the audiences of each stream next to the stream. In a column of many streams, one node for each audience would be far from
 * most of its streams.
 */
function repeatAudiences(
  graph: ShownGraph,
  streams: readonly MapEntry[],
  open: ReadonlySet<string>,
): ShownGraph {
  const audiences: ReadonlyMap<string, MapNode> = new Map(
    graph.entries.flatMap((entry): [string, MapNode][] =>
      entry.column === 'audiences' && !isGroup(entry) ? [[entry.id, entry]] : [],
    ),
  );
  const [entries, opened, edges] = [
    graph.entries.filter(({ column }) => column !== 'audiences'),
    [...graph.opened],
    graph.edges.filter(({ to }) => !audiences.has(to)),
  ];
  const ends = linksOf(graph.edges, ({ from, to }) => [from, to]);
  const order = [...audiences.keys()];
  for (const { id: from } of streams) {
    const own = (ends.get(from) ?? [])
      .flatMap((id) => audiences.get(id) ?? [])
      .toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
      .map((node): MapNode => ({ ...node, id: `${node.id} of ${from}` }));
    const [first] = own;
    if (first === undefined) continue;
    const group = toGroup(`audiences of ${from}`, own.map(({ label }) => label).join(' · '), own);
    const isOpen = own.length > 1 && open.has(group.id);
    if (isOpen) opened.push(group);
    for (const entry of isOpen ? own : [own.length > 1 ? group : first]) {
      entries.push(entry);
      edges.push({ from, to: entry.id, use: 'rows', count: 1 });
    }
  }
  return { entries, opened, edges };
}

export function nodesIn(entries: readonly MapEntry[]): readonly MapNode[] {
  return entries.flatMap((entry) => (isGroup(entry) ? nodesIn(entry.members) : [entry]));
}
