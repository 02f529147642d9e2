/**
 * Keeps a language server running after the first sync config is opened, across crashes and changes of the settings.
 *
 *   off ──a sync config is open──► running ──crash──► running again, or off with a message: see `crashLimit`
 *    ▲                               │
 *    └───────────disabled────────────┘
 *
 * 1. There is at most one server, because each start and each stop waits for the previous one.
 * 2. Only the end of the current server counts as a crash, and counts once.
 * 3. After too many crashes, opening or saving a file starts no server, until the user or a change of the settings restarts it.
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

/** The settings that a server reads only when it starts. */
const restarting = [`${section}.enable`, `${section}.files`, 'yaml.validate'];

/** A server that ends more often than this is not started again until the user restarts it. */
const crashLimit = { count: 4, withinMs: 3 * 60_000 };

export class LanguageServer implements Disposable {
  readonly #makeClient: MakeClient;
  readonly #log: LogOutputChannel;
  readonly #codePages: Uri;
  readonly #turns = openTurns();
  readonly #answers = new Map<string, (params: never) => Promise<unknown>>();
  readonly #started = new EventEmitter<void>();
  readonly #testsChanged = new EventEmitter<readonly string[]>();
  readonly #listeners: Disposable;
  #client: BaseLanguageClient | undefined;
  /** The times of the latest crashes. */
  #crashes: readonly number[] = [];
  #toldOfOthers = othersReportSyntax();

  /** Fires when a new server has started, which has not received earlier notifications. */
  readonly onDidStart: Event<void> = this.#started.event;
  /** Fires with the URIs of changed files of access tests. */
  readonly onDidChangeTests: Event<readonly string[]> = this.#testsChanged.event;

  /** @param codePages the folder with a page for each code */
  constructor(makeClient: MakeClient, log: LogOutputChannel, codePages: Uri) {
    this.#makeClient = makeClient;
    this.#log = log;
    this.#codePages = codePages;
    const startIfOff = (): void => {
      if (this.#client === undefined && !this.#isGivenUp) void this.#inTurn(() => this.#startIfUseful());
    };
    this.#listeners = Disposable.from(
      workspace.onDidOpenTextDocument(startIfOff),
      workspace.onDidSaveTextDocument(startIfOff),
      workspace.onDidChangeConfiguration((change) => {
        if (restarting.some((name) => change.affectsConfiguration(name))) void this.restart();
      }),
      workspace.onDidChangeWorkspaceFolders(() => void this.restart()),
      extensions.onDidChange(() => {
        if (othersReportSyntax() !== this.#toldOfOthers) void this.restart();
      }),
    );
    void this.#inTurn(() => this.#startIfUseful());
  }

  /**
   * Restarts the server, even if it has crashed too often. It stays off if no sync config is open or if it is disabled. Returns
   * whether it is running.
   */
  async restart(): Promise<boolean> {
    this.#crashes = [];
    void this.stop();
    await this.#inTurn(() => this.#startIfUseful());
    return this.#client !== undefined;
  }

  stop(): Promise<void> {
    return this.#inTurn(async () => {
      const stopping = this.#client;
      this.#client = undefined;
      await stopping?.dispose();
    });
  }

  /** Starts a server even if no sync config is open. Resolves when it is running or cannot start. */
  ensure(): Promise<void> {
    return this.#inTurn(() => this.#start());
  }

  /** Sends a request. Returns undefined while no server is running. */
  async ask<Answer>(method: string, params: object): Promise<Answer | undefined> {
    const running = await this.#turns.run(() => this.#client);
    return running?.sendRequest(method, params);
  }

  /** Answers a request of each server that starts from now on. */
  answer<Params>(method: string, answer: (params: Params) => Promise<unknown>): void {
    this.#answers.set(method, answer);
  }

  dispose(): void {
    this.#listeners.dispose();
    this.#started.dispose();
    this.#testsChanged.dispose();
  }

  get #isGivenUp(): boolean {
    return this.#crashes.length > crashLimit.count;
  }

  /** Runs a start or a stop (invariant 1). */
  #inTurn(step: () => Promise<void>): Promise<void> {
    return this.#turns.run(step).catch((error: unknown) => this.#log.error(String(error)));
  }

  async #startIfUseful(): Promise<void> {
    const isUseful = (document: TextDocument): boolean =>
      hasConfigName(document) && !isForeignService(document);
    if (workspace.textDocuments.some(isUseful)) await this.#start();
  }

  async #start(): Promise<void> {
    const { enable, files } = readSettings();
    const selector = documentSelector(files);
    if (this.#client !== undefined || !enable) return;
    this.#toldOfOthers = othersReportSyntax();
    const told: ClientOptions = {
      commands: await usefulCommands(),
      codePages: this.#codePages.toString(),
      files: true,
      forecasts: true,
      tests: 'shown',
      ...(!workspace.isTrusted && { sql: 'only read' }),
      ...(this.#toldOfOthers && { syntax: 'reported by others' }),
    };
    const options = clientOptions(selector, this.#log, told, () => this.#noteEnd(starting));
    const starting = await this.#makeClient(options);
    this.#client = starting;
    keepQuiet(starting);
    answerFiles(starting);
    for (const [method, answer] of this.#answers) starting.onRequest(method, answer);
    starting.onNotification(testsChangedNotification, ({ uris }: TestsChanged) =>
      this.#testsChanged.fire(uris),
    );
    try {
      await starting.start();
      this.#log.info(`Language server ${starting.initializeResult?.serverInfo?.version} is running.`);
      this.#started.fire();
    } catch (error) {
      this.#log.error(error instanceof Error ? error : String(error));
      this.#noteEnd(starting);
    }
  }

  /** Handles the unexpected end of a server. The end of a server that is starting is reported twice (invariant 2). */
  #noteEnd(which: BaseLanguageClient): void {
    if (this.#client !== which) return;
    this.#client = undefined;
    const now = Date.now();
    this.#crashes = [...this.#crashes.filter((at) => now - at < crashLimit.withinMs), now];
    if (this.#isGivenUp) {
      void this.#sayItFailed();
      return;
    }
    this.#log.warn('The language server has ended by itself. It is started again.');
    void this.#inTurn(() => this.#startIfUseful());
  }

  async #sayItFailed(): Promise<void> {
    const [restart, showLog] = [t('Restart'), t('Show Log')];
    const answer = await window.showErrorMessage(
      t('The Headwater language server is not running, so there are no diagnostics.'),
      restart,
      showLog,
    );
    if (answer === restart) await this.restart();
    if (answer === showLog) this.#log.show();
  }
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
