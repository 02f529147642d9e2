/** The local service of a workspace, in the editor: its data folder, its start, and its state. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import {
  type Disposable,
  type Event,
  EventEmitter,
  type ExtensionContext,
  l10n,
  type OutputChannel,
  Uri,
  window,
  workspace,
} from 'vscode';
import { followFile } from '../local/log.ts';
import type { LocalState } from '../local/machine.ts';
import { chooseDatabasePort, choosePort } from '../local/port.ts';
import { runLocal } from '../local/process.ts';
import { forgetRecord, isAlive, logName, readRecord, release, want, wantStill } from '../local/record.ts';
import { variables } from '../project/localNames.ts';
import { loadOnDemand } from './loading.ts';
import { canRunService } from './nodeVersion.ts';
import { readServiceSettings } from './settings.ts';
import type { Target } from './targets/target.ts';

export interface LocalService extends Disposable {
  readonly state: () => LocalState;
  readonly onDidChange: Event<LocalState>;
  readonly target: () => Target;
  readonly token: () => Promise<string>;
  /** Returns a key in base64url that signs tokens for clients. */
  readonly key: () => Promise<string>;
  /** Whether a sync config is deployed to the local service when it is saved without errors. */
  readonly deploysOnSave: () => boolean;
  deployOnSave(isWanted: boolean): Promise<void>;
  /**
   * Starts the service. Resolves when it is running or has failed.
   *
   * @param base the service config to use; absent: the same as last time
   */
  start(base?: BaseConfig): Promise<void>;
  /**
   * Prepares the database with the files that create the tables of a sync config, which is given by its URI. The service may
   * restart for this.
   */
  prepareFor(config: string): Promise<void>;
  /** Whether the service has its own database, instead of one that a service config of the workspace names. */
  readonly ownsDatabase: () => boolean;
  /** Returns the address with the password, for other programs of this user. */
  databaseAddress(uri: string): string;
  /** Returns the path of a file that the service names. */
  pathOf(script: string): string;
  stop(): void;
  restart(): void;
  showLog(): void;
}

export type BaseConfig = { readonly kind: 'own' } | { readonly kind: 'file'; readonly path: string };

interface LocalParts {
  readonly context: ExtensionContext;
  /** The folder of the workspace on this disk. */
  readonly folder: string;
  /** Whether a service at this address answers with this token. */
  readonly answers: (url: string, token: string) => Promise<boolean>;
  /**
   * Returns the files that create the tables of a sync config, relative to the folder. Without a config, one is searched in the
   * folder. Undefined if the files are unknown.
   */
  readonly schemaFor: (config: string | undefined) => Promise<readonly string[] | undefined>;
}

const baseKey = 'local.base';
const portKey = 'local.port';
const databasePortKey = 'local.databasePort';
/** The key for the files that create the database. They are absent if the service replicates another database. */
const schemaKey = 'local.schema';
/** The key for the sync config for which the database was last prepared. */
const configKey = 'local.config';
const deployKey = 'local.deployOnSave';

