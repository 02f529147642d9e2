/** An address of a PostgreSQL server, in the form that all its tools use. */
export function isDatabaseAddress(text: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(text);
}
