/** The part before the `[` of the names, and how many there are. */
export type NamedCount = readonly [name: string, count: number];

/** @param counts of not more than `most + 1` buckets in all */
export function countsUpTo(
  most: number,
  counts: readonly NamedCount[],
): ReadonlyMap<string, number> | undefined {
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  return all > most ? undefined : new Map(counts);
}
