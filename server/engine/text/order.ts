/** Compares texts by UTF-16 units, which is the same on every machine and in every language. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
