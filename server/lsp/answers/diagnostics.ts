/** Reports the problems of the open configs: answers clients that ask for them, and pushes them to clients that cannot ask. */
import {
  type Connection,
  type Diagnostic,
  DocumentDiagnosticReportKind,
  type InitializeParams,
  type TextDocuments,
  type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Code } from '../../engine/diagnostics/diagnostics.ts';
import { diagnostics, type SeverityChoice } from '../../features/diagnostics.ts';
import { readClientOptions } from '../host/clientOptions.ts';
import { pageOf } from '../host/pages.ts';
import { quietly } from '../host/quietly.ts';
import type { LatestLimits } from '../workspace/latestLimits.ts';
import { type EditorSettings, showingOf } from '../workspace/settings.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { toDiagnostic } from './convert.ts';
import type { TestDiagnostics } from './tests/diagnostics.ts';

interface DiagnosticsControl {
  /** Called after a change outside the documents. */
  readonly refresh: () => void;
}

export function canPull({ capabilities }: InitializeParams): boolean {
  return capabilities.textDocument?.diagnostic !== undefined;
}

/**
 * Whether to report problems in closed files. The VS Code extension does without them, because `headwater validate` checks those
 * files.
 */
export function wantsWorkspace(client: InitializeParams): boolean {
  return readClientOptions(client).commands === undefined;
}

interface DiagnosticsParts extends Everywhere {
  readonly workspace: Workspace;
  readonly settings: () => EditorSettings;
  readonly client: InitializeParams;
  readonly tests: TestDiagnostics;
  readonly limits: LatestLimits;
}

export function diagnose(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  { workspace, settings, client, tests, limits, all, rest }: DiagnosticsParts,
): DiagnosticsControl {
  const { syntax } = readClientOptions(client);
  const items = (document: TextDocument): Diagnostic[] => tests.items(document) ?? itemsOfConfig(document);
  const itemsOfConfig = (document: TextDocument): Diagnostic[] => {
    const showing = showingOf(settings());
    const severityHere: SeverityChoice = (code) =>
      syntax !== undefined && syntaxCodes.includes(code) ? 'off' : showing(code);
    return diagnostics(workspace.analysisOf(document).analysis, severityHere, limits.known).map((plain) =>
      toDiagnostic(document, plain, pageOf(plain.code, client)),
    );
  };
  const idOf = (document: TextDocument): string =>
    `${tests.idOf(document) ?? workspace.analysisOf(document).id} ${JSON.stringify(settings().severities)} ${limits.id}`;
  return canPull(client)
    ? answer(connection, documents, { client, items, idOf, all, rest })
    : push(connection, documents, items);
}

/** The codes for problems that every YAML parser reports. */
const syntaxCodes: readonly Code[] = ['yaml-syntax', 'yaml-duplicate-key'];

/** Access to all configs of the workspace, open or not, and a pause that lets other work run. */
interface Everywhere {
  readonly all: () => readonly TextDocument[];
  readonly rest: () => Promise<void>;
}

type ItemsOf = (document: TextDocument) => Diagnostic[];

interface Report extends Everywhere {
  readonly client: InitializeParams;
  readonly items: ItemsOf;
  /** Returns an id that changes whenever the items may have changed. */
  readonly idOf: (document: TextDocument) => string;
}

/** Answers clients that ask for diagnostics. */
function answer(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  { client: { capabilities }, items, idOf, all, rest }: Report,
): DiagnosticsControl {
  connection.languages.diagnostics.on(({ textDocument, previousResultId }) => {
    const document = documents.get(textDocument.uri);
    if (document === undefined) return { kind: DocumentDiagnosticReportKind.Full, items: [] };
    const id = idOf(document);
    return id === previousResultId
      ? { kind: DocumentDiagnosticReportKind.Unchanged, resultId: id }
      : { kind: DocumentDiagnosticReportKind.Full, resultId: id, items: items(document) };
  });
  connection.languages.diagnostics.onWorkspace(async ({ previousResultIds }, token) => {
    const known = new Map(previousResultIds.map(({ uri, value }) => [uri, value]));
    const open = new Set(documents.all());
    const reports: WorkspaceDocumentDiagnosticReport[] = [];
    for (const document of all()) {
      // A thousand files take a while, so other questions are answered in between.
      await rest();
      if (token.isCancellationRequested) break;
      const { uri } = document;
      const [id, version] = [idOf(document), open.has(document) ? document.version : null];
      reports.push(
        known.get(uri) === id
          ? { kind: DocumentDiagnosticReportKind.Unchanged, uri, version, resultId: id }
          : { kind: DocumentDiagnosticReportKind.Full, uri, version, resultId: id, items: items(document) },
      );
    }
    return { items: reports };
  });
  const canRefresh = capabilities.workspace?.diagnostics?.refreshSupport === true;
  return {
    refresh() {
      if (canRefresh) quietly(connection.languages.diagnostics.refresh());
    },
  };
}

/** Pushes diagnostics after every change, for clients that cannot ask for them. */
function push(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  items: ItemsOf,
): DiagnosticsControl {
  const send = (document: TextDocument): void => {
    const { uri, version } = document;
    quietly(connection.sendDiagnostics({ uri, version, diagnostics: items(document) }));
  };
  documents.onDidChangeContent(({ document }) => send(document));
  documents.onDidClose(({ document: { uri } }) => connection.sendDiagnostics({ uri, diagnostics: [] }));
  return { refresh: () => documents.all().forEach(send) };
}
