/** Groups the nodes of a column by the first words of their names, so that a column has few entries. Groups can be opened. */
import type { MarkKind } from '../../api/syncMap.ts';
import { markKinds } from '../../api/syncMap.ts';
import type { MapColumn, MapEdge, MapNode, MapPicture } from './picture.ts';
import { mapColumns } from './picture.ts';

export interface MapGroup {
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

/** The maximum number of entries that are not grouped. */
const mostTogether = 24;

/** Returns each column as a tree whose groups have at most `mostTogether` members. */
export function groupPicture({ nodes }: MapPicture): readonly MapEntry[] {
  return mapColumns.flatMap((column) => {
    const own = nodes.filter((node) => node.column === column);
    return groupNodes(own, `group ${column}`, 0);
  });
}

const order = new Intl.Collator('en', { numeric: true });

function groupNodes(nodes: readonly MapNode[], path: string, depth: number): readonly MapEntry[] {
  if (nodes.length <= mostTogether) return nodes;
  const byWord = new Map<string, MapNode[]>();
  for (const node of nodes) {
    const word = beginningOf(node.label, depth);
    byWord.set(word, [...(byWord.get(word) ?? []), node]);
  }
  const words = [...byWord].toSorted(([a], [b]) => order.compare(a, b));
  if (byWord.size === 1 && depth < deepest) return groupNodes(nodes, path, depth + 1);
  if (byWord.size === 1 || byWord.size > mostTogether) return groupInRanges(nodes, path);
  return words.flatMap(([word, members]): readonly MapEntry[] => {
    if (members.length < fewestTogether) return members;
    const inner = groupNodes(members, `${path} ${word}`, depth + 1);
    return [toGroup(`${path} ${word}`, `${word} …`, inner, members)];
  });
}

/** The maximum number of words of a name that are compared, and the minimum number of nodes in a group. */
const deepest = 4;
const fewestTogether = 2;

/** Returns the first words of a name, for example `task` and then `task_list` for `task_list_items`. */
function beginningOf(label: string, depth: number): string {
  const words = label.split(/(?<=[_\-./ ])|(?<=[a-z0-9])(?=[A-Z])/);
  return words
    .slice(0, depth + 1)
    .join('')
    .replace(/[_\-./ ]+$/, '');
}

function groupInRanges(nodes: readonly MapNode[], path: string): readonly MapEntry[] {
  const sorted = nodes.toSorted((a, b) => order.compare(a.label, b.label));
  const count = Math.min(mostTogether, Math.ceil(sorted.length / mostTogether));
  const size = Math.ceil(sorted.length / count);
  return Array.from({ length: count }, (_, index) => sorted.slice(index * size, (index + 1) * size)).flatMap(
    (members) => {
      const [first, last] = [members[0], members.at(-1)];
      if (first === undefined || last === undefined) return [];
      const label = `${first.label} – ${last.label}`;
      const own = `${path} ${label}`;
      return [
        toGroup(own, label, members.length > mostTogether ? groupInRanges(members, own) : members, members),
      ];
    },
  );
}

function toGroup(
  id: string,
  label: string,
  members: readonly MapEntry[],
  nodes: readonly MapNode[],
): MapGroup {
  const count = (kind: MarkKind) =>
    nodes.filter(({ marks }) => marks.some((mark) => mark.kind === kind)).length;
  const marks = markKinds
    .map((kind): [MarkKind, number] => [kind, count(kind)])
    .filter(([, number]) => number > 0);
  return {
    id,
    column: nodes[0]?.column ?? 'tables',
    label,
    members,
    size: nodes.length,
    marks: new Map(marks),
  };
}

export interface ShownGraph {
  readonly entries: readonly MapEntry[];
  /** The open groups, which are replaced by their members. */
  readonly opened: readonly MapGroup[];
  /** The edges between shown entries. Each one combines `count` edges of the picture. */
  readonly edges: readonly (MapEdge & { readonly count: number })[];
}

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
  const merged = new Map<string, MapEdge & { count: number }>();
  for (const { from, to, use } of edges) {
    const [start, end] = [shownAs.get(from), shownAs.get(to)];
    if (start === undefined || end === undefined) continue;
    const key = JSON.stringify([start, end]);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { from: start, to: end, use, count: 1 });
    else merged.set(key, { ...known, use: use === 'rows' ? 'rows' : known.use, count: known.count + 1 });
  }
  return { entries, opened, edges: [...merged.values()] };
}

export function nodesIn(entries: readonly MapEntry[]): readonly MapNode[] {
  return entries.flatMap((entry) => (isGroup(entry) ? nodesIn(entry.members) : [entry]));
}
