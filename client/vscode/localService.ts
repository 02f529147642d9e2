/** The local service of a workspace, in the editor: where its data is, what it is started with, what is said of it. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
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
import { schemaPlaces } from '../../server/places.ts';
import { followFile } from '../local/log.ts';
import type { LocalState } from '../local/machine.ts';
import { choosePort } from '../local/port.ts';
import { runLocal } from '../local/process.ts';
import { forgetRecord, isAlive, logName, readRecord, release, want, wantStill } from '../local/record.ts';
import { variables } from '../project/localNames.ts';
import { loadOnDemand } from './loading.ts';
import { readServiceSettings } from './settings.ts';
import type { Target } from './targets/target.ts';

export interface LocalService extends Disposable {
  readonly state: () => LocalState;
  readonly onDidChange: Event<LocalState>;
  readonly target: () => Target;
  readonly token: () => Promise<string>;
  /** In base64url: signs tokens for clients. */
  readonly key: () => Promise<string>;
  /** Whether a sync config that is saved without errors is deployed to it. */
  readonly deploysOnSave: () => boolean;
  deployOnSave(whether: boolean): Promise<void>;
  /** @param base the service config of the workspace to follow; none for one of its own, the last one if not given */
  start(base?: BaseConfig): Promise<void>;
  stop(): void;
  restart(): void;
  showLog(): void;
}

export type BaseConfig = { readonly kind: 'own' } | { readonly kind: 'file'; readonly path: string };

interface LocalParts {
  readonly context: ExtensionContext;
  /** Where the workspace is on this disk. */
  readonly folder: string;
  /** Whether a service answers there with this token. */
  readonly answers: (url: string, token: string) => Promise<boolean>;
}

const baseKey = 'local.base';
const portKey = 'local.port';
const deployKey = 'local.deployOnSave';

export function openLocal({ context, folder, answers }: LocalParts): LocalService {
  const { secrets, workspaceState: memory, extensionUri } = context;
  const changed = new EventEmitter<LocalState>();
  const data = dataFolder(context, folder);
  const read = followFile(join(data, logName));
  let output: OutputChannel | undefined;

  async function secret(kind: 'token' | 'key'): Promise<string> {
    // Who started both the service and this editor has told them the same.
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
    const port = await choosePort(readServiceSettings().local.port, memory.get<number>(portKey));
    const { localConfig } = await loadOnDemand();
    const text = base.kind === 'file' ? await readConfig(base.path) : undefined;
    const schema = schemaPlaces.map((path) => join(folder, path)).find((path) => existsSync(path));
    const source = { kind: 'configured', schema: schema === undefined ? [] : [schema] } as const;
    const config = localConfig(text, { storage: join(data, 'data'), port, source });
    mkdirSync(data, { recursive: true, mode: 0o700 });
    forgetRecord(data);
    const file = (name: string) => Uri.joinPath(extensionUri, 'dist', name).fsPath;
    const child = spawn(process.execPath, [file('keeper.js'), file('service.js'), data], {
      cwd: base.kind === 'file' ? dirname(base.path) : data,
      env: {
        ...environment(),
        ELECTRON_RUN_AS_NODE: '1',
        POWERSYNC_CONFIG_B64: Buffer.from(config).toString('base64'),
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
    deployOnSave: async (whether) => memory.update(deployKey, whether),
    async start(base) {
      if (base !== undefined) await memory.update(baseKey, base);
      machine.send('start');
    },
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

/** It keeps its data in a database that is part of Node. */
function refuseOldNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 16)) return;
  throw new Error(
    l10n.t(
      'The local service needs Node 22.16 or newer, and this editor brings {0}. Update the editor.',
      process.versions.node,
    ),
  );
}

/** Without what belongs to the editor. */
function environment(): NodeJS.ProcessEnv {
  const foreign = /^(VSCODE_|ELECTRON_|NODE_OPTIONS$|POWERSYNC_CONFIG)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

async function readConfig(path: string): Promise<string> {
  try {
    return new TextDecoder().decode(await workspace.fs.readFile(Uri.file(path)));
  } catch {
    throw new Error(l10n.t('{0} cannot be read. Start the local service again to choose.', path));
  }
}
