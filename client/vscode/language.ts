/**
 * Keeps a language server running after the first sync config is opened, across crashes and changes of the settings.
 *
 *   off ──a sync config is open──► running ──crash──► running again, or off with a message: see `crashLimit`
 *    ▲                               │
 *    └───────────disabled────────────┘
 */
import {
  commands,
  type Diagnostic,
  Disposable,
  type Event,
  EventEmitter,
  env,
  extensions,
  type LogOutputChannel,
  type TextDocument,
  type Uri,
  window,
  workspace,
} from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';
import { type ClientOptions, type TestsChanged, testsChangedNotification } from '../../server/protocol.ts';
import { openTurns } from '../../server/shared/turns.ts';
import { t, translateMessage } from '../l10n.ts';
import { looksLikeConfig } from './configs.ts';
import { answerFiles } from './files.ts';
import { documentSelector, hasConfigName } from './selector.ts';
import { readSettings, section } from './settings.ts';
import { othersReportSyntax } from './yaml/offer.ts';

/** Creates a client without starting it. The large client library is loaded only by this function. */
type MakeClient = (options: LanguageClientOptions) => Promise<BaseLanguageClient>;

export interface LanguageServer extends Disposable {
  /** Restarts the server, even if it has crashed too often. It stays off if no sync config is open or if it is disabled. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Starts a server even if no sync config is open. Resolves when it is running or cannot start. */
  ensure(): Promise<void>;
  /** Sends a request. Returns undefined while no server is running. */
  ask<Answer>(method: string, params: object): Promise<Answer | undefined>;
  /** Answers a request of each server that starts from now on. */
  answer<Params>(method: string, answer: (params: Params) => Promise<unknown>): void;
  /** Fires when a new server has started, which has not received earlier notifications. */
  readonly onDidStart: Event<void>;
  /** Fires with the URIs of changed files of access tests. */
  readonly onDidChangeTests: Event<readonly string[]>;
}

/** The settings that a server reads only when it starts. */
const restarting = [`${section}.enable`, `${section}.files`, 'yaml.validate'];

/** A server that ends more often than this is not started again until the user restarts it. */
const crashLimit = { count: 4, withinMs: 3 * 60_000 };

/** @param codePages the folder with a page for each code */
export function keepLanguageServer(
  makeClient: MakeClient,
  log: LogOutputChannel,
  codePages: Uri,
): LanguageServer {
  let client: BaseLanguageClient | undefined;
  let crashes: number[] = [];
  const turns = openTurns();
  const answers = new Map<string, (params: never) => Promise<unknown>>();
  const started = new EventEmitter<void>();
  const testsChanged = new EventEmitter<readonly string[]>();
  let toldOfOthers = othersReportSyntax();

  /** Runs a start or a stop after the previous one has finished, so that there are never two servers. */
  function inTurn(step: () => Promise<void>): Promise<void> {
    return turns.run(step).catch((error: unknown) => log.error(String(error)));
  }

  async function startIfUseful(): Promise<void> {
    const isUseful = (document: TextDocument): boolean =>
      hasConfigName(document) && !isForeignService(document);
    if (workspace.textDocuments.some(isUseful)) await start();
  }

  async function start(): Promise<void> {
    const { enable, files } = readSettings();
    const selector = documentSelector(files);
    if (client !== undefined || !enable) return;
    toldOfOthers = othersReportSyntax();
    const told: ClientOptions = {
      commands: await usefulCommands(),
      codePages: codePages.toString(),
      files: true,
      forecasts: true,
      tests: 'shown',
      ...(toldOfOthers && { syntax: 'reported by others' }),
    };
    const options = clientOptions(selector, log, told, () => noteEnd(starting));
    const starting = await makeClient(options);
    client = starting;
    keepQuiet(starting);
    answerFiles(starting);
    for (const [method, answer] of answers) starting.onRequest(method, answer);
    starting.onNotification(testsChangedNotification, ({ uris }: TestsChanged) => testsChanged.fire(uris));
    try {
      await starting.start();
      log.info(`Language server ${starting.initializeResult?.serverInfo?.version} is running.`);
      started.fire();
    } catch (error) {
      log.error(error instanceof Error ? error : String(error));
      noteEnd(starting);
    }
  }

  async function stop(): Promise<void> {
    const stopping = client;
    client = undefined;
    await stopping?.dispose();
  }

  /** Handles the unexpected end of a server. The end of a server that is starting is reported twice. */
  function noteEnd(which: BaseLanguageClient): void {
    if (client !== which) return;
    client = undefined;
    const now = Date.now();
    crashes = [...crashes.filter((at) => now - at < crashLimit.withinMs), now];
    if (crashes.length > crashLimit.count) {
      void sayItFailed();
      return;
    }
    log.warn('The language server has ended by itself. It is started again.');
    void inTurn(startIfUseful);
  }

  async function sayItFailed(): Promise<void> {
    const [restart, showLog] = [t('Restart'), t('Show Log')];
    const answer = await window.showErrorMessage(
      t('The Headwater language server is not running, so there are no diagnostics.'),
      restart,
      showLog,
    );
    if (answer === restart) await server.restart();
    if (answer === showLog) log.show();
  }

  const startIfOff = (): void => {
    if (client === undefined && crashes.length <= crashLimit.count) void inTurn(startIfUseful);
  };
  const listeners = Disposable.from(
    workspace.onDidOpenTextDocument(startIfOff),
    workspace.onDidSaveTextDocument(startIfOff),
    workspace.onDidChangeConfiguration((change) => {
      if (restarting.some((name) => change.affectsConfiguration(name))) void server.restart();
    }),
    workspace.onDidChangeWorkspaceFolders(() => void server.restart()),
    extensions.onDidChange(() => {
      if (othersReportSyntax() !== toldOfOthers) void server.restart();
    }),
  );

  const server: LanguageServer = {
    restart() {
      crashes = [];
      void inTurn(stop);
      return inTurn(startIfUseful);
    },
    stop: () => inTurn(stop),
    ensure: () => inTurn(start),
    async ask(method, params) {
      const running = await turns.run(() => client);
      return running?.sendRequest(method, params);
    },
    answer: (method, answer) => void answers.set(method, answer),
    onDidStart: started.event,
    onDidChangeTests: testsChanged.event,
    dispose() {
      listeners.dispose();
      started.dispose();
      testsChanged.dispose();
    },
  };
  void inTurn(startIfUseful);
  return server;
}

