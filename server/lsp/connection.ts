/**
 * Composes the language server. `answers/` computes the answers from the data in `workspace/`.
 *
 * 1. Nothing is read before the client has introduced itself: `initialize` opens all parts once, in dependency order. They end with
 *    the connection.
 * 2. A change outside the documents (schemas, settings, tests, limits) refreshes everything that the client shows and that depends
 *    on the change.
 * 3. Refreshes of the schemas run one after the other, so the last requested one determines the result.
 * 4. Answers that need the files of the folders wait until these are listed, or for `longestListingMs` if the editor may never list
 *    them.
 */
import {
  CodeLensRefreshRequest,
  type Connection,
  type InitializeParams,
  type InitializeResult,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { version } from '../../package.json';
import {
  type LimitsParams,
  limitsRequest,
  type ServiceSchemaParams,
  serverId,
  serviceSchemaRequest,
} from '../protocol.ts';
import { openTurns } from '../shared/turns.ts';
import type { Uri } from '../shared/uri.ts';
import { applyCommand } from './answers/actions.ts';
import { canPull, diagnose, wantsWorkspace } from './answers/diagnostics.ts';
import { capabilitiesOf, features } from './answers/features.ts';
import { movedFiles } from './answers/moves.ts';
import { answerOwnRequests } from './answers/ownRequests.ts';
import { answerSyncMap } from './answers/syncMap.ts';
import { testDiagnostics } from './answers/tests/diagnostics.ts';
import { answerTests } from './answers/tests/requests.ts';
import { readClientOptions } from './host/clientOptions.ts';
import { type CreateDocument, chooseUnit, documentsIn, type PositionUnit } from './host/encoding.ts';
import { bareHost, type Host, withoutDatabases } from './host/host.ts';
import { answerRefused } from './host/lifetime.ts';
import { quietly } from './host/quietly.ts';
import { filesOf } from './workspace/files.ts';
import { type Folders, openFolders } from './workspace/folders.ts';
import { lookAhead } from './workspace/largeFiles.ts';
import { LatestLimits } from './workspace/latestLimits.ts';
import { Schemas } from './workspace/schemas.ts';
import { openLanguageSession } from './workspace/session.ts';
import { followSettings } from './workspace/settings.ts';
import { AccessTests } from './workspace/tests/accessTests.ts';
import { openRuns } from './workspace/tests/runs.ts';
import { openWorkspace } from './workspace/workspace.ts';

/** The maximum time to wait for a listing, in milliseconds. Some editors can search only folders on disk. */
const longestListingMs = 5_000;

interface Surroundings {
  readonly client: InitializeParams;
  readonly host: Host;
  readonly documents: TextDocuments<TextDocument>;
  readonly create: CreateDocument;
}

export function serveLanguage(connection: Connection, host: Host = bareHost): void {
  let unit: PositionUnit = 'utf-16';
  const inUnit = documentsIn(() => unit);
  const documents = new TextDocuments(inUnit);
  connection.onInitialize((client) => {
    unit = chooseUnit(client);
    const allowed = readClientOptions(client).sql === 'only read' ? withoutDatabases(host) : host;
    openServer(connection, { client, host: allowed, documents, create: inUnit.create });
    return initializeResult(client);
  });
  documents.listen(connection);
  answerRefused(connection);
  connection.listen();
}

function openServer(connection: Connection, { client, host, documents, create }: Surroundings): void {
  const log = (error: unknown): void => connection.console.error(String(error));
  const files = filesOf(connection, client, host);
  const settings = followSettings(connection, client, () => {
    refresh();
    refreshLenses(connection, client);
  });
  const folders = openFolders(connection, { client, files, host, changed: refresh });
  const isOpen = ({ key }: Uri): boolean => documents.all().some(({ uri }) => host.readUri(uri).key === key);
  const schemas = new Schemas({
    folders,
    files,
    settings: settings.now,
    schemaFileOf: settings.schemaFileOf,
    host,
    isOpen,
    changed: refresh,
  });
  const workspace = openWorkspace({ schemas, folders, files, host, create });
  const tests = new AccessTests({
    documents,
    workspace,
    folders,
    files,
    host,
    create,
    changed: () => tell(),
  });
  const runs = openRuns({
    host,
    isCurrent: (each) => tests.at(each.uri) === each,
    found: () => diagnosing.refresh(),
  });
  const limits = new LatestLimits();
  const session = openLanguageSession({
    documents,
    workspace,
    folders,
    tests,
    runs,
    limits: () => limits.known,
    settings: settings.now,
    client,
    host,
    create,
  });
  const diagnosing = diagnose(connection, documents, {
    workspace,
    settings: settings.now,
    client,
    tests: testDiagnostics(session),
    limits,
    all: session.documents,
    rest: host.clock.rest,
  });

  /** Invariant 2. */
  function tell(): void {
    diagnosing.refresh();
    refreshHints(connection, client);
    if (settings.now().referenceLenses) refreshLenses(connection, client);
    testing.noteChange();
  }

  const refreshes = openTurns();
  /** Invariant 3. */
  function refresh(): void {
    void refreshes.run(() => schemas.refresh().then(tell)).catch(log);
  }

  const begun = whenListed(connection, folders, {
    host,
    list: () => settings.start().catch(log).then(folders.start).catch(log),
  });
  const testing = answerTests(connection, session, begun);
  answerSyncMap(connection, session, begun);
  const prepare = lookAhead(host, (document) => workspace.analysisOf(document).analysis);
  documents.onDidChangeContent(({ document }) => {
    testing.noteChange();
    quietly(prepare(document));
    // Diagnostics of tests depend on the config that they test.
    if (hasTestsOpen(document)) diagnosing.refresh();
  });
  /** Whether another document with access tests is open. The document itself is refreshed by its own change anyway. */
  const hasTestsOpen = (document: TextDocument): boolean =>
    documents.all().some((other) => other !== document && tests.of(other) !== undefined);
  documents.onDidClose(({ document }) => {
    workspace.forget(document);
    testing.noteChange();
  });
  connection.onRequest(serviceSchemaRequest, (params: ServiceSchemaParams) => {
    const result = schemas.takeAnswer(params);
    tell();
    return result;
  });
  connection.onRequest(limitsRequest, ({ forecast }: LimitsParams): boolean => {
    const isKnown = limits.take(forecast);
    diagnosing.refresh();
    refreshHints(connection, client);
    return isKnown;
  });
  answerOwnRequests(connection, session, { documents, folders, schemas, begun });
  for (const { answer } of features) answer(connection, session);
}

interface Listing {
  readonly host: Pick<Host, 'clock'>;
  readonly list: () => Promise<void>;
}

/** Invariant 4. */
function whenListed(connection: Connection, folders: Folders, { host, list }: Listing): Promise<void> {
  return new Promise((resolve) => {
    connection.onInitialized(() => {
      void list().then(resolve);
      if (folders.all().some(({ scheme }) => scheme !== 'file'))
        void host.clock.wait(longestListingMs).then(resolve);
    });
  });
}

function refreshLenses(connection: Connection, { capabilities: { workspace } }: InitializeParams): void {
  if (workspace?.codeLens?.refreshSupport) quietly(connection.sendRequest(CodeLensRefreshRequest.type));
}

/** Asks the client to request hints and semantic tokens again, because it does so only when asked. */
function refreshHints({ languages }: Connection, { capabilities: { workspace } }: InitializeParams): void {
  if (workspace?.inlayHint?.refreshSupport) quietly(languages.inlayHint.refresh());
  if (workspace?.semanticTokens?.refreshSupport) quietly(languages.semanticTokens.refresh());
}

function initializeResult(client: InitializeParams): InitializeResult {
  return {
    serverInfo: { name: serverId, version },
    capabilities: {
      ...capabilitiesOf(features),
      positionEncoding: chooseUnit(client),
      textDocumentSync: TextDocumentSyncKind.Incremental,
      ...(!client.capabilities.textDocument?.codeAction?.codeActionLiteralSupport && {
        executeCommandProvider: { commands: [applyCommand] },
      }),
      workspace: {
        workspaceFolders: { supported: true, changeNotifications: true },
        fileOperations: movedFiles,
      },
      ...(canPull(client) && {
        diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: wantsWorkspace(client) },
      }),
    },
  };
}
