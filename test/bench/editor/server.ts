/** A language server as a process, and one client for all of them: it pulls diagnostics from servers that offer that. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { createProtocolConnection, type InitializeResult, type Range } from 'vscode-languageserver';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';

interface ServerCommand {
  /** Behind the name of Node. */
  readonly args: readonly string[];
  /** The answers to the server's questions for settings, by section. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** URI of the folder of the workspace. */
  readonly folder?: string;
}

export interface MeasuredServer {
  readonly open: (uri: string, text: string) => Promise<void>;
  readonly change: (uri: string, range: Range, text: string) => Promise<void>;
  readonly request: <T = unknown>(method: string, params: object) => Promise<T>;
  /** Resolves when the diagnostics of the document as it is now have come. */
  readonly diagnosed: (uri: string) => Promise<void>;
  /** Returns its memory in megabytes, now and at most. NaN if the system does not report it. */
  readonly memory: () => { readonly now: number; readonly peak: number };
  /** Lets go of what can go; for servers that were started with {@link watched}. In megabytes. */
  readonly inUse: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** The capabilities of present editors. */
const capabilities = {
  general: { positionEncodings: ['utf-16'] },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    workspaceEdit: { documentChanges: true },
    symbol: {},
  },
  textDocument: {
    diagnostic: {},
    publishDiagnostics: { versionSupport: true },
    hover: { contentFormat: ['markdown'] },
    completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown'] } },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } },
    semanticTokens: { requests: { full: { delta: true }, range: true }, formats: ['relative'] },
  },
};

export async function startServer({ args, settings = {}, folder }: ServerCommand): Promise<MeasuredServer> {
  const server = spawn(process.execPath, [...args, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore', 'ipc'] });
  const connection = createProtocolConnection(
    new StreamMessageReader(server.stdio[1] as Readable),
    new StreamMessageWriter(server.stdio[0] as Writable),
  );
  const versions = new Map<string, number>();
  const told = new Map<string, number>();
  const waiting = new Set<() => void>();
  connection.onRequest('workspace/configuration', ({ items }: { items: { section?: string }[] }) =>
    items.map(({ section = '' }) => settings[section] ?? null),
  );
  connection.onRequest('client/registerCapability', () => null);
  connection.onNotification(
    'textDocument/publishDiagnostics',
    ({ uri, version }: { uri: string; version?: number }) => {
      told.set(uri, version ?? versions.get(uri) ?? 0);
      for (const look of waiting) look();
    },
  );
  // Requests to a server that runs out of memory are refused.
  const ended = once(server, 'exit').then(() => connection.dispose());
  connection.listen();
  const { capabilities: offered } = await connection.sendRequest<InitializeResult>('initialize', {
    processId: process.pid,
    rootUri: folder ?? null,
    workspaceFolders: folder === undefined ? null : [{ uri: folder, name: 'bench' }],
    capabilities,
  });
  await connection.sendNotification('initialized', {});
  await connection.sendNotification('workspace/didChangeConfiguration', { settings });

  /** Waits for pushed diagnostics. A server pushes them when it has nothing else to do. */
  const pushed = (uri: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if ((told.get(uri) ?? 0) < (versions.get(uri) ?? 0)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return {
    async open(uri, text) {
      versions.set(uri, 1);
      const textDocument = { uri, languageId: 'yaml', version: 1, text };
      await connection.sendNotification('textDocument/didOpen', { textDocument });
    },
    async change(uri, range, text) {
      const version = (versions.get(uri) ?? 0) + 1;
      versions.set(uri, version);
      await connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ range, text }],
      });
    },
    request: (method, params) => connection.sendRequest(method, params),
    async diagnosed(uri) {
      if (offered.diagnosticProvider === undefined) return pushed(uri);
      await connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } });
    },
    memory: () => ({ now: statusOf(server.pid, 'VmRSS'), peak: statusOf(server.pid, 'VmHWM') }),
    inUse: () =>
      new Promise((resolve) => {
        server.once('message', (bytes) => resolve(Number(bytes) / megabyte));
        server.send('memory');
      }),
    async stop() {
      const insist = setTimeout(() => server.kill('SIGKILL'), patienceMs);
      // A server that is gone or busy does not answer.
      await connection
        .sendRequest('shutdown')
        .then(() => connection.sendNotification('exit'))
        .catch(() => {});
      await ended;
      clearTimeout(insist);
    },
  };
}

/** The time limit in milliseconds for the end of a server. */
const patienceMs = 2_000;
const megabyte = 1024 ** 2;

/** https://man7.org/linux/man-pages/man5/proc_pid_status.5.html */
function statusOf(pid: number | undefined, name: string): number {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return Number.NaN;
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(path, 'utf8'));
  return Number(kilobytes?.[1]) / 1024;
}

/** The script in the server that reports its memory after a collection of garbage. */
const watch = `
  process.on('message', () => {
    gc();
    gc();
    const { heapUsed, external } = process.memoryUsage();
    process.send(heapUsed + external);
  });
  process.channel.unref();
`;

/** Arguments of Node for a server that is asked what it uses. */
export const watched = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(watch)}`];
