/** The files of a workspace that were not found or not read, so that tables which they create are unknown. */
import { cutSentence, isSchemaFile, type SearchCut } from '../../shared/places.ts';
import { isSameUri, isWithin, type Uri, type UriKey, wholePath } from '../../shared/uri.ts';

export class UnreadFiles {
  /** Files, and folders whose files were not all found. */
  readonly #places = new Map<UriKey, Uri>();

  readonly #log: { readonly warn: (message: string) => void };

  constructor(log: { readonly warn: (message: string) => void }) {
    this.#log = log;
  }

  /** Adds a folder whose files were not all found, and reports why. */
  addFolder(folder: Uri, cut: SearchCut): void {
    this.add(folder);
    this.#log.warn(`${folder.text}: ${cutSentence(cut)} Missing tables are not reported.`);
  }

  add(uri: Uri): void {
    this.#places.set(uri.key, uri);
  }

  remove(uri: Uri): void {
    this.#places.delete(uri.key);
  }

  /** Removes a file, or a folder with its files. */
  forget(uri: Uri): void {
    for (const place of this.#places.values()) if (isWithin(uri, place)) this.remove(place);
  }

  /** Whether a file of the folder that may create tables was not found or not read. */
  areIn(folder: Uri): boolean {
    return [...this.#places.values()].some(
      (place) => isWithin(folder, place) && (isSameUri(folder, place) || isSchemaFile(wholePath(place))),
    );
  }
}
