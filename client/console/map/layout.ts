/**
 * Computes the positions of the nodes in a graph with a few columns, so that lines cross rarely and neighbours are near each
 * other. It takes less than a second even for thousands of nodes, but still runs in a worker: see `layoutWorker.ts`.
 */

export interface LayoutQuestion {
  readonly nodes: readonly { readonly id: string; readonly column: number; readonly height: number }[];
  /** The edges between adjacent columns. */
  readonly edges: readonly { readonly from: string; readonly to: string; readonly weight: number }[];
  /** The gap between two nodes of a column, in pixels. */
  readonly gap: number;
}

export interface LayoutAnswer {
  /** The upper edge of each node, in pixels. */
  readonly tops: ReadonlyMap<string, number>;
  readonly height: number;
}

interface Place {
  readonly id: string;
  readonly column: number;
  readonly height: number;
  readonly links: { readonly to: Place; readonly weight: number }[];
  /** The position of the middle of the node, in pixels. */
  centre: number;
}

/** The numbers of rounds. Further rounds would change almost nothing. */
const rounds = { order: 6, heights: 8 };

/** Computes the order and the positions of the nodes in their columns. The columns themselves are fixed. */
export function layOut({ nodes, edges, gap }: LayoutQuestion): LayoutAnswer {
  const places = linkedPlaces(nodes, edges);
  const numbers = [...new Set(nodes.map(({ column }) => column))].sort((a, b) => a - b);
  const all = numbers.map((column) => places.filter((place) => place.column === column));
  let columns = all.map((column) => column.filter(({ links }) => links.length > 0));
  for (const column of columns) pack(column, gap);
  columns = orderColumns(columns, gap);
  for (let round = 0; round < rounds.heights; round += 1)
    for (const column of [...columns, ...columns.toReversed()]) settle(column, gap);
  const above = Math.min(...columns.flat().map(topOf));
  const tops = new Map(columns.flat().map((place) => [place.id, topOf(place) - above]));
  let height = 0;
  for (const [index, column] of all.entries()) {
    const last = columns[index]?.at(-1);
    let free = last === undefined ? 0 : topOf(last) - above + last.height + gap;
    // A node without edges is below all others.
    for (const { id, links, height: own } of column) {
      if (links.length > 0) continue;
      tops.set(id, free);
      free += own + gap;
    }
    height = Math.max(height, free - gap);
  }
  return { tops, height: Math.max(0, height) };
}

function linkedPlaces(nodes: LayoutQuestion['nodes'], edges: LayoutQuestion['edges']): readonly Place[] {
  const places = new Map(nodes.map((node): [string, Place] => [node.id, { ...node, links: [], centre: 0 }]));
  for (const { from, to, weight } of edges) {
    const [start, end] = [places.get(from), places.get(to)];
    if (start === undefined || end === undefined) continue;
    start.links.push({ to: end, weight });
    end.links.push({ to: start, weight });
  }
  return [...places.values()];
}

function topOf({ centre, height }: Place): number {
  return centre - height / 2;
}

/** Places the nodes one below the other, without gaps. */
function pack(column: readonly Place[], gap: number): void {
  let free = 0;
  for (const place of column) {
    place.centre = free + place.height / 2;
    free += place.height + gap;
  }
}

/**
 * Orders each column by the middle of the neighbours on one side, then on the other side. Returns the order with the fewest
 * crossings.
 */
function orderColumns(columns: readonly Place[][], gap: number): Place[][] {
  let best = columns.map((column) => [...column]);
  let fewest = crossingsIn(best);
  let now = best;
  for (let round = 0; round < rounds.order && fewest > 0; round += 1) {
    for (const side of ['left', 'right'] as const) {
      now = now.map((column) => [...column]);
      for (const column of side === 'left' ? now : now.toReversed()) {
        const middles = new Map(column.map((place) => [place, middleOf(place, side)]));
        column.sort((a, b) => (middles.get(a) ?? 0) - (middles.get(b) ?? 0));
        pack(column, gap);
      }
      const crossings = crossingsIn(now);
      if (crossings >= fewest) continue;
      fewest = crossings;
      best = now;
    }
  }
  for (const column of best) pack(column, gap);
  return best;
}

/** Returns the middle of the neighbours on a side, or the node's own middle if it has no neighbours there. */
function middleOf(place: Place, side: 'left' | 'right' | 'both'): number {
  let [sum, weights] = [0, 0];
  for (const { to, weight } of place.links) {
    if (side !== 'both' && to.column < place.column !== (side === 'left')) continue;
    sum += weight * to.centre;
    weights += weight;
  }
  return weights === 0 ? place.centre : sum / weights;
}

/** Counts the crossings of edges between adjacent columns. */
function crossingsIn(columns: readonly (readonly Place[])[]): number {
  let crossings = 0;
  for (const [index, column] of columns.entries()) {
    const next = columns[index + 1] ?? [];
    const ranks = new Map(next.map((place, rank) => [place, rank]));
    // A binary indexed tree with the number of edges that end at or before a place.
    const ends = new Uint32Array(next.length + 1);
    let count = 0;
    for (const { links } of column) {
      const own = links.flatMap(({ to }) => ranks.get(to) ?? []).sort((a, b) => a - b);
      for (const rank of own) {
        let upTo = 0;
        for (let at = rank + 1; at > 0; at -= at & -at) upTo += ends[at] ?? 0;
        crossings += count - upTo;
      }
      for (const rank of own)
        for (let at = rank + 1; at < ends.length; at += at & -at) ends[at] = (ends[at] ?? 0) + 1;
      count += own.length;
    }
  }
  return crossings;
}

/**
 * Moves nodes as near to their neighbours as the order allows. Nodes that would overlap are placed next to each other, with the
 * smallest total distance.
 */
function settle(column: readonly Place[], gap: number): void {
  const blocks: { wanted: number; weight: number; readonly places: Place[]; readonly offsets: number[] }[] =
    [];
  let offset = 0;
  let before: Place | undefined;
  for (const place of column) {
    if (before !== undefined) offset += (before.height + place.height) / 2 + gap;
    before = place;
    const weight = place.links.reduce((sum, link) => sum + link.weight, 0);
    let block = { wanted: middleOf(place, 'both') - offset, weight, places: [place], offsets: [offset] };
    for (let last = blocks.at(-1); last !== undefined && last.wanted > block.wanted; last = blocks.at(-1)) {
      blocks.pop();
      const both = last.weight + block.weight;
      const wanted = (last.wanted * last.weight + block.wanted * block.weight) / both;
      for (const each of block.places) last.places.push(each);
      for (const each of block.offsets) last.offsets.push(each);
      block = { wanted, weight: both, places: last.places, offsets: last.offsets };
    }
    blocks.push(block);
  }
  for (const { wanted, places, offsets } of blocks)
    for (const [index, place] of places.entries()) place.centre = wanted + (offsets[index] ?? 0);
}
