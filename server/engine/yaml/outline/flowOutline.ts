/** Finds the place of an offset in a flow collection such as `[a, { b: c }]`, even if it is half typed. */

export interface FlowStep {
  /** The key; undefined for an item of a list. */
  readonly key: string | undefined;
  readonly siblings: ReadonlyMap<string, string>;
}

interface FlowPlace {
  readonly path: readonly FlowStep[];
  /** Whether the place is a key: in a map, before a colon. */
  readonly isKey: boolean;
  /** The start of the key or value. */
  readonly start: number;
  /** The keys before this one in the same map. */
  readonly siblings: ReadonlyMap<string, string>;
}

interface Open {
  readonly isMap: boolean;
  readonly siblings: Map<string, string>;
  key?: string;
  /** The start of the current key or value. */
  start: number;
}

/** Returns undefined if the offset is after the end of the collection that opens at `from`. */
export function flowAt(text: string, from: number, offset: number): FlowPlace | undefined {
  const open: Open[] = [];
  for (let at = from; at < offset; at++) {
    const character = text[at] ?? '';
    const inner = open.at(-1);
    if (character === '"' || character === "'") {
      at = endOfQuoted(text, at, character, offset);
    } else if (character === '[' || character === '{') {
      open.push({ isMap: character === '{', siblings: new Map(), start: at + 1 });
    } else if (character === ']' || character === '}') {
      open.pop();
      if (open.length === 0) return undefined;
    } else if (inner && character === ',') {
      endPair(text, inner, at);
      inner.start = at + 1;
    } else if (inner?.isMap && inner.key === undefined && character === ':') {
      inner.key = unquote(text.slice(inner.start, at));
      inner.start = at + 1;
    }
  }
  const last = open.at(-1);
  if (last === undefined) return undefined;
  const isKey = last.isMap && last.key === undefined;
  const path = (isKey ? open.slice(0, -1) : open).map(({ key, siblings }) => ({ key, siblings }));
  const start = Math.min(skipBlanks(text, last.start), offset);
  return { path, isKey, start, siblings: last.siblings };
}

function endPair(text: string, map: Open, end: number): void {
  if (map.key !== undefined) map.siblings.set(map.key, unquote(text.slice(map.start, end)));
  delete map.key;
}

/** Returns the position of the closing quote, or of the last character before the offset. */
function endOfQuoted(text: string, start: number, quote: string, offset: number): number {
  let at = start + 1;
  for (; at < offset; at++) {
    if (text[at] === '\\' && quote === '"') at++;
    else if (text[at] === quote) {
      if (quote === '"' || text[at + 1] !== quote) return at;
      at++;
    }
  }
  return offset - 1;
}

function unquote(written: string): string {
  return written.trim().replace(/^(["'])(.*)\1$/s, '$2');
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? '')) at++;
  return at;
}
