/** Shows answers of commands as documents. The code for them is loaded with the first document. */
import { Disposable, type DocumentLink, languages, type TextDocument, type Uri, workspace } from 'vscode';

export const explainedScheme = 'headwater-explained';
export const previewScheme = 'headwater-preview';

interface Answers {
  readonly explanationText: (uri: Uri) => string;
  readonly explanationLinks: (document: TextDocument) => readonly DocumentLink[];
  readonly previewedText: (uri: Uri) => string;
}

export function provideAnswers(load: () => Promise<Answers>): Disposable {
  return Disposable.from(
    workspace.registerTextDocumentContentProvider(explainedScheme, {
      provideTextDocumentContent: async (uri) => (await load()).explanationText(uri),
    }),
    languages.registerDocumentLinkProvider(
      { scheme: explainedScheme },
      {
        provideDocumentLinks: async (document) => [...(await load()).explanationLinks(document)],
      },
    ),
    workspace.registerTextDocumentContentProvider(previewScheme, {
      provideTextDocumentContent: async (uri) => (await load()).previewedText(uri),
    }),
  );
}
