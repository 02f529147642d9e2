/** The data for answering feature requests: the configs, the client's options, and the machine. */
import type { InitializeParams, TextDocuments } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Analysis } from '../../engine/index.ts';
import type { KnownLimits } from '../../features/limits/knownLimits.ts';
import type { Uri } from '../../shared/uri.ts';
import type { CreateDocument } from '../host/encoding.ts';
import type { Host } from '../host/host.ts';
import type { Folders } from './folders.ts';
import type { KnownSchema } from './knownSchema.ts';
import type { EditorSettings } from './settings.ts';
import type { AccessTests } from './tests/accessTests.ts';
import type { TestRuns } from './tests/runs.ts';
import type { Workspace } from './workspace.ts';

export interface LanguageSession {
  /** Returns an open sync or service config in its current state; undefined for any other file. */
  readonly find: (uri: Uri) => OpenConfig | undefined;
  /** Whether the client has opened the file, whatever its kind. */
  readonly isOpen: (uri: Uri) => boolean;
  /** Returns the configs of the workspace: open ones in the order in which they were opened, then those on disk. */
  readonly all: () => readonly OpenConfig[];
  /** Returns the same configs, analysed only for names and places, without tables. */
  readonly allForNames: () => readonly OpenConfig[];
  /** Returns the documents of all files that may be configs, in the same order. */
  readonly documents: () => readonly TextDocument[];
  /** Returns the folder of the workspace that contains a file; for a file outside the workspace, the file's own folder. */
  readonly folderOf: (uri: Uri) => Uri;
  /** Returns the source schema of a config, if it is known. */
  readonly schemaOf: (uri: Uri) => KnownSchema | undefined;
  /** Returns a file of the workspace that creates tables. */
  readonly textOf: (uri: Uri) => TextDocument | undefined;
  readonly tests: AccessTests;
  readonly runs: TestRuns;
  /** Returns how much data the clients of a service receive, if the client has reported it. */
  readonly limits: () => KnownLimits | undefined;
  readonly settings: () => EditorSettings;
  /** The client's initialization parameters. */
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
  readonly tests: AccessTests;
  readonly runs: TestRuns;
  readonly limits: () => KnownLimits | undefined;
  readonly settings: () => EditorSettings;
  readonly client: InitializeParams;
  readonly host: Host;
  readonly create: CreateDocument;
}

export function openLanguageSession({
  documents,
  workspace,
  folders,
  tests,
  runs,
  limits,
  settings,
  client,
  host,
  create,
}: SessionParts): LanguageSession {
  const openConfig = (document: TextDocument): OpenConfig[] =>
    configIn(document, workspace.analysisOf(document).analysis);
  const documentsOfAll = (): TextDocument[] => {
    const open = new Set(documents.all().map(({ uri }) => host.readUri(uri).key));
    const closed = workspace.onDisk().filter(({ uri }) => !open.has(host.readUri(uri).key));
    return [...documents.all(), ...closed];
  };
  /** Finds an open document. The URI normally has the client's spelling, but it may have that of a folder if we built it. */
  const openAt = (uri: Uri) =>
    documents.get(uri.text) ?? documents.all().find((open) => host.readUri(open.uri).key === uri.key);
  return {
    find(uri) {
      const document = openAt(uri);
      return document && openConfig(document)[0];
    },
    isOpen: (uri) => openAt(uri) !== undefined,
    all: () => documentsOfAll().flatMap(openConfig),
    documents: documentsOfAll,
    allForNames: () =>
      documentsOfAll().flatMap((document) => configIn(document, workspace.glimpse(document))),
    folderOf: folders.folderOf,
    schemaOf: workspace.schemaOf,
    textOf(uri) {
      const stored = folders.texts().get(uri.key);
      return stored && create(stored.uri.text, 'sql', 0, stored.text);
    },
    tests,
    runs,
    limits,
    settings,
    client,
    host,
  };
}

/** Access tests are not configs, so answers about configs do not apply to them. */
function configIn(document: TextDocument, analysis: Analysis): OpenConfig[] {
  return analysis.kind === 'sync' || analysis.kind === 'service' ? [{ document, analysis }] : [];
}
