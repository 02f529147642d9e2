/** The contents of documents without a file, by their URIs. Only the latest few of each kind are kept. */
import type { Uri } from 'vscode';

interface Memory<T> {
  put(uri: Uri, what: T): void;
  get(uri: Uri): T | undefined;
}

const mostKept = 10;

export function remember<T>(): Memory<T> {
  const kept = new Map<string, T>();
  return {
    put(uri, what) {
      kept.delete(uri.toString());
      kept.set(uri.toString(), what);
      for (const oldest of kept.keys()) {
        if (kept.size <= mostKept) break;
        kept.delete(oldest);
      }
    },
    get: (uri) => kept.get(uri.toString()),
  };
}
