/** Cuts rows that are too long to be kept. Only the beginning and the length of a long text are kept. */
import type { HeldRow } from '../../api/bucketStates.ts';
import { readRowFields } from '../../api/rowFields.ts';

/** The maximum numbers of characters. A row up to `row` is kept unchanged. Each text of a longer row is kept up to `text`. */
const longest = { row: 65_536, text: 4_096 };

export function cutRow(data: string): Pick<HeldRow, 'data' | 'cut'> {
  if (data.length <= longest.row) return { data };
  const fields = readRowFields(data);
  if (fields === undefined)
    return { data: JSON.stringify({ data: beginningOf(data) }), cut: new Map([['data', data.length]]) };
  const cut = new Map<string, number>();
  const columns = fields.map(({ name, kind, text }) => {
    if (kind !== 'text') return `${JSON.stringify(name)}:${kind === 'null' ? 'null' : text}`;
    if (text.length > longest.text) cut.set(name, text.length);
    return `${JSON.stringify(name)}:${JSON.stringify(text.length > longest.text ? beginningOf(text) : text)}`;
  });
  return { data: `{${columns.join(',')}}`, ...(cut.size > 0 && { cut }) };
}

/** Returns the beginning of a text, without half of a surrogate pair at the end. */
function beginningOf(text: string): string {
  return text.slice(0, longest.text).replace(/[\uD800-\uDBFF]$/, '');
}