/** Whether a `service.yaml` belongs to another program, for example Kubernetes. An empty file may become ours. */
function isForeignService(document: TextDocument): boolean {
  return (
    /(?:^|\/)service\.ya?ml$/.test(document.uri.path) && !isBlank(document) && !looksLikeConfig(document)
  );
}

function isBlank(document: TextDocument): boolean {
  return document.getText().trim() === '';
}

/** Opens the list of completions again, after the chosen one. */
const suggest = 'editor.action.triggerSuggest';

/** Returns the existing commands, so that the server offers only these. */
async function usefulCommands(): Promise<readonly string[]> {
  const all = await commands.getCommands(true);
  return all.filter((command) => command === suggest || command.startsWith(`${section}.`));
}

/** Translates the sentences of the language server into the language of the editor. */
const translating: NonNullable<LanguageClientOptions['middleware']> = {
  async provideDiagnostics(document, previous, token, next) {
    const report = await next(document, previous, token);
    if (report !== null && report !== undefined && 'items' in report) report.items.forEach(translate);
    return report;
  },
  handleDiagnostics(uri, diagnostics, next) {
    diagnostics.forEach(translate);
    next(uri, diagnostics);
  },
};

function translate(diagnostic: Diagnostic): void {
  diagnostic.message = translateMessage(diagnostic.message);
  for (const related of diagnostic.relatedInformation ?? [])
    related.message = translateMessage(related.message);
}

function clientOptions(
  documentSelector: NonNullable<LanguageClientOptions['documentSelector']>,
  log: LogOutputChannel,
  initializationOptions: ClientOptions,
  onEnd: () => void,
): LanguageClientOptions {
  return {
    documentSelector,
    initializationOptions,
    outputChannel: log,
    traceOutputChannel: log,
    diagnosticPullOptions: { onChange: true },
    // English needs no translation.
    ...(!/^en\b/i.test(env.language) && { middleware: translating }),
    initializationFailedHandler: () => false,
    errorHandler: {
      // The values of ErrorAction.Continue and CloseAction.DoNotRestart, because their module must not be loaded before it is
      // needed.
      error: () => ({ action: 1, handled: true }),
      closed() {
        onEnd();
        return { action: 1, handled: true };
      },
    },
  };
}

/** Sends errors of the library only to the log. The library would show some of them in addition to our own message. */
function keepQuiet(client: BaseLanguageClient): void {
  const report = client.error.bind(client);
  client.error = (message, data) => report(message, data, false);
}