export function openLocal({ context, folder, answers, schemaFor }: LocalParts): LocalService {
  const { secrets, workspaceState: memory, extensionUri } = context;
  const changed = new EventEmitter<LocalState>();
  const data = dataFolder(context, folder);
  const read = followFile(join(data, logName));
  let output: OutputChannel | undefined;

  async function secret(kind: 'token' | 'key'): Promise<string> {
    // A program that has started both the service and this editor has set the same value for both.
    const given = process.env[variables[kind]];
    if (given) return given;
    const name = `local.${kind}:${data}`;
    const known = await secrets.get(name);
    if (known !== undefined) return known;
    const made = randomBytes(32).toString('base64url');
    await secrets.store(name, made);
    return made;
  }

  function log(): OutputChannel {
    output ??= window.createOutputChannel('Headwater Service', 'log');
    return output;
  }

  function follow(): void {
    const text = read();
    if (text !== '') log().append(text);
  }

  async function launch(): Promise<void> {
    refuseOldNode();
    const base = memory.get<BaseConfig>(baseKey) ?? { kind: 'own' };
    const wanted = readServiceSettings().local.port;
    const port = await choosePort(wanted, memory.get<number>(portKey));
    const databasePort = await chooseDatabasePort(memory.get<number>(databasePortKey));
    const { localConfig, namesSource, describeOrigin, originVariable, isConfined, repositoryAround } =
      await loadOnDemand();
    const projects = (workspace.workspaceFolders ?? []).map(({ uri }) => repositoryAround(uri.fsPath));
    if (readServiceSettings().local.dataDirectoryNamedBy === 'folder' && !isConfined(data, projects))
      throw new Error(
        l10n.t(
          'The setting headwater.local.dataDirectory of this workspace leads out of the workspace. Set it in your user settings, if you want that.',
        ),
      );
    const text = base.kind === 'file' ? await readConfig(base.path) : undefined;
    const isOwn = text === undefined || !namesSource(text);
    const known = memory.get<readonly string[]>(schemaKey) ?? [];
    const paths = isOwn ? ((await schemaFor(memory.get<string>(configKey))) ?? known) : [];
    const schema = paths.map((path) => relative(startsIn(base), join(folder, path)));
    const wishes = { storage: join(data, 'data'), port, source: { kind: 'configured', schema } } as const;
    const config = localConfig(text, wishes);
    const options = [
      // Another window may take these ports in the meantime.
      ...(wanted === 0 ? ['--port', `${port}+`] : []),
      ...(isOwn ? ['--database-port', `${databasePort}+`] : []),
      ...[...projects, data].flatMap((place) => ['--within', place]),
    ];
    await memory.update(schemaKey, isOwn ? paths : undefined);
    if (isOwn && databasePort !== 0) await memory.update(databasePortKey, databasePort);
    mkdirSync(data, { recursive: true, mode: 0o700 });
    forgetRecord(data);
    const file = (name: string) => Uri.joinPath(extensionUri, 'dist', name).fsPath;
    const child = spawn(process.execPath, [file('keeper.js'), file('service.js'), data, ...options], {
      cwd: startsIn(base),
      env: {
        ...environment(),
        ELECTRON_RUN_AS_NODE: '1',
        POWERSYNC_CONFIG_B64: Buffer.from(config).toString('base64'),
        ...(base.kind === 'file' &&
          text !== undefined && {
            [originVariable]: describeOrigin(
              workspace.asRelativePath(base.path),
              text,
              wishes,
              'the local service',
            ),
          }),
        [variables.token]: await secret('token'),
        [variables.key]: await secret('key'),
      },
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
    });
    await new Promise<void>((done, fail) => {
      child.once('spawn', done);
      child.once('error', ({ message }) =>
        fail(new Error(l10n.t('The local service cannot be started: {0}.', message))),
      );
    });
    child.unref();
  }

  /** Returns the folder to which paths in the service config and in messages are relative. */
  function startsIn(base = memory.get<BaseConfig>(baseKey)): string {
    return base?.kind === 'file' ? dirname(base.path) : folder;
  }

  async function report(sentence: string): Promise<void> {
    const [openLog, again] = [l10n.t('Open Log'), l10n.t('Restart')];
    const [first = ''] = sentence.split('\n');
    const answer = await window.showErrorMessage(
      l10n.t('The local service crashed twice. {0}', first),
      openLog,
      again,
    );
    if (answer === openLog) log().show();
    if (answer === again) service.restart();
  }

  const machine = runLocal(
    {
      now: Date.now,
      every: (milliseconds, call) => {
        const timer = setInterval(() => {
          follow();
          call();
        }, milliseconds);
        return () => clearInterval(timer);
      },
      record: () => readRecord(data),
      isAlive,
      answers: async (url) => answers(url, await secret('token')),
      launch,
      want: () => want(data),
      wantStill: () => wantStill(data),
      release: () => release(data),
      report: (sentence) => void report(sentence),
    },
    (state) => {
      follow();
      if (state.kind === 'failed') log().appendLine(state.sentence);
      if (state.kind === 'running') void memory.update(portKey, Number(new URL(state.url).port));
      changed.fire(state);
    },
  );

  /** Waits until the process is running, stopped or failed. */
  function untilSettled(): Promise<void> {
    const isSettled = () => ['running', 'failed', 'off'].includes(machine.state().kind);
    if (isSettled()) return Promise.resolve();
    return new Promise((done) => {
      const listener = changed.event(() => {
        if (!isSettled()) return;
        listener.dispose();
        done();
      });
    });
  }

  const service: LocalService = {
    state: machine.state,
    onDidChange: changed.event,
    target: () => {
      const state = machine.state();
      return {
        id: 'local',
        name: 'local',
        kind: 'local',
        token: { kind: 'local' },
        origin: l10n.t('this workspace'),
        ...(state.kind === 'running' && { url: state.url }),
      };
    },
    token: () => secret('token'),
    key: () => secret('key'),
    deploysOnSave: () => memory.get<boolean>(deployKey) === true,
    deployOnSave: async (isWanted) => memory.update(deployKey, isWanted),
    async start(base) {
      if (base !== undefined) await memory.update(baseKey, base);
      machine.send('start');
      await untilSettled();
    },
    async prepareFor(config) {
      await memory.update(configKey, config);
      const present = memory.get<readonly string[]>(schemaKey);
      if (machine.state().kind !== 'running' || present === undefined) return;
      const wanted = await schemaFor(config);
      if (wanted === undefined || wanted.every((path) => present.includes(path))) return;
      machine.send('restart');
      await untilSettled();
    },
    ownsDatabase: () => memory.get(schemaKey) !== undefined,
    databaseAddress(uri) {
      const address = new URL(uri);
      address.username = 'postgres';
      address.password = readFileSync(join(data, 'data/source/headwater.password'), 'utf8').trim();
      return address.href;
    },
    pathOf: (script) => resolve(startsIn(), script),
    stop: () => machine.send('stop'),
    restart: () => machine.send('restart'),
    showLog() {
      follow();
      log().show(true);
    },
    dispose() {
      machine.dispose();
      changed.dispose();
      output?.dispose();
    },
  };
  return service;
}

