/** Writes values for cells of a grid: on one line, and not too long to read. */

import type { RowField } from '../../api/rowFields.ts';
import { sizeText } from '../../health/amounts.ts';

export interface GridCell {
  readonly kind: RowField['kind'] | 'bytes';
  readonly text: string;
  /** The full number of characters or bytes, if the text is only the beginning of the value. */
  readonly length?: number;
}

/** The maximum number of characters. */
const longest = 240;

/** Returns the text of a cell. Control characters are written as in JSON, so that the text stays on one line. */
export function shownText({ kind, text, length }: GridCell): string {
  if (kind === 'null') return 'NULL';
  if (kind === 'bytes') return sizeText(length ?? 0);
  // Escape control characters for the direction of text, because they would reorder the surrounding text.
  const line = text
    .slice(0, longest)
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) =>
      character < ' ' ? JSON.stringify(character).slice(1, -1) : `\\u${character.charCodeAt(0).toString(16)}`,
    );
  if (length !== undefined) return `${line} … ${sizeText(length)} in all`;
  return text.length > longest ? `${line}…` : line;
}

/** The cell of a row without this column. */
export const absentCell: GridCell = { kind: 'text', text: '' };
