/**
 * Returns the items by descending score; items with equal scores keep their order. Taking an item may raise the scores of other
 * items, which `take` returns. This takes n log n steps, because the heap gets another entry for an item each time its score is
 * raised.
 */
export function highestFirst<T extends { readonly score: number }>(
  items: Iterable<T>,
  take: (item: T) => Iterable<T>,
): void {
  const places = new Map([...items].map((item, place) => [item, place]));
  const heap: Heap<T> = [];
  for (const [item, place] of places) add(heap, { item, place, score: item.score });
  for (let next = removeFirst(heap); next !== undefined; next = removeFirst(heap)) {
    if (!places.delete(next.item)) continue;
    for (const item of take(next.item)) {
      const place = places.get(item);
      if (place !== undefined) add(heap, { item, place, score: item.score });
    }
  }
}

interface Entry<T> {
  readonly item: T;
  readonly place: number;
  /** The score when the entry was added. If the item's score has risen since, a later entry comes first. */
  readonly score: number;
}

/** A binary heap: each entry precedes the entries at twice its index and at the index after that, counted from 1. */
type Heap<T> = Entry<T>[];

function comesBefore<T>(a: Entry<T>, b: Entry<T>): boolean {
  return a.score > b.score || (a.score >= b.score && a.place < b.place);
}

function add<T>(heap: Heap<T>, entry: Entry<T>): void {
  let at = heap.length;
  while (at > 0) {
    const above = (at - 1) >> 1;
    const other = heap[above] as Entry<T>;
    if (!comesBefore(entry, other)) break;
    heap[at] = other;
    at = above;
  }
  heap[at] = entry;
}

function removeFirst<T>(heap: Heap<T>): Entry<T> | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    const below = firstOf(heap, 2 * at + 1);
    const other = heap[below];
    if (other === undefined || !comesBefore(other, last)) break;
    heap[at] = other;
    at = below;
  }
  heap[at] = last;
  return first;
}

/** Returns the index of the child that comes first. */
function firstOf<T>(heap: Heap<T>, left: number): number {
  const [a, b] = [heap[left], heap[left + 1]];
  return a !== undefined && b !== undefined && comesBefore(b, a) ? left + 1 : left;
}
