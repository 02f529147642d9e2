/** Values as a cell of a grid shows them: on one line, and no longer than anybody reads. */

import type { RowField } from '../../api/rowFields.ts';
import { bytesText } from '../parts/amounts.ts';

export interface GridCell {
  readonly kind: RowField['kind'] | 'bytes';
  readonly text: string;
  /** Characters or bytes that it has, if the text is only the beginning of it. */
  readonly length?: number;
}

/** The maximum number of characters. */
const longest = 240;

/** For reading: characters other than letters are written as in JSON, so that a line stays a line. */
export function shownText({ kind, text, length }: GridCell): string {
  if (kind === 'null') return 'NULL';
  if (kind === 'bytes') return bytesText(length ?? 0);
  // Control characters for the direction of text would reorder the text next to it.
  const line = text
    .slice(0, longest)
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) =>
      character < ' ' ? JSON.stringify(character).slice(1, -1) : `\\u${character.charCodeAt(0).toString(16)}`,
    );
  if (length !== undefined) return `${line} … ${bytesText(length)} in all`;
  return text.length > longest ? `${line}…` : line;
}

/** The cell of a row without this column. */
export const absentCell: GridCell = { kind: 'text', text: '' };
