/**
 * The files that access tests name.
 *
 * 1. For an open file, the text in the editor is used, saved or not.
 * 2. There is one document for each text, so that it is analysed only once.
 */
import type { TextDocuments } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { isConfigName } from '../../../shared/places.ts';
import { isSameUri, type Uri, type UriKey, wholePath } from '../../../shared/uri.ts';
import type { CreateDocument } from '../../host/encoding.ts';
import type { Host, WorkspaceFiles } from '../../host/host.ts';
import type { Folders } from '../folders.ts';
import type { Workspace } from '../workspace.ts';

export interface FileParts {
  readonly documents: TextDocuments<TextDocument>;
  readonly workspace: Pick<Workspace, 'onDisk'>;
  readonly folders: Pick<Folders, 'texts' | 'generation'>;
  readonly files: WorkspaceFiles | undefined;
  readonly host: Pick<Host, 'readUri'>;
  readonly create: CreateDocument;
  /** Called when a file outside the listed ones has been read. */
  readonly changed: () => void;
}

export class NamedFiles {
  readonly #parts: FileParts;
  readonly #further: FurtherFiles;
  readonly #made = new Map<UriKey, TextDocument>();

  constructor(parts: FileParts) {
    this.#parts = parts;
    this.#further = new FurtherFiles(parts);
  }

  openAt(uri: Uri): TextDocument | undefined {
    const { documents } = this.#parts;
    return documents.get(uri.text) ?? documents.all().find((open) => this.#isAt(open, uri));
  }

  textAt(uri: Uri): string | undefined {
    const { folders } = this.#parts;
    return this.openAt(uri)?.getText() ?? folders.texts().get(uri.key)?.text ?? this.#further.textOf(uri);
  }

  /** Returns the document of a file (invariant 2). */
  documentAt(uri: Uri): TextDocument | undefined {
    const known = this.openAt(uri) ?? this.#configAt(uri);
    if (known !== undefined) return known;
    const text = this.textAt(uri);
    if (text === undefined) return undefined;
    const before = this.#made.get(uri.key);
    if (before?.getText() === text) return before;
    const made = this.#parts.create(uri.text, 'yaml', 0, text);
    this.#made.set(uri.key, made);
    return made;
  }

  #configAt(uri: Uri): TextDocument | undefined {
    if (!isConfigName(wholePath(uri))) return undefined;
    return this.#parts.workspace.onDisk().find((each) => this.#isAt(each, uri));
  }

  #isAt(document: TextDocument, uri: Uri): boolean {
    return isSameUri(this.#parts.host.readUri(document.uri), uri);
  }
}

/** Reads files that are not in the folders' lists: a config with another name, or rows outside the workspace. */
class FurtherFiles {
  readonly #parts: Pick<FileParts, 'files' | 'folders' | 'changed'>;
  readonly #known = new Map<UriKey, { readonly text: string | undefined; readonly at: number }>();

  constructor(parts: Pick<FileParts, 'files' | 'folders' | 'changed'>) {
    this.#parts = parts;
  }

  textOf(uri: Uri): string | undefined {
    const { files, folders, changed } = this.#parts;
    const before = this.#known.get(uri.key);
    const at = folders.generation();
    if (before?.at === at || files === undefined) return before?.text;
    this.#known.set(uri.key, { text: before?.text, at });
    void files.read(uri).then(
      (text) => {
        this.#known.set(uri.key, { text, at });
        if (text !== before?.text) changed();
      },
      () => {},
    );
    return before?.text;
  }
}
