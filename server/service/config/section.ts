/** A map in a service config, whose values are read by key. A value of the wrong type is reported and then counts as missing. */
import type { ServiceErrorCode } from '../ground/errors.ts';
import type { Problem } from './problem.ts';

export interface Section {
  readonly has: (key: string) => boolean;
  readonly text: (key: string) => string | undefined;
  readonly number: (key: string) => number | undefined;
  readonly flag: (key: string) => boolean | undefined;
  readonly texts: (key: string) => readonly string[];
  /** Returns an empty section if the key is missing. */
  readonly section: (key: string) => Section;
  readonly sections: (key: string) => readonly Section[];
  /** The plain map. */
  readonly value: Readonly<Record<string, unknown>>;
  /** Reports a problem of this map, or of a key in it. */
  readonly refuse: (
    sentence: string,
    at?: { readonly key?: string; readonly code?: ServiceErrorCode },
  ) => void;
  readonly placeOf: (key: string) => string | undefined;
}

interface SectionRoot {
  readonly value: unknown;
  /** Returns the place of a value, or undefined if it has none. */
  readonly placeOf: (pointer: string) => string | undefined;
  readonly problems: Problem[];
}

export function rootSection(root: SectionRoot): Section {
  return sectionOf(root, '', root.value);
}

function pointerTo(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function sectionOf(root: SectionRoot, pointer: string, value: unknown): Section {
  const map = isMap(value) ? value : {};
  const placeOf = (key: string): string | undefined => root.placeOf(pointerTo(pointer, key));
  const refuse: Section['refuse'] = (sentence, { key, code } = {}) => {
    const place = (key === undefined ? undefined : placeOf(key)) ?? root.placeOf(pointer);
    root.problems.push({ sentence, ...(place && { place }), ...(code && { code }) });
  };
  const typed =
    <T>(is: (found: unknown) => found is T, expected: string) =>
    (key: string): T | undefined => {
      const found = map[key];
      if (found === undefined || found === null) return undefined;
      if (is(found)) return found;
      refuse(`\`${key}\` must be ${expected}.`, { key });
      return undefined;
    };
  const mapAt = typed(isMap, 'a map of keys and values');
  const textsAt = typed(isTexts, 'a list of strings');
  const mapsAt = typed(isMaps, 'a list of maps');
  return {
    has: (key) => map[key] !== undefined && map[key] !== null,
    text: typed((found) => typeof found === 'string', 'text'),
    number: typed((found) => typeof found === 'number', 'a number'),
    flag: typed((found) => typeof found === 'boolean', 'true or false'),
    texts: (key) => textsAt(key) ?? [],
    section: (key) => sectionOf(root, pointerTo(pointer, key), mapAt(key)),
    sections: (key) =>
      (mapsAt(key) ?? []).map((item, index) =>
        sectionOf(root, pointerTo(pointerTo(pointer, key), index), item),
      ),
    value: map,
    refuse,
    placeOf,
  };
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isMaps(value: unknown): value is readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) && value.every(isMap);
}
