/** What the language server answers. Everything here is registration; the answers are made elsewhere. */
import {
  type Connection,
  type Diagnostic,
  DocumentDiagnosticReportKind,
  type InitializeParams,
  type InitializeResult,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { version } from '../../package.json';
import { diagnostics } from '../features/diagnostics.ts';
import { serverId } from '../protocol.ts';
import { toDiagnostic } from './convert.ts';
import { capabilitiesOf, features } from './features.ts';
import { bareHost, type Host } from './host.ts';
import { openSession } from './session.ts';
import { followSettings } from './settings.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

export function serve(connection: Connection, host: Host = bareHost): void {
  const documents = new TextDocuments(TextDocument);
  const workspace = openWorkspace();

  connection.onInitialize((client) => {
    const pulls = client.capabilities.textDocument?.diagnostic !== undefined;
    if (pulls) answerDiagnostics(connection, documents, workspace);
    else pushDiagnostics(connection, documents, workspace);
    const settings = followSettings(connection, client, () => refreshHints(connection, client));
    const session = openSession(documents, workspace, settings.now, client, host);
    connection.onInitialized(() => settings.start());
    for (const { answer } of features) answer(connection, session);
    return initializeResult(pulls);
  });
  documents.onDidClose(({ document }) => workspace.forget(document));
  documents.listen(connection);
  connection.listen();
}

/** Clients ask again only when they are told to. */
function refreshHints(connection: Connection, { capabilities }: InitializeParams): void {
  if (capabilities.workspace?.inlayHint?.refreshSupport) void connection.languages.inlayHint.refresh();
}

function initializeResult(pulls: boolean): InitializeResult {
  return {
    serverInfo: { name: serverId, version },
    capabilities: {
      ...capabilitiesOf(features),
      textDocumentSync: TextDocumentSyncKind.Incremental,
      ...(pulls && {
        diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false },
      }),
    },
  };
}

/** The client asks when it wants to know. */
function answerDiagnostics(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  workspace: Workspace,
): void {
  connection.languages.diagnostics.on(({ textDocument, previousResultId }) => {
    const document = documents.get(textDocument.uri);
    if (document === undefined) return { kind: DocumentDiagnosticReportKind.Full, items: [] };
    const { id } = workspace.analyzed(document);
    return id === previousResultId
      ? { kind: DocumentDiagnosticReportKind.Unchanged, resultId: id }
      : { kind: DocumentDiagnosticReportKind.Full, resultId: id, items: diagnosticsOf(document, workspace) };
  });
}

/** For clients that cannot ask: tell them after every change. */
function pushDiagnostics(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  workspace: Workspace,
): void {
  documents.onDidChangeContent(({ document }) => {
    const { uri, version } = document;
    connection.sendDiagnostics({ uri, version, diagnostics: diagnosticsOf(document, workspace) });
  });
  documents.onDidClose(({ document: { uri } }) => connection.sendDiagnostics({ uri, diagnostics: [] }));
}

function diagnosticsOf(document: TextDocument, workspace: Workspace): Diagnostic[] {
  const { analysis } = workspace.analyzed(document);
  return diagnostics(analysis).map((plain) => toDiagnostic(document, plain));
}
