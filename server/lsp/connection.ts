/** Composes the language server. Everything here is registration; the answers are made elsewhere. */
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
import { clientTablesIn } from '../features/clientTables.ts';
import { rowQuery, rulesOfRow } from '../features/explainRow.ts';
import { type KnownLimits, readKnownLimits } from '../features/limits/knownLimits.ts';
import { missingByAnswer, review, reviewAccess } from '../features/review.ts';
import { streamsIn } from '../features/streams.ts';
import {
  type ClientTablesParams,
  type ClientTablesResult,
  clientTablesRequest,
  type ExplainRowParams,
  type ExplainRowResult,
  explainRowRequest,
  type LimitsParams,
  limitsRequest,
  type MissingNamesParams,
  type MissingNamesResult,
  missingNamesRequest,
  type ProjectSchemaParams,
  type ProjectSchemaResult,
  projectSchemaRequest,
  type ReviewParams,
  type RowQueryParams,
  type RowQueryResult,
  reviewRequest,
  rowQueryRequest,
  type SchemaStatusParams,
  type ServiceSchemaParams,
  type StarterParams,
  type StarterResult,
  type StreamsParams,
  type SubscribableStream,
  schemaStatusRequest,
  serverId,
  serviceSchemaRequest,
  starterRequest,
  streamsRequest,
} from '../protocol.ts';
import { applyCommand } from './answers/actions.ts';
import { canPull, diagnose, wantsWorkspace } from './answers/diagnostics.ts';
import { capabilitiesOf, features } from './answers/features.ts';
import { movedFiles } from './answers/moves.ts';
import { answerSyncMap } from './answers/syncMap.ts';
import { testDiagnostics } from './answers/tests/diagnostics.ts';
import { answerTests } from './answers/tests/requests.ts';
import { chooseUnit, documentsIn, type PositionUnit } from './host/encoding.ts';
import { bareHost, type Host } from './host/host.ts';
import { answerRefused } from './host/lifetime.ts';
import { quietly } from './host/quietly.ts';
import { inSlices } from './host/slices.ts';
import { takeTurns } from './host/turns.ts';
import { filesOf } from './workspace/files.ts';
import { openFolders } from './workspace/folders.ts';
import { lookAhead } from './workspace/largeFiles.ts';
import { projectSchemaOf } from './workspace/projectSchema.ts';
import { openSchemas } from './workspace/schemas.ts';
import { openLanguageSession } from './workspace/session.ts';
import { followSettings, showingOf } from './workspace/settings.ts';
import { starterOf } from './workspace/starter.ts';
import { openAccessTests } from './workspace/tests/accessTests.ts';
import { openRuns } from './workspace/tests/runs.ts';
import { openWorkspace } from './workspace/workspace.ts';

/** Milliseconds in which a review finds out who gains and who loses rows: somebody waits for it. */
const longestComparison = 2_000;
/** Milliseconds in which an editor lists the files of a folder, if it ever does: some can search only folders on disk. */
const longestListing = 5_000;

