/** What features are answered from: the configs, the client's wishes, the machine. */
import type { InitializeParams, TextDocuments } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { OpenConfig, Session } from '../answers/feature.ts';
import type { Host } from '../host/host.ts';
import type { Folders } from './folders.ts';
import type { Settings } from './settings.ts';
import type { Workspace } from './workspace.ts';

export interface Parts {
  readonly documents: TextDocuments<TextDocument>;
  readonly workspace: Workspace;
  readonly folders: Pick<Folders, 'texts' | 'folderOf'>;
  readonly settings: () => Settings;
  readonly client: InitializeParams;
  readonly host: Host;
}

export function openSession({ documents, workspace, folders, settings, client, host }: Parts): Session {
  const openConfig = (document: TextDocument | undefined): OpenConfig[] => {
    if (document === undefined) return [];
    const { analysis } = workspace.analyzed(document);
    return analysis.kind === 'foreign' ? [] : [{ document, analysis }];
  };
  return {
    find: (uri) => openConfig(documents.get(uri))[0],
    all() {
      const closed = workspace.onDisk().filter(({ uri }) => documents.get(uri) === undefined);
      return [...documents.all(), ...closed].flatMap(openConfig);
    },
    folderOf: folders.folderOf,
    schemaOf: workspace.schemaOf,
    textOf(uri) {
      const text = folders.texts().get(uri);
      return text === undefined ? undefined : TextDocument.create(uri, 'sql', 0, text);
    },
    settings,
    client,
    host,
  };
}
