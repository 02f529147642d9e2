/** The target of arrow keys in the map: up and down in a column, left and right along the lines. */
import type { MapEntry, ShownGraph } from './groups.ts';
import { mapColumns } from './picture.ts';

/** Returns the id of the next entry, or undefined if there is none. */
export function entryAfter(
  key: string,
  from: string,
  { entries, edges }: Pick<ShownGraph, 'entries' | 'edges'>,
  tops: ReadonlyMap<string, number>,
): string | undefined {
  const here = entries.find(({ id }) => id === from);
  if (here === undefined) return undefined;
  const topOf = ({ id }: MapEntry) => tops.get(id) ?? 0;
  const inColumn = (column: MapEntry['column']) =>
    entries.filter((entry) => entry.column === column).toSorted((a, b) => topOf(a) - topOf(b));
  const own = inColumn(here.column);
  const index = own.indexOf(here);
  const beside = (step: -1 | 1): string | undefined => {
    const column = mapColumns[mapColumns.indexOf(here.column) + step];
    if (column === undefined) return undefined;
    const ends = new Set(
      edges.flatMap(({ from: start, to }) => (start === from ? [to] : to === from ? [start] : [])),
    );
    const others = inColumn(column);
    const linked = others.filter(({ id }) => ends.has(id));
    const distance = (entry: MapEntry) => Math.abs(topOf(entry) - topOf(here));
    return (linked.length > 0 ? linked : others).toSorted((a, b) => distance(a) - distance(b))[0]?.id;
  };
  switch (key) {
    case 'ArrowUp':
      return own[index - 1]?.id;
    case 'ArrowDown':
      return own[index + 1]?.id;
    case 'Home':
      return own[0]?.id;
    case 'End':
      return own.at(-1)?.id;
    case 'ArrowLeft':
      return beside(-1);
    case 'ArrowRight':
      return beside(1);
    default:
      return undefined;
  }
}
