/** The latest explanation of access tests, as a document that cannot be edited, so closing it asks no question. */
import { type Disposable, EventEmitter, Uri, window, workspace } from 'vscode';

const uri = Uri.from({ scheme: 'headwater-tests', path: '/Explained access tests' });

export class Explanation implements Disposable {
  #text = '';
  readonly #changed = new EventEmitter<Uri>();
  readonly #provider = workspace.registerTextDocumentContentProvider(uri.scheme, {
    onDidChange: this.#changed.event,
    provideTextDocumentContent: () => this.#text,
  });

  async show(text: string): Promise<void> {
    this.#text = text;
    this.#changed.fire(uri);
    await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
  }

  dispose(): void {
    this.#provider.dispose();
    this.#changed.dispose();
  }
}
