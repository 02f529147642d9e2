/** Of a PostgreSQL server, as all its tools write it. */
export function isDatabaseAddress(text: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(text);
}
