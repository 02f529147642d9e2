/** The text that PostgreSQL would write for a stored value, as far as it is certain. */

/**
 * `refused`: PostgreSQL never stores the value. `unknown`: it may, but its form depends on the version or on settings of the server,
 * or is not worth the code to find it.
 */
export type StoredText = { readonly kind: 'stored'; readonly text: string } | Refusal;
type Refusal = { readonly kind: 'refused' | 'unknown' };

export const refused: Refusal = { kind: 'refused' };
export const uncertain: Refusal = { kind: 'unknown' };

export function storeText(text: string): StoredText {
  return { kind: 'stored', text };
}

/** Removes the characters that PostgreSQL ignores around numbers, booleans, dates and elements of arrays. */
export function trimSpace(text: string): string {
  return text.replace(/^[ \t-\r]+/, '').replace(/[ \t-\r]+$/, '');
}

/** Half a pair of UTF-16 has no form in UTF-8. */
export function hasHalfPair(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

/** The numbers in parentheses after the name of a type, such as 8 and 2 in `numeric(8,2)`. */
export type Modifiers = readonly [first?: number, second?: number];
