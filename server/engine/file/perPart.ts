/** Work that is done part by part, and kept for the next analysis. */
import { groupBy } from '../ground/group.ts';
import type { SectionName, Sections } from '../model/sections.ts';
import { type Entry, entriesIn, type FileSection, type Part } from '../yaml/parts.ts';

/** Values by the numbers of the parts; absent for a part without the section. */
export type ByPart<T> = readonly (T | undefined)[];

/** The results of an earlier analysis, for those parts that are still the same. */
export interface KnownParts<T> {
  readonly made: ByPart<T>;
  /** The earlier number of each part; -1 if there was none like it. */
  readonly origins: ArrayLike<number>;
}

/** A value for each part that has entries in a section, computed unless it is cached. */
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
  /** Absent if the parts have nothing else. */
  readonly entries?: readonly Entry[];
}

/** Returns the places of a section. A part may have it twice by mistake. */
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
