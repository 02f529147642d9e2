/** Whether a text is the address of a PostgreSQL server, in the form that all PostgreSQL tools use. */
export function isDatabaseAddress(text: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(text);
}
