/** The part of bucket names before the `[`, and the number of buckets with it. */
export type NamedCount = readonly [name: string, count: number];

/** @param counts the counts of at most `most + 1` buckets in total */
export function countsUpTo(
  most: number,
  counts: readonly NamedCount[],
): ReadonlyMap<string, number> | undefined {
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  return all > most ? undefined : new Map(counts);
}