export function serveLanguage(connection: Connection, host: Host = bareHost): void {
  let unit: PositionUnit = 'utf-16';
  const inUnit = documentsIn(() => unit);
  const documents = new TextDocuments(inUnit);
  const log = (error: unknown): void => connection.console.error(String(error));

  connection.onInitialize((client) => {
    unit = chooseUnit(client);
    const files = filesOf(connection, client, host);
    const settings = followSettings(connection, client, () => {
      refresh();
      refreshLenses();
    });
    const folders = openFolders(connection, client, files, host, refresh);
    const schemas = openSchemas(folders, files, settings.now, host);
    const { create } = inUnit;
    const workspace = openWorkspace({ schemas, folders, files, host, create });
    const tests = openAccessTests({
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
    const diagnosing = diagnose(
      connection,
      documents,
      workspace,
      settings.now,
      client,
      testDiagnostics(tests, runs, settings.now, client),
      () => limits && { id: limitsToldAt, known: limits },
      { all: () => session.documents(), rest: host.clock.rest },
    );
    let limits: KnownLimits | undefined;
    let limitsToldAt = 0;
    const session = openLanguageSession({
      documents,
      workspace,
      folders,
      tests,
      runs,
      limits: () => limits,
      settings: settings.now,
      client,
      host,
      create,
    });

    /** The results may change without any change of a document. */
    function tell(): void {
      diagnosing.refresh();
      refreshHints(connection, client);
      if (settings.now().referenceLenses) refreshLenses();
      testing.noteChange();
    }

    function refreshLenses(): void {
      const { codeLens } = client.capabilities.workspace ?? {};
      if (codeLens?.refreshSupport) quietly(connection.sendRequest(CodeLensRefreshRequest.type));
    }

    const refreshInTurn = takeTurns(log);
    /** What was read last counts. */
    function refresh(): void {
      void refreshInTurn(() => schemas.refresh().then(tell));
    }

    let reveal = (): void => {};
    /** When the files of the folders are known, or an editor has not listed them for long. */
    const begun = new Promise<void>((resolve) => {
      reveal = resolve;
    });
    connection.onInitialized(() => {
      void settings.start().catch(log).then(folders.start).catch(log).then(reveal);
      if (folders.all().some(({ scheme }) => scheme !== 'file'))
        void host.clock.wait(longestListing).then(reveal);
    });
    const testing = answerTests(connection, session, begun);
    answerSyncMap(connection, session, begun);
    const prepare = lookAhead(host, (document) => workspace.analysisOf(document).analysis);
    documents.onDidChangeContent(({ document }) => {
      testing.noteChange();
      quietly(prepare(document));
      // What tests say depends on the config that they test.
      if (hasTestsOpen(document)) diagnosing.refresh();
    });
    /** Other documents: this one gets its own changes anyway. */
    const hasTestsOpen = (document: TextDocument): boolean =>
      documents.all().some((other) => other !== document && tests.of(other) !== undefined);
    connection.onRequest(serviceSchemaRequest, (params: ServiceSchemaParams) => {
      const result = schemas.takeAnswer(params);
      tell();
      return result;
    });
    connection.onRequest(limitsRequest, ({ forecast }: LimitsParams): boolean => {
      limits = readKnownLimits(forecast);
      limitsToldAt += 1;
      diagnosing.refresh();
      refreshHints(connection, client);
      return limits !== undefined;
    });
    connection.onRequest(
      projectSchemaRequest,
      async (params: ProjectSchemaParams): Promise<ProjectSchemaResult> => {
        await begun;
        return projectSchemaOf(params, folders, (uri) => documents.get(uri.text)?.getText(), host);
      },
    );
    connection.onRequest(schemaStatusRequest, ({ uri }: SchemaStatusParams) =>
      schemas.status(host.readUri(uri)),
    );
    connection.onRequest(explainRowRequest, ({ uri, table, row }: ExplainRowParams): ExplainRowResult => {
      const open = session.find(host.readUri(uri));
      if (open === undefined) return null;
      const found = rulesOfRow(open.analysis, table, row);
      if (found === undefined) return null;
      const rules = found.rules.map(({ offset, ...rule }) => ({
        ...rule,
        place: open.document.positionAt(offset),
      }));
      return { row: found.row, rules };
    });
    connection.onRequest(rowQueryRequest, (table: RowQueryParams): RowQueryResult => rowQuery(table));
    connection.onRequest(reviewRequest, async ({ uri, text, before }: ReviewParams, token) => {
      const input = { before, source: schemas.of(host.readUri(uri)), showing: showingOf(settings.now()) };
      const end = host.clock.now() + longestComparison;
      const comparing = reviewAccess(text, input, () => host.clock.now() >= end);
      const access = await inSlices(comparing, host.clock, () => !token.isCancellationRequested);
      return { ...review(text, input), ...(access && { access }) };
    });
    connection.onRequest(
      missingNamesRequest,
      ({ text, answer }: MissingNamesParams): MissingNamesResult => missingByAnswer(text, answer) ?? null,
    );
    connection.onRequest(streamsRequest, ({ text }: StreamsParams): readonly SubscribableStream[] =>
      streamsIn(text),
    );
    connection.onRequest(starterRequest, async (params: StarterParams): Promise<StarterResult> => {
      await begun;
      return starterOf(params, folders, schemas, host);
    });
    connection.onRequest(
      clientTablesRequest,
      ({ uri, text }: ClientTablesParams): ClientTablesResult =>
        clientTablesIn(text, schemas.of(host.readUri(uri))) ?? null,
    );
    documents.onDidClose(({ document }) => {
      workspace.forget(document);
      testing.noteChange();
    });
    for (const { answer } of features) answer(connection, session);
    return initializeResult(client);
  });
  documents.listen(connection);
  answerRefused(connection);
  connection.listen();
}

/** Clients ask again only on request. */
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
