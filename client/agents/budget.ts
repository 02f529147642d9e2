/** Limits the size of answers, because an agent pays for each token. A shortened answer says how to get the rest. */

/** The answer of a tool: a few facts, and one list that may be long. */
export interface Draft {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly list?: {
    readonly name: string;
    readonly length: number;
    readonly at: (index: number) => unknown;
  };
}

interface Share {
  /** The number of list items to skip, because an earlier answer contained them. */
  readonly from: number;
  readonly mostTokens: number;
}

/** The default maximum number of tokens in an answer. */
export const usualTokens = 2000;

/** The minimum number of UTF-8 bytes per token. With the tokenizers cl100k and o200k, texts like ours have between 3.1 and 4.2. */
const bytesPerToken = 3;

export function tokensIn(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / bytesPerToken);
}

/** Returns the answer as JSON, which quotes all text from files, so that nothing in it can look like our own words. */
export function answerText({ facts, list }: Draft, { from, mostTokens }: Share): string {
  const most = mostTokens * bytesPerToken;
  const head = writeValue(clip(facts, most - roomForCut));
  if (list === undefined) return head;
  const opening = `${head === '{}' ? '{' : `${head.slice(0, -1)},`}${JSON.stringify(list.name)}:[`;
  let text = opening;
  let index = Math.min(from, list.length);
  let left = most - sizeOf(opening) - roomForCut;
  for (; index < list.length; index += 1) {
    const isFirst = index === Math.min(from, list.length);
    // One item is always included, however long it is, because no client could get past it otherwise.
    const item = writeValue(clip(list.at(index), isFirst ? Math.max(left, leastItem) : longestItem));
    left -= sizeOf(item) + 1;
    if (left < 0 && !isFirst) break;
    text += isFirst ? item : `,${item}`;
  }
  return `${text}]${cut({ from, index, length: list.length })}}`;
}

/** The number of bytes that are reserved for the note that an answer is incomplete. */
const roomForCut = 160;
const leastItem = 200;
/** The maximum size of an item in bytes. Only the first item of an answer may be longer. */
const longestItem = 3000;

function cut({ from, index, length }: { from: number; index: number; length: number }): string {
  if (from > 0 && from >= length)
    return `,"cut":"There ${length === 1 ? 'is only 1 item' : `are only ${length} items`}."`;
  if (index >= length) return '';
  return `,"cut":${JSON.stringify(`${from + 1} to ${index} of ${length}. Call again with from: ${index}, or with a larger max_tokens.`)}`;
}

function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/**
 * Invisible characters, and characters that change the direction of writing: zero-width and bidirectional characters, and the
 * tags in which text can be hidden. They are escaped, so that a reader of the text can see them.
 */
const unseen =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udfff]/g;

function writeValue(value: unknown): string {
  return JSON.stringify(value).replace(unseen, (signs) =>
    [...Array(signs.length).keys()]
      .map((at) => `\\u${signs.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Shortens the longest strings of a value until its JSON has at most `most` bytes. */
function clip(value: unknown, most: number): unknown {
  for (let longest = most; longest > 20; longest = Math.floor(longest / 2)) {
    const short = longest === most ? value : withStrings(value, longest);
    if (sizeOf(JSON.stringify(short)) <= most) return short;
  }
  return 'too long';
}

function withStrings(value: unknown, longest: number): unknown {
  if (typeof value === 'string')
    return value.length <= longest
      ? value
      : `${value.slice(0, longest)}… (characters left out: ${value.length - longest})`;
  if (Array.isArray(value)) return value.map((item) => withStrings(item, longest));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withStrings(inner, longest)]));
}
