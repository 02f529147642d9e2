/**
 * Immutable maps. A copy with a few other values costs little, even if the map is large: a client may have ten thousand buckets,
 * of which one changes.
 */

/** Maps with fewer entries are copied. */
const small = 64;

/** The layers of layered maps. Other maps have no entry. */
const layersOf = new WeakMap<ReadonlyMap<unknown, unknown>, Layers>();

interface Layers {
  readonly below: ReadonlyMap<unknown, unknown>;
  readonly above: ReadonlyMap<unknown, unknown>;
}

/** Returns a copy with other values. The keys must exist already, and all keys keep their order. */
export function withValues<K, V>(
  map: ReadonlyMap<K, V>,
  values: Iterable<readonly [K, V]>,
): ReadonlyMap<K, V> {
  const layers = layersOf.get(map) as { below: ReadonlyMap<K, V>; above: ReadonlyMap<K, V> } | undefined;
  const above = new Map([...(layers?.above ?? []), ...values]);
  const below = layers?.below ?? map;
  if (below.size < small || above.size ** 2 > below.size) return flatten(below, above);
  const layered = layer(below, above);
  layersOf.set(layered, { below, above });
  return layered;
}

function flatten<K, V>(below: ReadonlyMap<K, V>, above: ReadonlyMap<K, V>): ReadonlyMap<K, V> {
  const flat = new Map(below);
  for (const [key, value] of above) flat.set(key, value);
  return flat;
}

function layer<K, V>(below: ReadonlyMap<K, V>, above: ReadonlyMap<K, V>): ReadonlyMap<K, V> {
  const get = (key: K): V | undefined => (above.has(key) ? above.get(key) : below.get(key));
  function* entries(): MapIterator<[K, V]> {
    for (const [key, value] of below) yield [key, above.has(key) ? (above.get(key) as V) : value];
  }
  function* values(): MapIterator<V> {
    for (const [, value] of entries()) yield value;
  }
  const map: ReadonlyMap<K, V> = {
    size: below.size,
    get,
    has: (key) => below.has(key),
    keys: () => below.keys(),
    values,
    entries,
    [Symbol.iterator]: entries,
    forEach: (call, self) => {
      for (const [key, value] of entries()) call.call(self, value, key, map);
    },
  };
  return map;
}
