/** The known services, and the selected one, which commands use. */
import { dirname, join } from 'node:path';
import { Disposable, type Event, EventEmitter, type Memento, workspace } from 'vscode';
import { readEnvFile } from '../../project/envFile.ts';
import { readTextAt } from '../configs.ts';
import { loadOnDemand } from '../loading.ts';
import { readServiceSettings, section } from '../settings.ts';
import { targetsFromSettings } from './fromSettings.ts';
import type { Target } from './target.ts';

export interface Targets extends Disposable {
  list(): Promise<readonly Target[]>;
  readonly selected: () => Target | undefined;
  select(target: Target | undefined): Promise<void>;
  /** Fires when another target is selected, or when the selected target has another address. */
  readonly onDidChange: Event<void>;
  refresh(): Promise<void>;
}

const selectedKey = 'target';
/** Files that name services. Files in deeper folders belong to other programs. */
const files = '{cli.yaml,service.yaml,*/cli.yaml,*/service.yaml}';
const mostFiles = 20;

/** @param local returns the current local service; undefined if there cannot be one */
export function openTargets(memory: Memento, local: () => Target | undefined): Targets {
  const changed = new EventEmitter<void>();
  let selected: Target | undefined;

  async function list(): Promise<readonly Target[]> {
    const here = local();
    const targets = [...(here ? [here] : []), ...targetsOfSettings(), ...(await fromWorkspace())];
    return [...new Map(targets.toReversed().map((target) => [target.id, target])).values()].toReversed();
  }

  async function refresh(): Promise<void> {
    const here = local();
    // The service of this workspace is selected as soon as it is running, unless the user has chosen a target.
    if (memory.get<string>(selectedKey) === undefined && here?.url !== undefined)
      await memory.update(selectedKey, here.id);
    const id = memory.get<string>(selectedKey);
    const found = id === undefined ? undefined : (await list()).find((target) => target.id === id);
    if (JSON.stringify(found) === JSON.stringify(selected)) return;
    selected = found;
    changed.fire();
  }

  const listeners = Disposable.from(
    changed,
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${section}.targets`)) void refresh();
    }),
    workspace.onDidSaveTextDocument(({ fileName }) => {
      if (/[/\\](cli|service)\.yaml$/.test(fileName)) void refresh();
    }),
  );
  void refresh();
  return {
    list,
    selected: () => selected,
    async select(target) {
      await memory.update(selectedKey, target?.id);
      await refresh();
    },
    onDidChange: changed.event,
    refresh,
    dispose: () => listeners.dispose(),
  };
}

function targetsOfSettings(): readonly Target[] {
  const { targets, targetsNamedBy } = readServiceSettings();
  return targetsFromSettings(targets, targetsNamedBy);
}

async function fromWorkspace(): Promise<readonly Target[]> {
  const found = await workspace.findFiles(files, '**/node_modules/**', mostFiles);
  if (found.length === 0) return [];
  const { targetFromCli, targetFromService } = await loadOnDemand();
  const read = await Promise.all(
    found.map(async (uri) => {
      const path = workspace.asRelativePath(uri);
      const text = await readTextAt(uri);
      if (uri.path.endsWith('cli.yaml')) return targetFromCli(text, path, process.env);
      const envFile = join(dirname(uri.fsPath), '.env');
      const env = { ...readEnvFile(envFile), ...process.env };
      return targetFromService(text, path, env, envFile);
    }),
  );
  return read.filter((target) => target !== undefined);
}
