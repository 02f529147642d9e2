/** Compares two lists of lines. Each line is only in the first, only in the second, or in both. */

export interface ComparedLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

export function compareLines(before: readonly string[], after: readonly string[]): readonly ComparedLine[] {
  const comparison = new Comparison(before, after);
  comparison.compare({ a: 0, aEnd: before.length, b: 0, bEnd: after.length });
  return comparison.lines();
}

/** Returns for each line whether it is shown: the changed lines, and `around` lines before and after each of them. */
export function nearChanges(all: readonly ComparedLine[], around: number): readonly boolean[] {
  return all.map((_, index) =>
    all.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same'),
  );
}

/** A part of both lists: the lines of the first from `a` to before `aEnd`, and of the second from `b` to before `bEnd`. */
interface Part {
  readonly a: number;
  readonly aEnd: number;
  readonly b: number;
  readonly bEnd: number;
}

/**
 * The maximum number of changed lines on the way from either end of a part to its middle. If a part has more, all of its lines count as
 * changed. The time grows with the square of this number, and the memory with the number itself.
 */
const mostChanges = 2_000;

/**
 * The shortest list of changes, as in Eugene Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), in linear space.
 *
 * 1. `#lines` ends with a line that both lists have, or is empty.
 * 2. All later changes are in `#removed` and `#added`, so that a change shows its removed lines first.
 */
class Comparison {
  readonly #before: readonly string[];
  readonly #after: readonly string[];
  readonly #lines: ComparedLine[] = [];
  #removed: ComparedLine[] = [];
  #added: ComparedLine[] = [];

  constructor(before: readonly string[], after: readonly string[]) {
    this.#before = before;
    this.#after = after;
  }

  lines(): readonly ComparedLine[] {
    this.#flush();
    return this.#lines;
  }

  compare({ a, aEnd, b, bEnd }: Part): void {
    const start = this.#equalLines({ a, aEnd, b, bEnd });
    this.#same(a, a + start);
    const rest = { a: a + start, aEnd, b: b + start, bEnd };
    const end = this.#equalEnd(rest);
    const middle = { ...rest, aEnd: aEnd - end, bEnd: bEnd - end };
    const isChanged = middle.a === middle.aEnd || middle.b === middle.bEnd;
    const split = isChanged ? undefined : this.#splitOf(middle);
    if (split === undefined) this.#changed(middle);
    else {
      this.compare({ ...middle, aEnd: split.a, bEnd: split.b });
      this.compare({ ...middle, ...split });
    }
    this.#same(aEnd - end, aEnd);
  }

  /** Returns the number of equal lines at the beginning of a part. */
  #equalLines({ a, aEnd, b, bEnd }: Part): number {
    const most = Math.min(aEnd - a, bEnd - b);
    let count = 0;
    while (count < most && this.#before[a + count] === this.#after[b + count]) count += 1;
    return count;
  }

  #equalEnd({ a, aEnd, b, bEnd }: Part): number {
    const most = Math.min(aEnd - a, bEnd - b);
    let count = 0;
    while (count < most && this.#before[aEnd - 1 - count] === this.#after[bEnd - 1 - count]) count += 1;
    return count;
  }

  /**
   * Returns a place through which the shortest way leads from the beginning to the end of the part. The way is searched from both sides,
   * with one more change in each round, until both searches meet.
   */
  #splitOf(part: Part): Pick<Part, 'a' | 'b'> | undefined {
    const a = this.#before.slice(part.a, part.aEnd);
    const b = this.#after.slice(part.b, part.bEnd);
    const delta = a.length - b.length;
    const most = Math.min(Math.ceil((a.length + b.length) / 2), mostChanges);
    const forward = new Search(a, b, most);
    const backward = new Search(a.toReversed(), b.toReversed(), most);
    for (let changes = 0; changes <= most; changes += 1) {
      const least = -changes + 2 * Math.max(0, changes - b.length);
      const greatest = changes - 2 * Math.max(0, changes - a.length);
      for (let k = least; k <= greatest; k += 2) {
        const x = forward.advance(k, changes);
        const isMet = delta % 2 !== 0 && Math.abs(delta - k) < changes;
        if (isMet && x + backward.reached(delta - k) >= a.length) return { a: part.a + x, b: part.b + x - k };
      }
      for (let k = least; k <= greatest; k += 2) {
        const x = backward.advance(k, changes);
        const isMet = delta % 2 === 0 && Math.abs(delta - k) <= changes;
        if (isMet && x + forward.reached(delta - k) >= a.length)
          return { a: part.aEnd - x, b: part.bEnd - x + k };
      }
    }
    return undefined;
  }

  #same(from: number, to: number): void {
    if (from === to) return;
    this.#flush();
    for (let at = from; at < to; at += 1) this.#lines.push({ kind: 'same', text: this.#before[at] ?? '' });
  }

  #changed({ a, aEnd, b, bEnd }: Part): void {
    for (let at = a; at < aEnd; at += 1)
      this.#removed.push({ kind: 'removed', text: this.#before[at] ?? '' });
    for (let at = b; at < bEnd; at += 1) this.#added.push({ kind: 'added', text: this.#after[at] ?? '' });
  }

  #flush(): void {
    for (const line of this.#removed) this.#lines.push(line);
    for (const line of this.#added) this.#lines.push(line);
    [this.#removed, this.#added] = [[], []];
  }
}

/** One direction of the search. A diagonal `k` has the places with `a` lines of the first list and `a - k` of the second. */
class Search {
  readonly #a: readonly string[];
  readonly #b: readonly string[];
  readonly #reached: Int32Array;
  readonly #middle: number;

  /** @param most the maximum number of changes */
  constructor(a: readonly string[], b: readonly string[], most: number) {
    this.#a = a;
    this.#b = b;
    this.#reached = new Int32Array(2 * most + 3);
    this.#middle = most + 1;
  }

  /** Returns how many lines of the first list are behind the search on a diagonal. */
  reached(k: number): number {
    return this.#reached[this.#middle + k] ?? 0;
  }

  /** Goes as far as possible on a diagonal with one more change, and returns the number of lines of the first list. */
  advance(k: number, changes: number): number {
    const [above, left] = [this.reached(k + 1), this.reached(k - 1)];
    const isAdded = k === -changes || (k !== changes && left < above);
    let x = isAdded ? above : left + 1;
    while (x < this.#a.length && x - k < this.#b.length && this.#a[x] === this.#b[x - k]) x += 1;
    this.#reached[this.#middle + k] = x;
    return x;
  }
}
