/** The kinds of tokens. */
export type TokenKind =
  | 'word'
  | 'quoted'
  | 'string'
  | 'integer'
  | 'real'
  | 'parameter'
  | 'symbol'
  /** A text such as `$$text$$`, which is not supported anywhere. */
  | 'dollar'
  | 'unknown'
  | 'end';

export interface Token {
  readonly kind: TokenKind;
  /**
   * The text of a word is folded to lower case. That of a quoted word or string is the content, and that of any other token is as
   * written.
   */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export function unreadableToken(text: string, start: number, end: number): Token {
  return { kind: 'unknown', text: text.slice(start, end), start, end };
}
