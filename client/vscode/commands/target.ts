/** The target of a command: the selected one, or one that the user chooses now. */
import { l10n, type QuickPickItem, window } from 'vscode';
import type { Api } from '../../api/api.ts';
import type { Services } from '../services.ts';
import type { Target } from '../targets/target.ts';
import { selectTarget } from './selectTarget.ts';
import { startLocalService } from './startLocalService.ts';

export interface ConnectedTarget {
  readonly target: Target;
  readonly api: Api;
}

/** Returns the target. Undefined if the user chose none. */
export async function connectSelected(services: Services): Promise<ConnectedTarget | undefined> {
  const target = await chooseRunning(services);
  const api = target && (await services.connect(target, 'asks'));
  return target && api ? { target, api } : undefined;
}

/** Returns a running target, or undefined if the user chose none. The local service is started if the user agrees. */
export async function chooseRunning(services: Services): Promise<Target | undefined> {
  const target = await chooseTarget(services);
  if (target?.kind !== 'local' || target.url !== undefined) return target;
  const start: QuickPickItem = { label: `$(play) ${l10n.t('Start Local Service')}` };
  const picked = await window.showQuickPick([start], { title: l10n.t('The local service is not running.') });
  if (picked === undefined) return undefined;
  await startLocalService(services);
  await services.targets.refresh();
  const started = services.targets.selected();
  return started?.url === undefined ? undefined : started;
}

/** Returns the target. Undefined if the user chose none. */
export async function chooseTarget(services: Services): Promise<Target | undefined> {
  const { targets } = services;
  if (targets.selected() === undefined) await selectTarget(services);
  return targets.selected();
}
