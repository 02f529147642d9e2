/** Longer names are never looked up: the work per name grows with the square of the length. */
const longest = 64;

/** The name that is most probably meant by `typed`: at most two slips away, and fewer than half of its letters. */
export function nearest(typed: string, names: Iterable<string>): string | undefined {
  if (typed.length > longest) return undefined;
  const limit = Math.min(2, Math.floor((typed.length - 1) / 2));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const name of names) {
    if (Math.abs(name.length - typed.length) >= bestDistance) continue;
    const distance = slips(typed.toLowerCase(), name.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** How many letters must be added, removed, replaced, or swapped with their neighbour (optimal string alignment). */
function slips(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let fewest = Math.min(replaced, at(last, j) + 1, at(row, j - 1) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        fewest = Math.min(fewest, at(beforeLast, j - 2) + 1);
      }
      row.push(fewest);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
