/** Computes values part by part and keeps them for the next analysis. */
import { groupBy } from '../ground/group.ts';
import type { SectionName, Sections } from '../model/sections.ts';
import { type Entry, entriesIn, type FileSection, type Part } from '../yaml/parts.ts';

/** Values by the index of their part; undefined for a part without the section. */
export type ByPart<T> = readonly (T | undefined)[];

/** The results of an earlier analysis for the parts that are still the same. */
export interface KnownParts<T> {
  readonly made: ByPart<T>;
  /** For each part, its index in the earlier analysis; -1 if there was no equal part. */
  readonly origins: ArrayLike<number>;
}

/** Returns a value for each part that contains entries of a section. Cached values are reused. */
export function perPart<T>(
  sections: Sections,
  name: SectionName,
  parts: readonly Part[],
  known: KnownParts<T> | undefined,
  make: (part: Part, entries: readonly Entry[], at: number) => T,
): ByPart<T> {
  const made = new Array<T | undefined>(parts.length).fill(undefined);
  for (const { range, entries } of placesOf(sections.get(name) ?? []))
    for (let at = range[0]; at < range[1]; at += 1) {
      const part = parts[at];
      if (part === undefined) continue;
      const kept = known?.made[known.origins[at] ?? -1];
      if (kept !== undefined) {
        made[at] = kept;
        continue;
      }
      const own = entries ?? entriesIn(part);
      if (own.length > 0) made[at] = make(part, own, at);
    }
  return made;
}

interface EntryPlaces extends Pick<FileSection, 'range'> {
  /** Absent if the parts contain no other entries. */
  readonly entries?: readonly Entry[];
}

/** Returns the places of a section. A part may contain the section twice by mistake. */
function placesOf(sections: readonly FileSection[]): readonly EntryPlaces[] {
  const spread = sections.filter(({ part }) => part.heading);
  const others = groupBy(
    sections.filter(({ part }) => !part.heading),
    ({ range }) => range[0],
  );
  return [
    ...spread.map(({ range }) => ({ range })),
    ...[...others].map(([at, found]) => ({
      range: [at, at + 1] as const,
      entries: found.flatMap(({ entries = [] }) => entries),
    })),
  ];
}

/** Returns the values in reading order. */
export function inEachPart<T>(found: ByPart<T>): readonly T[] {
  return found.filter((value) => value !== undefined);
}
