/** Returns each value once, in the order of first occurrence. Values with the same JSON text are equal. */
export function distinctValues<Value>(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
