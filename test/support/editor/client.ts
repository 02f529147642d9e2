/** A client of the language server in memory. It uses the real protocol over two streams, without an editor or a process. */
import { PassThrough } from 'node:stream';
import {
  CancellationToken,
  type ClientCapabilities,
  ConfigurationRequest,
  createConnection,
  createProtocolConnection,
  DiagnosticRefreshRequest,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  type DocumentDiagnosticReport,
  DocumentDiagnosticRequest,
  InitializedNotification,
  InitializeRequest,
  type InitializeResult,
  LogMessageNotification,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  RegistrationRequest,
  type TextDocumentContentChangeEvent,
} from 'vscode-languageserver';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { serveLanguage } from '../../../server/lsp/connection.ts';
import type { Host } from '../../../server/lsp/host/host.ts';
import { lifetimeOptions } from '../../../server/lsp/host/lifetime.ts';

export interface Client {
  readonly server: InitializeResult;
  open(uri: string, text: string): Promise<void>;
  /** Sends several changes at once, as an editor does, with the next version. */
  change(uri: string, ...changes: readonly TextDocumentContentChangeEvent[]): Promise<void>;
  close(uri: string): Promise<void>;
  pull(uri: string, previousResultId?: string): Promise<DocumentDiagnosticReport>;
  /** Sends any other request of the protocol. */
  request<Answer = unknown>(method: string, params: object, token?: CancellationToken): Promise<Answer>;
  /** Registers a listener for one of our own notifications. */
  onNotification<Params>(method: string, take: (params: Params) => void): void;
  /** Sends any other notification. */
  notify(method: string, params: object): Promise<void>;
  /** Resolves when the server next asks the client to pull all diagnostics again. */
  refreshed(): Promise<void>;
  /** Resolves to the next diagnostics that the server sends on its own. */
  pushed(): Promise<PublishDiagnosticsParams>;
  dispose(): void;
}

const literals = { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } };

/** The capabilities of current editors. */
export const canPull: ClientCapabilities = {
  textDocument: {
    diagnostic: {},
    hover: { contentFormat: ['markdown', 'plaintext'] },
    completion: { completionItem: { documentationFormat: ['markdown'] } },
    signatureHelp: { signatureInformation: { documentationFormat: ['markdown'] } },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    codeAction: literals,
  },
};
export const cannotPull: ClientCapabilities = {};

/** The environment of a client, apart from its capabilities. */
export interface ClientWorld {
  readonly host?: Host;
  /** The URIs of the workspace folders. */
  readonly folders?: readonly string[];
  readonly initializationOptions?: unknown;
  /** Returns the settings under `headwater` for a root of the workspace, or for the whole workspace. */
  readonly settings?: (root?: string) => unknown;
  /** The answers to our own requests, by method. */
  readonly answers?: Readonly<Record<string, (params: never) => unknown>>;
  /** Receives each message that the server writes to the client's log. */
  readonly log?: (message: string) => void;
}

export async function connectClient(
  capabilities: ClientCapabilities,
  { host, folders = [], initializationOptions, settings = () => null, answers = {}, log }: ClientWorld = {},
): Promise<Client> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  serveLanguage(
    createConnection(
      (logger) =>
        createProtocolConnection(
          new StreamMessageReader(toServer),
          new StreamMessageWriter(toClient),
          logger,
          lifetimeOptions(),
        ),
      { initialize() {}, shutdownReceived: false, exit() {} },
    ),
    host,
  );
  const connection = createProtocolConnection(
    new StreamMessageReader(toClient),
    new StreamMessageWriter(toServer),
  );
  const pushes = queue<PublishDiagnosticsParams>();
  const refreshes = queue<void>();
  connection.onRequest(DiagnosticRefreshRequest.type, () => refreshes.put());
  connection.onRequest(ConfigurationRequest.type, ({ items }) =>
    items.map(({ scopeUri, section = '' }) => valueAt(settings(scopeUri), section.split('.').slice(1))),
  );
  connection.onRequest(RegistrationRequest.type, () => {});
  for (const [method, answer] of Object.entries(answers)) connection.onRequest(method, answer);
  connection.onNotification(PublishDiagnosticsNotification.type, pushes.put);
  connection.onNotification(LogMessageNotification.type, ({ message }) => log?.(message));
  connection.listen();
  const server = await connection.sendRequest(InitializeRequest.type, {
    processId: null,
    rootUri: null,
    capabilities,
    initializationOptions,
    workspaceFolders: folders.map((uri) => ({ uri, name: uri })),
  });
  await connection.sendNotification(InitializedNotification.type, {});
  let version = 0;
  return {
    server,
    open(uri, text) {
      version += 1;
      const textDocument = { uri, languageId: 'yaml', version, text };
      return connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });
    },
    change(uri, ...contentChanges) {
      version += 1;
      const textDocument = { uri, version };
      const params = { textDocument, contentChanges: [...contentChanges] };
      return connection.sendNotification(DidChangeTextDocumentNotification.type, params);
    },
    close: (uri) =>
      connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } }),
    pull: (uri, previousResultId) =>
      connection.sendRequest(DocumentDiagnosticRequest.type, {
        textDocument: { uri },
        ...(previousResultId !== undefined && { previousResultId }),
      }),
    request: (method, params, token = CancellationToken.None) =>
      connection.sendRequest(method, params, token),
    onNotification: (method, take) => {
      connection.onNotification(method, take);
    },
    notify: (method, params) => connection.sendNotification(method, params),
    refreshed: refreshes.take,
    pushed: pushes.take,
    dispose() {
      connection.dispose();
      toServer.destroy();
      toClient.destroy();
    },
  };
}

/** A queue in which values wait for a call of `take`, and calls of `take` wait for a value. */
function queue<T>(): { put: (value: T) => void; take: () => Promise<T> } {
  const values: T[] = [];
  const waiting: ((value: T) => void)[] = [];
  return {
    put(value) {
      const taker = waiting.shift();
      if (taker === undefined) values.push(value);
      else taker(value);
    },
    take() {
      const value = values.shift();
      return value === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(value);
    },
  };
}

/** Returns null for a setting without a value, as editors do. */
function valueAt(settings: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, key) => (inner as Record<string, unknown> | null)?.[key] ?? null, settings);
}
