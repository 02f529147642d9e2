import type { Finding } from '../diagnostics/diagnostics.ts';
import { lineNumbers } from '../text/lines.ts';
import { duplicatesOf, type SomeKeys } from './duplicates.ts';
import { type FileSection, type Part, pairsOf } from './parts.ts';

/** Returns the duplicates in maps that are spread over several parts. */
export function duplicatesAcross(
  text: string,
  sections: readonly FileSection[],
  parts: readonly Part[],
): Finding[] {
  const lineOf = lineNumbers(text);
  const top = sections.map((section) => ({ part: section.part, pairs: [section] }));
  return [top, ...sections.map((section) => mapsIn(section, parts))].flatMap((maps) =>
    duplicatesOf(maps, lineOf),
  );
}

function mapsIn({ part, value, range }: FileSection, parts: readonly Part[]): readonly SomeKeys[] {
  if (value.kind === 'map') return [{ part, pairs: value.pairs }];
  return part.heading ? parts.slice(...range).map((one) => ({ part: one, pairs: pairsOf(one) })) : [];
}
