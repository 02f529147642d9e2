/** Work that is done part by part, and kept for the next analysis by what was read. */
import { entriesOf, type SectionName, type Sections } from '../model/sections.ts';
import type { Entry, Part } from '../yaml/parts.ts';
import type { Reading } from '../yaml/read.ts';

export type ByPart<T> = ReadonlyMap<Part, T>;
/** A part that did not change keeps its reading, wherever it moves. */
export type ByReading<T> = ReadonlyMap<Reading, T>;

/** What is made of the entries of a section in each part that has some, unless it is known already. */
export function perPart<T>(
  sections: Sections,
  name: SectionName,
  known: ByReading<T> | undefined,
  make: (part: Part, entries: readonly Entry[]) => T,
): ByPart<T> {
  const grouped = new Map<Part, Entry[]>();
  for (const entry of entriesOf(sections, name)) {
    const group = grouped.get(entry.part);
    if (group === undefined) grouped.set(entry.part, [entry]);
    else group.push(entry);
  }
  const made = new Map<Part, T>();
  for (const [part, entries] of grouped) made.set(part, known?.get(part.reading) ?? make(part, entries));
  return made;
}

export function byReading<T>(found: ByPart<T>): ByReading<T> {
  const kept = new Map<Reading, T>();
  for (const [part, value] of found) kept.set(part.reading, value);
  return kept;
}
