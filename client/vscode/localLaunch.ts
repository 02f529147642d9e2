/** Starts the process of the local service, with a config from the settings and the files of the workspace. */
import { type SpawnOptions, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type ExtensionContext, l10n, Uri, workspace } from 'vscode';
import { chooseDatabasePort, choosePort } from '../local/port.ts';
import { forgetRecord } from '../local/record.ts';
import { variables } from '../project/localNames.ts';
import { loadOnDemand } from './loading.ts';
import type { BaseConfig, LocalMemory } from './localMemory.ts';
import { canRunService } from './nodeVersion.ts';
import { readServiceSettings } from './settings.ts';

export interface LaunchParts {
  readonly context: Pick<ExtensionContext, 'extensionUri'>;
  /** The folder of the workspace on this disk. */
  readonly folder: string;
  /**
   * Returns the files that create the tables of a sync config, relative to the folder. Without a config, one is searched in the
   * folder. Undefined if the files are unknown.
   */
  readonly schemaFor: (config: string | undefined) => Promise<readonly string[] | undefined>;
  readonly data: string;
  readonly memory: LocalMemory;
}

export async function launchLocal({ context, folder, schemaFor, data, memory }: LaunchParts): Promise<void> {
  refuseOldNode();
  const base = memory.get('base') ?? { kind: 'own' };
  const { port: wanted, dataDirectoryNamedBy } = readServiceSettings().local;
  const port = await choosePort(wanted, memory.get('port'));
  const databasePort = await chooseDatabasePort(memory.get('databasePort'));
  const { localConfig, namesSource, describeOrigin, originVariable, isConfined, repositoryAround } =
    await loadOnDemand();
  const projects = (workspace.workspaceFolders ?? []).map(({ uri }) => repositoryAround(uri.fsPath));
  if (dataDirectoryNamedBy === 'folder' && !isConfined(data, projects))
    throw new Error(
      l10n.t(
        'The setting headwater.local.dataDirectory of this workspace leads out of the workspace. Set it in your user settings, if you want that.',
      ),
    );
  const file = base.kind === 'file' ? { path: base.path, text: await readConfig(base.path) } : undefined;
  const isOwn = file === undefined || !namesSource(file.text);
  const paths = isOwn ? ((await schemaFor(memory.get('config'))) ?? memory.get('schema') ?? []) : [];
  const cwd = startsIn(base, folder);
  const schema = paths.map((path) => relative(cwd, join(folder, path)));
  const wishes = { storage: join(data, 'data'), port, source: { kind: 'configured', schema } } as const;
  const config = localConfig(file?.text, wishes);
  const options = [
    // Another window may take these ports in the meantime.
    ...(wanted === 0 ? ['--port', `${port}+`] : []),
    ...(isOwn ? ['--database-port', `${databasePort}+`] : []),
    ...[...projects, data].flatMap((place) => ['--within', place]),
  ];
  await memory.set('schema', isOwn ? paths : undefined);
  if (isOwn && databasePort !== 0) await memory.set('databasePort', databasePort);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  forgetRecord(data);
  const script = (name: string) => Uri.joinPath(context.extensionUri, 'dist', name).fsPath;
  await start([script('keeper.js'), script('service.js'), data, ...options], {
    cwd,
    env: {
      ...environment(),
      ELECTRON_RUN_AS_NODE: '1',
      POWERSYNC_CONFIG_B64: Buffer.from(config).toString('base64'),
      ...(file && {
        [originVariable]: describeOrigin(
          workspace.asRelativePath(file.path),
          file.text,
          wishes,
          'the local service',
        ),
      }),
      [variables.token]: await memory.secret('token'),
      [variables.key]: await memory.secret('key'),
    },
  });
}

/** Returns the folder to which paths in the service config and in messages are relative. */
export function startsIn(base: BaseConfig | undefined, folder: string): string {
  return base?.kind === 'file' ? dirname(base.path) : folder;
}

/** Starts a program of this editor's Node that outlives the editor. */
async function start(
  commandLine: readonly string[],
  { cwd, env }: Pick<SpawnOptions, 'cwd' | 'env'>,
): Promise<void> {
  const child = spawn(process.execPath, commandLine, {
    cwd,
    env,
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
