/**
 * The local service of a workspace, in the editor: its data folder, its start, and its state.
 *
 * 1. The state is that of the process, which another window may have started, and which outlives this window.
 * 2. The remembered files of the database are those of the last launch from this workspace.
 */
import { readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { type Disposable, type Event, EventEmitter, type ExtensionContext, l10n, window } from 'vscode';
import type { LocalState } from '../local/machine.ts';
import { type LocalProcess, type LocalWorld, runLocal } from '../local/process.ts';
import { isAlive, logName, readRecord, release, want, wantStill } from '../local/record.ts';
import { type LaunchParts, launchLocal, startsIn } from './localLaunch.ts';
import { LocalLog } from './localLog.ts';
import { type BaseConfig, LocalMemory } from './localMemory.ts';
import { readServiceSettings } from './settings.ts';
import type { Target } from './targets/target.ts';

export type { BaseConfig } from './localMemory.ts';

interface LocalParts extends Pick<LaunchParts, 'folder' | 'schemaFor'> {
  readonly context: ExtensionContext;
  /** Whether a service at this address answers with this token. */
  readonly answers: (url: string, token: string) => Promise<boolean>;
}

export class LocalService implements Disposable {
  readonly #parts: LocalParts;
  readonly #data: string;
  readonly #memory: LocalMemory;
  readonly #log: LocalLog;
  readonly #changed = new EventEmitter<LocalState>();
  readonly #process: LocalProcess;

  readonly onDidChange: Event<LocalState> = this.#changed.event;

  constructor(parts: LocalParts) {
    this.#parts = parts;
    this.#data = dataFolder(parts.context, parts.folder);
    this.#memory = new LocalMemory(parts.context, this.#data);
    this.#log = new LocalLog(join(this.#data, logName));
    this.#process = runLocal(this.#world(), (state) => this.#note(state));
  }

  state(): LocalState {
    return this.#process.state();
  }

  target(): Target {
    const state = this.state();
    return {
      id: 'local',
      name: 'local',
      kind: 'local',
      token: { kind: 'local' },
      origin: l10n.t('this workspace'),
      ...(state.kind === 'running' && { url: state.url }),
    };
  }

  token(): Promise<string> {
    return this.#memory.secret('token');
  }

  /** Returns a key in base64url that signs tokens for clients. */
  key(): Promise<string> {
    return this.#memory.secret('key');
  }

  /** Whether a sync config is deployed to the local service when it is saved without errors. */
  deploysOnSave(): boolean {
    return this.#memory.get('deployOnSave') === true;
  }

  deployOnSave(isWanted: boolean): Promise<void> {
    return this.#memory.set('deployOnSave', isWanted);
  }

  /**
   * Starts the service. Resolves when it is running or has failed.
   *
   * @param base the service config to use; absent: the same as last time
   */
  async start(base?: BaseConfig): Promise<void> {
    if (base !== undefined) await this.#memory.set('base', base);
    this.#process.send('start');
    await this.#untilSettled();
  }

  /**
   * Prepares the database with the files that create the tables of a sync config, which is given by its URI. The service may
   * restart for this.
   */
  async prepareFor(config: string): Promise<void> {
    await this.#memory.set('config', config);
    const present = this.#memory.get('schema');
    if (this.state().kind !== 'running' || present === undefined) return;
    const wanted = await this.#parts.schemaFor(config);
    if (wanted === undefined || wanted.every((path) => present.includes(path))) return;
    this.#process.send('restart');
    await this.#untilSettled();
  }

  /** Whether the service has its own database, instead of one that a service config of the workspace names. */
  ownsDatabase(): boolean {
    return this.#memory.get('schema') !== undefined;
  }

  /** Returns the address with the password, for other programs of this user. */
  databaseAddress(uri: string): string {
    const address = new URL(uri);
    address.username = 'postgres';
    address.password = readFileSync(join(this.#data, 'data/source/headwater.password'), 'utf8').trim();
    return address.href;
  }

  /** Returns the path of a file that the service names. */
  pathOf(script: string): string {
    return resolve(startsIn(this.#memory.get('base'), this.#parts.folder), script);
  }

  /** Resolves when the service has stopped. */
  stop(): Promise<void> {
    this.#process.send('stop');
    return this.#untilSettled();
  }

  /** Resolves when the service is running again, or has failed. */
  restart(): Promise<void> {
    this.#process.send('restart');
    return this.#untilSettled();
  }

  showLog(): void {
    this.#log.show();
  }

  dispose(): void {
    this.#process.dispose();
    this.#changed.dispose();
    this.#log.dispose();
  }

  #world(): LocalWorld {
    const data = this.#data;
    return {
      now: Date.now,
      every: (milliseconds, call) => {
        const timer = setInterval(() => {
          this.#log.follow();
          call();
        }, milliseconds);
        return () => clearInterval(timer);
      },
      record: () => readRecord(data),
      isAlive,
      answers: async (url) => this.#parts.answers(url, await this.token()),
      launch: () => launchLocal({ ...this.#parts, data, memory: this.#memory }),
      want: () => want(data),
      wantStill: () => wantStill(data),
      release: () => release(data),
      report: (sentence) => void this.#report(sentence),
    };
  }

  #note(state: LocalState): void {
    this.#log.follow();
    if (state.kind === 'failed') this.#log.add(state.sentence);
    if (state.kind === 'running') void this.#memory.set('port', Number(new URL(state.url).port));
    this.#changed.fire(state);
  }

  async #report(sentence: string): Promise<void> {
    const [openLog, again] = [l10n.t('Open Log'), l10n.t('Restart')];
    const [first = ''] = sentence.split('\n');
    const answer = await window.showErrorMessage(
      l10n.t('The local service crashed twice. {0}', first),
      openLog,
      again,
    );
    if (answer === openLog) this.#log.focus();
    if (answer === again) void this.restart();
  }

  /** Waits until the process is running, stopped or failed. */
  #untilSettled(): Promise<void> {
    const isSettled = () => ['running', 'failed', 'off'].includes(this.state().kind);
    if (isSettled()) return Promise.resolve();
    return new Promise((done) => {
      const listener = this.onDidChange(() => {
        if (!isSettled()) return;
        listener.dispose();
        done();
      });
    });
  }
}

function dataFolder({ storageUri, globalStorageUri }: ExtensionContext, folder: string): string {
  const { dataDirectory } = readServiceSettings().local;
  if (dataDirectory !== '') return isAbsolute(dataDirectory) ? dataDirectory : resolve(folder, dataDirectory);
  return join((storageUri ?? globalStorageUri).fsPath, 'local');
}