function dataFolder({ storageUri, globalStorageUri }: ExtensionContext, folder: string): string {
  const { dataDirectory } = readServiceSettings().local;
  if (dataDirectory !== '') return isAbsolute(dataDirectory) ? dataDirectory : resolve(folder, dataDirectory);
  return join((storageUri ?? globalStorageUri).fsPath, 'local');
}

function refuseOldNode(): void {
  if (canRunService()) return;
  throw new Error(
    l10n.t(
      'The local service needs Node 22.16 or newer, and this editor includes {0}. Update the editor.',
      process.versions.node,
    ),
  );
}

/** Variables of a different deployment, from the environment or from a `.env` next to the config. */
const ofOthers = ['POWERSYNC_SYNC_CONFIG_B64', 'POWERSYNC_SYNC_RULES_B64', 'PS_RUNNER_TYPE'];

/** Returns the environment without the editor's own variables. An empty variable here takes precedence over a `.env`. */
function environment(): NodeJS.ProcessEnv {
  const foreign = /^(VSCODE_|ELECTRON_|NODE_OPTIONS$|POWERSYNC_CONFIG)/;
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return { ...Object.fromEntries(kept), ...Object.fromEntries(ofOthers.map((name) => [name, ''])) };
}

async function readConfig(path: string): Promise<string> {
  try {
    return new TextDecoder().decode(await workspace.fs.readFile(Uri.file(path)));
  } catch {
    throw new Error(l10n.t('{0} cannot be read. Start the local service again to choose.', path));
  }
}
