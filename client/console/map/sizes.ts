/** Computes how much room the texts of an entry need, before the entry is drawn. */

import { listNames } from '../../../server/shared/listNames.ts';
import { amountText } from '../parts/amounts.ts';
import { isGroup, type MapEntry, nodesIn } from './groups.ts';
import { markTitles, worstKind } from './marks.ts';

export interface Measure {
  /** The font size of the page in pixels. All lengths below are multiples of it, like in `map.css`. */
  readonly rem: number;
  /** Returns the width of a text in pixels. */
  readonly widthOf: (text: string, font: MapFont) => number;
}

export type MapFont = 'name' | 'code' | 'small';

const lengths = { padding: 0.9, sides: 1.8, nameLine: 1.3, smallLine: 1.15 };
/** The maximum numbers of lines. Further lines are cut off. */
const most = { codeLines: 2, nameLines: 4, textLines: 5 };
/** The number of members that a group names. */
const mostMembers = 4;

/** Returns the sentence of a stream, or the names of the members of a group. */
export function textOf(entry: MapEntry): string {
  if (!isGroup(entry)) return entry.summary ?? '';
  // The label of such a group already has the names.
  if (entry.column === 'audiences') return '';
  return listNames(
    nodesIn([entry]).map(({ label }) => label),
    mostMembers,
  );
}

/** Returns the font of the name. The names of tables and streams are code. */
export function fontOf(entry: MapEntry): MapFont {
  return isGroup(entry) || entry.column === 'audiences' ? 'name' : 'code';
}

export function factsOf(entry: MapEntry): { readonly mark: string; readonly numbers: string } {
  const kind = worstKind(entry);
  return {
    mark: kind === undefined ? '' : markTitles[kind].title,
    numbers: isGroup(entry)
      ? entry.column === 'audiences'
        ? amountText(entry.size, 'audience')
        : ''
      : entry.numbers.join(' · '),
  };
}

/** Returns the height of an entry in pixels. */
export function heightOf(entry: MapEntry, width: number, { rem, widthOf }: Measure): number {
  const room = Math.max(1, width - lengths.sides * rem);
  const font = fontOf(entry);
  const nameLines =
    font === 'code'
      ? Math.min(most.codeLines, Math.ceil(widthOf(entry.label, font) / room))
      : Math.min(
          most.nameLines,
          countLines(entry.label, room, (text) => widthOf(text, font)),
        );
  const textLines = Math.min(
    most.textLines,
    countLines(textOf(entry), room, (text) => widthOf(text, 'small')),
  );
  const { mark, numbers } = factsOf(entry);
  const facts = [mark, numbers].filter((text) => text !== '');
  const isOneLine = widthOf(facts.join('   '), 'small') <= room;
  const factLines = isOneLine ? Math.min(1, facts.length) : facts.length;
  const lines = nameLines * lengths.nameLine + (textLines + factLines) * lengths.smallLine;
  return Math.ceil((lines + lengths.padding) * rem);
}

/** Returns the number of lines of a text that is broken between words, as a browser does. */
export function countLines(text: string, room: number, widthOf: (text: string) => number): number {
  const words = text.split(' ').filter((word) => word !== '');
  const space = widthOf(' ');
  let [lines, used] = [0, Number.POSITIVE_INFINITY];
  for (const word of words) {
    const width = widthOf(word);
    if (used + space + width <= room) {
      used += space + width;
      continue;
    }
    // A word that is wider than the line is broken.
    lines += Math.max(1, Math.ceil(width / room));
    used = width > room ? width % room : width;
  }
  return lines;
}
