/** A place as the language protocol counts it: lines and UTF-16 units, both from 0. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** Answers where in its lines an offset of the text is. A line ends with LF, CRLF or CR, as in the protocol. */
export function positionsIn(text: string): (offset: number) => Position {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
  return (offset) => {
    let first = 0;
    let behind = starts.length;
    while (behind - first > 1) {
      const middle = (first + behind) >> 1;
      if ((starts[middle] ?? 0) <= offset) first = middle;
      else behind = middle;
    }
    return { line: first, character: offset - (starts[first] ?? 0) };
  };
}
