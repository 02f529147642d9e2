import { compareTexts } from './order.ts';
import { lengthOfStart } from './partition.ts';

/** The maximum length of a name to search for, because the work for each name grows with its length. */
const longest = 64;

/**
 * The maximum length of a list that is created for a single search, so that many searches for many names take linear time in total.
 */
const mostOfList = 1_000;

/** Names to search. The keys of a map are sorted once for all searches, so the map must be complete before the first search. */
type Names = Iterable<string> | ReadonlyMap<string, unknown>;

/**
 * Returns the name that `typed` most probably means: at most two typing errors away, and fewer than half of its letters. `onStep`
 * is called for each letter that is compared with all of `typed`, as a measure of the work.
 */
export function nearest(typed: string, names: Names, onStep: () => void = () => {}): string | undefined {
  if (typed.length > longest) return undefined;
  const limit = Math.min(2, Math.floor((typed.length - 1) / 2));
  if (limit < 0) return undefined;
  const wanted = typed.toLowerCase();
  const first = Array.from({ length: wanted.length + 1 }, (_, slips) => slips);
  return walk(sortedOf(names), { wanted, limit, onStep }, first)?.name;
}

interface Entry {
  readonly name: string;
  readonly lower: string;
  /** The index among the given names. If two names are equally similar, the first one counts. */
  readonly order: number;
}

interface Match extends Entry {
  readonly slips: number;
}

interface Question {
  readonly wanted: string;
  readonly limit: number;
  readonly onStep: () => void;
}

const sortedMaps = new WeakMap<ReadonlyMap<string, unknown>, readonly Entry[]>();

function sortedOf(names: Names): readonly Entry[] {
  if (!(names instanceof Map)) return sort([...firstOf(names as Iterable<string>)]);
  const known = sortedMaps.get(names);
  if (known?.length === names.size) return known;
  const sorted = sort([...names.keys()]);
  sortedMaps.set(names, sorted);
  return sorted;
}

function* firstOf(names: Iterable<string>): Iterable<string> {
  let count = 0;
  for (const name of names) {
    if (count === mostOfList) return;
    count += 1;
    yield name;
  }
}

function sort(names: readonly string[]): readonly Entry[] {
  const entries = names.map((name, order) => ({ name, lower: name.toLowerCase(), order }));
  return entries.sort((a, b) => compareTexts(a.lower, b.lower) || a.order - b.order);
}

/**
 * Searches the sorted names as a tree of letters. A prefix that differs too much from every prefix of the typed name rules out all
 * names with that prefix.
 */
function walk(entries: readonly Entry[], question: Question, first: readonly number[]): Match | undefined {
  const { wanted, onStep } = question;
  let { limit } = question;
  let best: Match | undefined;

  const visit = (from: number, to: number, depth: number, last: Row, beforeLast: Row): void => {
    let at = from;
    for (; at < to && entries[at]?.lower.length === depth; at += 1) {
      const entry = entries[at] as Entry;
      const slips = last[wanted.length] ?? Number.POSITIVE_INFINITY;
      if (slips > limit || (best && slips === best.slips && entry.order > best.order)) continue;
      best = { ...entry, slips };
      limit = slips;
    }
    while (at < to) {
      const { lower } = entries[at] as Entry;
      const end = endOf(entries, at, to, depth);
      onStep();
      const row = nextRow(wanted, lower, depth, last, beforeLast);
      // A swap affects one more letter.
      if (Math.min(...row) <= limit || Math.min(...last) < limit) visit(at, end, depth + 1, row, last);
      at = end;
    }
  };
  visit(0, entries.length, 0, first, []);
  return best;
}

/** For each prefix of the typed text, the number of errors compared with the prefix of a name. */
type Row = readonly number[];

/** Computes the next row. Letters may be added, removed, replaced, or swapped with their neighbour (optimal string alignment). */
function nextRow(wanted: string, name: string, depth: number, last: Row, beforeLast: Row): Row {
  const row = [depth + 1];
  for (let j = 1; j <= wanted.length; j += 1) {
    const replaced = at(last, j - 1) + (name[depth] === wanted[j - 1] ? 0 : 1);
    let fewest = Math.min(replaced, at(last, j) + 1, at(row, j - 1) + 1);
    if (depth > 0 && j > 1 && name[depth] === wanted[j - 2] && name[depth - 1] === wanted[j - 1]) {
      fewest = Math.min(fewest, at(beforeLast, j - 2) + 1);
    }
    row.push(fewest);
  }
  return row;
}

function at(row: Row, index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

/** Returns the end of the range of names that have the same letter at `depth` as the name at `from`. */
function endOf(entries: readonly Entry[], from: number, to: number, depth: number): number {
  const letter = entries[from]?.lower[depth];
  return from + lengthOfStart(to - from, (index) => entries[from + index]?.lower[depth] === letter);
}
