/**
 * Reads the columns of a synced row from its JSON. Numbers stay texts, because they may have more digits than JavaScript can
 * hold.
 */

export interface RowField {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'null';
  /** Empty for null. */
  readonly text: string;
}

/** Returns the columns. Undefined if the text is not an object of SQLite values. */
export function readRowFields(data: string): readonly RowField[] | undefined {
  const fields: RowField[] = [];
  let at = skipSpace(data, 0);
  if (data[at] !== '{') return undefined;
  at = skipSpace(data, at + 1);
  if (data[at] === '}') return isEnd(data, at) ? fields : undefined;
  for (;;) {
    const name = textAt(data, at);
    if (name === undefined) return undefined;
    at = skipSpace(data, name.end);
    if (data[at] !== ':') return undefined;
    at = skipSpace(data, at + 1);
    const value = textAt(data, at) ?? wordAt(data, at);
    if (value === undefined) return undefined;
    fields.push({ name: name.text, kind: value.kind, text: value.text });
    at = skipSpace(data, value.end);
    if (data[at] === '}') return isEnd(data, at) ? fields : undefined;
    if (data[at] !== ',') return undefined;
    at = skipSpace(data, at + 1);
  }
}

interface Piece {
  readonly kind: RowField['kind'];
  readonly text: string;
  readonly end: number;
}

function skipSpace(data: string, from: number): number {
  let at = from;
  while (at < data.length && ' \n\r\t'.includes(data.charAt(at))) at += 1;
  return at;
}

function isEnd(data: string, brace: number): boolean {
  return skipSpace(data, brace + 1) === data.length;
}

/** Reads a text without a regular expression, which could overflow the stack on ten megabytes. */
function textAt(data: string, from: number): Piece | undefined {
  if (data[from] !== '"') return undefined;
  let quote = data.indexOf('"', from + 1);
  while (quote !== -1 && isEscaped(data, quote)) quote = data.indexOf('"', quote + 1);
  if (quote === -1) return undefined;
  try {
    return { kind: 'text', text: JSON.parse(data.slice(from, quote + 1)) as string, end: quote + 1 };
  } catch {
    return undefined;
  }
}

function isEscaped(data: string, at: number): boolean {
  let slashes = 0;
  while (data[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

const word = /null|true|false|-?\d[\d.eE+-]*/y;

function wordAt(data: string, from: number): Piece | undefined {
  word.lastIndex = from;
  const [text] = word.exec(data) ?? [];
  if (text === undefined) return undefined;
  const end = from + text.length;
  return text === 'null' ? { kind: 'null', text: '', end } : { kind: 'number', text, end };
}
