/** A function that computes its result once for each object and caches it for the object's lifetime. */
interface OncePer<K extends object, V> {
  (subject: K): V;
  readonly has: (subject: K) => boolean;
}

export function oncePer<K extends object, V>(compute: (subject: K) => V): OncePer<K, V> {
  const answers = new WeakMap<K, { readonly value: V }>();
  const ask = (subject: K): V => {
    const known = answers.get(subject);
    if (known !== undefined) return known.value;
    const value = compute(subject);
    answers.set(subject, { value });
    return value;
  };
  return Object.assign(ask, { has: (subject: K) => answers.has(subject) });
}
