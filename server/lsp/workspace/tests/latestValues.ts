/** The latest value for each file, until something changes from which it was made. */
import type { Uri, UriKey } from '../../../shared/uri.ts';

export class LatestValues<Value> {
  readonly #known = new Map<UriKey, { readonly of: readonly unknown[]; readonly value: Value }>();

  /** @param of everything that the value is made from */
  at(uri: Uri, of: readonly unknown[], make: (before: Value | undefined) => Value): Value {
    const known = this.#known.get(uri.key);
    if (known && isSameList(known.of, of)) return known.value;
    const value = make(known?.value);
    this.#known.set(uri.key, { of, value });
    return value;
  }
}

export function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}
