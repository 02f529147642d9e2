/** A client of the language server in memory: the real protocol over two streams, no editor, no process. */
import { PassThrough } from 'node:stream';
import {
  type ClientCapabilities,
  createConnection,
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  type DocumentDiagnosticReport,
  DocumentDiagnosticRequest,
  InitializedNotification,
  InitializeRequest,
  type InitializeResult,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  type TextDocumentContentChangeEvent,
} from 'vscode-languageserver';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { serve } from '../../server/lsp/connection.ts';

export interface Client {
  readonly server: InitializeResult;
  open(uri: string, text: string): Promise<void>;
  /** Several changes at once, as an editor sends them. Versions count up by themselves. */
  change(uri: string, ...changes: readonly TextDocumentContentChangeEvent[]): Promise<void>;
  close(uri: string): Promise<void>;
  pull(uri: string, previousResultId?: string): Promise<DocumentDiagnosticReport>;
  /** Resolves to the next diagnostics that the server sends by itself. */
  pushed(): Promise<PublishDiagnosticsParams>;
  dispose(): void;
}

export const canPull: ClientCapabilities = { textDocument: { diagnostic: {} } };
export const cannotPull: ClientCapabilities = {};

export async function connectClient(capabilities: ClientCapabilities): Promise<Client> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  serve(
    createConnection(
      () => createProtocolConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient)),
      { initialize() {}, shutdownReceived: false, exit() {} },
    ),
  );
  const connection = createProtocolConnection(
    new StreamMessageReader(toClient),
    new StreamMessageWriter(toServer),
  );
  const pushes = queue<PublishDiagnosticsParams>();
  connection.onNotification(PublishDiagnosticsNotification.type, pushes.put);
  connection.listen();
  const server = await connection.sendRequest(InitializeRequest.type, {
    processId: null,
    rootUri: null,
    capabilities,
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
    pushed: pushes.take,
    dispose() {
      connection.dispose();
      toServer.destroy();
      toClient.destroy();
    },
  };
}

/** Whoever comes first, the value or the one who waits for it, waits for the other. */
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
