/** What is wrong with the open configs: asked for, or pushed to clients that cannot ask. */
import {
  type Connection,
  type Diagnostic,
  DocumentDiagnosticReportKind,
  type InitializeParams,
  type TextDocuments,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Code } from '../engine/diagnostics.ts';
import { diagnostics, type PlainDiagnostic } from '../features/diagnostics.ts';
import { readClientOptions } from './clientOptions.ts';
import { toDiagnostic } from './convert.ts';
import { pageOf } from './pages.ts';
import { quietly } from './quietly.ts';
import type { Workspace } from './workspace.ts';

export interface Diagnosing {
  /** After something changed that is not in the documents. */
  readonly refresh: () => void;
}

export function canPull({ capabilities }: InitializeParams): boolean {
  return capabilities.textDocument?.diagnostic !== undefined;
}

export function diagnose(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  workspace: Workspace,
  client: InitializeParams,
): Diagnosing {
  const { syntax } = readClientOptions(client);
  const isSaid = ({ code }: PlainDiagnostic) => syntax === undefined || !syntaxCodes.includes(code);
  const items = (document: TextDocument): Diagnostic[] =>
    diagnostics(workspace.analyzed(document).analysis)
      .filter(isSaid)
      .map((plain) => toDiagnostic(document, plain, pageOf(plain.code, client)));
  return canPull(client)
    ? answer(connection, documents, workspace, client, items)
    : push(connection, documents, items);
}

/** What every reader of YAML reports. */
const syntaxCodes: readonly Code[] = ['yaml-syntax', 'yaml-duplicate-key'];

type ItemsOf = (document: TextDocument) => Diagnostic[];

/** The client asks when it wants to know. */
function answer(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  workspace: Workspace,
  { capabilities }: InitializeParams,
  items: ItemsOf,
): Diagnosing {
  connection.languages.diagnostics.on(({ textDocument, previousResultId }) => {
    const document = documents.get(textDocument.uri);
    if (document === undefined) return { kind: DocumentDiagnosticReportKind.Full, items: [] };
    const { id } = workspace.analyzed(document);
    return id === previousResultId
      ? { kind: DocumentDiagnosticReportKind.Unchanged, resultId: id }
      : { kind: DocumentDiagnosticReportKind.Full, resultId: id, items: items(document) };
  });
  const canRefresh = capabilities.workspace?.diagnostics?.refreshSupport === true;
  return {
    refresh() {
      if (canRefresh) quietly(connection.languages.diagnostics.refresh());
    },
  };
}

/** For clients that cannot ask: tell them after every change. */
function push(connection: Connection, documents: TextDocuments<TextDocument>, items: ItemsOf): Diagnosing {
  const send = (document: TextDocument): void => {
    const { uri, version } = document;
    quietly(connection.sendDiagnostics({ uri, version, diagnostics: items(document) }));
  };
  documents.onDidChangeContent(({ document }) => send(document));
  documents.onDidClose(({ document: { uri } }) => connection.sendDiagnostics({ uri, diagnostics: [] }));
  return { refresh: () => documents.all().forEach(send) };
}
