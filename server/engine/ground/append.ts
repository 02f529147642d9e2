/** Adds items one by one: spread into the arguments of a call, a list of a hundred thousand is more than the stack holds. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
