/** Returns a text such as `beds, plots and 4 others`. At most `most` names or numbers are in it. */
export function listNames(names: readonly string[], most = 4): string {
  if (names.length > most)
    return `${names.slice(0, most - 1).join(', ')} and ${names.length - most + 1} others`;
  const [last = '', ...others] = names.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
}
