/**
 * Starts, stops and restarts a service on this machine for this workspace. A started service is selected unless another target is
 * selected.
 */
import { type LogOutputChannel, l10n, type QuickPickItem, type Uri, window, workspace } from 'vscode';
import type { LocalState } from '../../local/machine.ts';
import { loadOnDemand } from '../loading.ts';
import type { BaseConfig } from '../localService.ts';
import type { Services } from '../services.ts';
import { complain, say } from './telling.ts';

export async function startLocalService({ local, targets, log }: Services): Promise<void> {
  if (local === undefined)
    return complain(log, l10n.t('Open a folder first: the local service belongs to one.'));
  const { kind } = local.state();
  // The button of the walkthrough is always visible.
  if (kind === 'running' || kind === 'starting')
    return say(log, l10n.t('The local service is already running.'));
  const base = await chooseBase();
  if (base === undefined) return;
  if (targets.selected() === undefined) await targets.select(local.target());
  await local.start(base);
  tellState(log, local.state());
}

export async function stopLocalService({ local, log }: Services): Promise<void> {
  await local?.stop();
  if (local) tellState(log, local.state());
}

export async function restartLocalService({ local, log }: Services): Promise<void> {
  await local?.restart();
  if (local) tellState(log, local.state());
}

function tellState(log: LogOutputChannel, state: LocalState): void {
  if (state.kind === 'failed') complain(log, state.sentence);
  else if (state.kind === 'running') say(log, l10n.t('The local service is running at {0}.', state.url));
  else if (state.kind === 'off') say(log, l10n.t('The local service is stopped.'));
}

interface Item extends QuickPickItem {
  readonly base: BaseConfig;
}

/** Asks for the config of the service, but only if there is a choice. */
async function chooseBase(): Promise<BaseConfig | undefined> {
  const [file] = await workspace.findFiles('{service.yaml,powersync/service.yaml}', null, 1);
  if (file === undefined || file.scheme !== 'file' || !(await isChoice(file))) return { kind: 'own' };
  const name = workspace.asRelativePath(file);
  const items: readonly Item[] = [
    {
      label: l10n.t('With an embedded database'),
      detail: l10n.t('Nothing else is needed. Tables come from schema.sql or migrations, if there are any.'),
      base: { kind: 'own' },
    },
    {
      label: l10n.t('With the database in {0}', name),
      detail: l10n.t('Variables come from the environment and from .env next to the file.'),
      base: { kind: 'file', path: file.fsPath },
    },
  ];
  const picked = await window.showQuickPick(items, { title: l10n.t('Start Local Service') });
  return picked?.base;
}

/** Whether a file is a possible config, because many programs have a `service.yaml`. */
async function isChoice(file: Uri): Promise<boolean> {
  const { offersSource } = await loadOnDemand();
  return offersSource(new TextDecoder().decode(await workspace.fs.readFile(file)));
}
