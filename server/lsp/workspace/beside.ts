/** The URI of a path that a file names, seen from that file; undefined for what can be no path, and for no place. */
export function beside(uri: string, path: string): string | undefined {
  try {
    // Half of a pair of surrogates, as in an emoji that is being deleted, cannot be encoded.
    return new URL(path.split('/').map(encodeURIComponent).join('/'), uri).href;
  } catch {
    return undefined;
  }
}
