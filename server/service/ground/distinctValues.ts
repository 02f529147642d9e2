/** Each value once, in the order in which they come first: those with the same JSON text are the same. */
export function distinctValues<Value>(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
