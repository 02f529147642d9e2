/** The kinds of tokens. */
export type TokenKind =
  | 'word'
  | 'quoted'
  | 'string'
  | 'integer'
  | 'real'
  | 'parameter'
  | 'symbol'
  /** `$$text$$`, which nothing accepts. */
  | 'dollar'
  | 'unknown'
  | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** Words: folded to lower case. Quoted words and strings: the content. Others: as written. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export function unreadableToken(text: string, start: number, end: number): Token {
  return { kind: 'unknown', text: text.slice(start, end), start, end };
}
