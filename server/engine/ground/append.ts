/** Appends items one by one. Passing a hundred thousand items as arguments of a single call would overflow the stack. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
