/** What features are answered from: the configs, the client's wishes, the machine. */
import type { InitializeParams, TextDocuments } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Analysis } from '../../engine/index.ts';
import type { Host } from '../host/host.ts';
import type { Folders } from './folders.ts';
import type { KnownSchema } from './schemas.ts';
import type { EditorSettings } from './settings.ts';
import type { Workspace } from './workspace.ts';

export interface LanguageSession {
  /** An open sync or service config as it is now; undefined for anything else. */
  readonly find: (uri: string) => OpenConfig | undefined;
  /** Those of the workspace: open ones in the order in which they were opened, then those on disk. */
  readonly all: () => readonly OpenConfig[];
  /** The folder of the workspace that a file is in; outside of all, its own. */
  readonly folderOf: (uri: string) => string;
  /** What is known of the source of a config. */
  readonly schemaOf: (uri: string) => KnownSchema | undefined;
  /** A file of the workspace that makes tables. */
  readonly textOf: (uri: string) => TextDocument | undefined;
  readonly settings: () => EditorSettings;
  /** What the client said of itself at the start. */
  readonly client: InitializeParams;
  readonly host: Host;
}

export interface OpenConfig {
  readonly document: TextDocument;
  readonly analysis: Analysis;
}

interface SessionParts {
  readonly documents: TextDocuments<TextDocument>;
  readonly workspace: Workspace;
  readonly folders: Pick<Folders, 'texts' | 'folderOf'>;
  readonly settings: () => EditorSettings;
  readonly client: InitializeParams;
  readonly host: Host;
}

export function openLanguageSession({
  documents,
  workspace,
  folders,
  settings,
  client,
  host,
}: SessionParts): LanguageSession {
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
