/** What features are answered from: the open configs, the client's wishes, the machine. */
import type { InitializeParams, TextDocuments } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { OpenConfig, Session } from './feature.ts';
import type { Host } from './host.ts';
import type { Settings } from './settings.ts';
import type { Workspace } from './workspace.ts';

export function openSession(
  documents: TextDocuments<TextDocument>,
  workspace: Workspace,
  settings: () => Settings,
  client: InitializeParams,
  host: Host,
): Session {
  const openConfig = (document: TextDocument | undefined): OpenConfig | undefined => {
    if (document === undefined) return undefined;
    const { analysis } = workspace.analyzed(document);
    return analysis.kind === 'foreign' ? undefined : { document, analysis };
  };
  return {
    find: (uri) => openConfig(documents.get(uri)),
    all: () => documents.all().flatMap((document) => openConfig(document) ?? []),
    settings,
    client,
    host,
  };
}
