/** Rows as Postgres writes them as one text: `(1,"a ""b""",,"")`. Nothing between commas is NULL. */

/** Fields of a row's text, in the order of its columns. */
export function readComposite(text: string): (string | null)[] {
  const fields: (string | null)[] = [];
  let at = 1;
  for (;;) {
    const { value, end } = text[at] === '"' ? readQuoted(text, at + 1) : readBare(text, at);
    fields.push(value);
    if (text[end] !== ',') return fields;
    at = end + 1;
  }
}

interface Field {
  readonly value: string | null;
  /** Where the comma or the closing parenthesis stands. */
  readonly end: number;
}

/** Commas, quotes, parentheses and backslashes are always quoted. */
function readBare(text: string, from: number): Field {
  let end = text.indexOf(',', from);
  if (end < 0) end = text.length - 1;
  return { value: end === from ? null : text.slice(from, end), end };
}

/** Quotes and backslashes inside stand doubled. */
function readQuoted(text: string, from: number): Field {
  let value = '';
  let at = from;
  for (let start = from; ; ) {
    const letter = text[at];
    if (letter !== '"' && letter !== '\\') at += 1;
    else if (text[at + 1] === letter) {
      value += text.slice(start, at + 1);
      at += 2;
      start = at;
    } else return { value: value + text.slice(start, at), end: at + 1 };
  }
}
