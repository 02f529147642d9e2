/** Edits of several files, with the version of each file if the client supports that. */
import type {
  CreateFile,
  InitializeParams,
  TextDocumentEdit,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Edit } from '../../engine/text/edit.ts';
import { toTextEdit } from './convert.ts';

export interface DocumentEdits {
  readonly document: TextDocument;
  /** Whether the file is open. Only open files have a version. */
  readonly isOpen: boolean;
  readonly edits: readonly Edit[];
}

/** Combines edits and new files. A file is created before the reference to it is written. */
export function workspaceEdit(
  { capabilities }: InitializeParams,
  documents: readonly DocumentEdits[],
  created: readonly (CreateFile | TextDocumentEdit)[] = [],
): WorkspaceEdit {
  const changes = documents.map((each) => ({ ...each, textEdits: textEditsOf(each) }));
  if (created.length === 0 && capabilities.workspace?.workspaceEdit?.documentChanges !== true) {
    return {
      changes: Object.fromEntries(changes.map(({ document, textEdits }) => [document.uri, textEdits])),
    };
  }
  const edited = changes.map(
    ({ document: { uri, version }, isOpen, textEdits }): TextDocumentEdit => ({
      textDocument: { uri, version: isOpen ? version : null },
      edits: textEdits,
    }),
  );
  return { documentChanges: [...created, ...edited] };
}

export function canConfirm({ capabilities }: InitializeParams): boolean {
  const edit = capabilities.workspace?.workspaceEdit;
  return edit?.documentChanges === true && edit.changeAnnotationSupport !== undefined;
}

/** Makes the editor show this description and ask before it applies the edits. Requires {@link canConfirm}. */
export function withConfirmation(edit: WorkspaceEdit, description: string): WorkspaceEdit {
  const annotationId = 'consequence';
  const changes = (edit.documentChanges ?? []).map((change) =>
    'edits' in change
      ? { ...change, edits: change.edits.map((one) => ({ ...one, annotationId })) }
      : { ...change, annotationId },
  );
  return {
    documentChanges: changes,
    changeAnnotations: {
      [annotationId]: { label: 'Rename for clients', needsConfirmation: true, description },
    },
  };
}

function textEditsOf({ document, edits }: DocumentEdits): TextEdit[] {
  return edits.map((edit) => toTextEdit(document, edit));
}
