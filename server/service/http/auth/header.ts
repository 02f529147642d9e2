/** `Bearer VALUE` or `Token VALUE`, exactly so: the word's case counts, and there is one space. */
export function tokenIn(authorization: string | undefined): string | undefined {
  return /^(?:Bearer|Token) ([^\s]+)$/.exec(authorization ?? '')?.[1];
}
