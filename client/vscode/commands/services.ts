/** The table of commands that call a service. Large commands that are seldom used are loaded on demand. */
import { commands, env, l10n, Uri } from 'vscode';
import { openConsoleHere } from '../console/offer.ts';
import type { Services } from '../services.ts';
import { requireUrl } from '../targets/target.ts';
import { deployDocument } from './deploy.ts';
import type { Table } from './index.ts';
import { giveToken, selectTarget } from './selectTarget.ts';
import { showMenu } from './showMenu.ts';
import { restartLocalService, startLocalService, stopLocalService } from './startLocalService.ts';
import { say } from './telling.ts';
import { validateOnService } from './validateOnService.ts';

export const serviceTable: Table<Services> = {
  'headwater.deploy': deployDocument,
  'headwater.createSyncConfig': seldom('createSyncConfig'),
  'headwater.validateOnService': validateOnService,
  'headwater.compareWithDeployed': seldom('compareWithDeployed'),
  'headwater.showDeployedConfig': seldom('showDeployed'),
  'headwater.reprocess': seldom('reprocessTarget'),
  'headwater.reprocessStream': seldom('reprocessStream'),
  'headwater.controlCopy': seldom('controlCopy'),
  'headwater.checkHealth': seldom('checkHealth'),
  'headwater.startLocalService': startLocalService,
  'headwater.stopLocalService': stopLocalService,
  'headwater.restartLocalService': restartLocalService,
  'headwater.showServiceLog': ({ local }) => local?.showLog(),
  'headwater.selectTarget': selectTarget,
  'headwater.createClientToken': seldom('createClientToken'),
  'headwater.generateClientSchema': seldom('generateClientSchema'),
  'headwater.explainRow': seldom('explainRowHere'),
  'headwater.explainMissingRows': seldom('explainMissingRows'),
  'headwater.previewAsUser': seldom('previewAsUser'),
  'headwater.refreshSchema': seldom('refreshSchema'),
  'headwater.resetLocalDatabase': seldom('resetLocalDatabase'),
  'headwater.copyDatabaseAddress': seldom('copyDatabaseAddress'),
  'headwater.copyPsqlCommand': seldom('copyPsqlCommand'),
  'headwater.copyServiceAddress': copyServiceAddress,
  'headwater.giveToken': giveToken,
  'headwater.openConsole': openConsoleHere,
  'headwater.showMenu': showMenu,
  'headwater.openScript': openScript,
};

export async function loadSeldom() {
  const parts = await import('../seldom.ts');
  parts.translateWith(l10n.t);
  return parts;
}

type Seldom = Awaited<ReturnType<typeof loadSeldom>>;

/** The names of the commands in the second bundle. */
type SeldomCommand = {
  [Name in keyof Seldom]: Seldom[Name] extends (services: Services, named: unknown) => Promise<unknown>
    ? Name
    : never;
}[keyof Seldom];

function seldom(name: SeldomCommand): Table<Services>[string] {
  return async (services, named) => (await loadSeldom())[name](services, named);
}

async function copyServiceAddress({ targets, log }: Services): Promise<void> {
  const target = targets.selected();
  if (target === undefined) return;
  await env.clipboard.writeText(requireUrl(target));
  say(log, l10n.t('The address of {0} was copied to the clipboard.', target.name));
}

/** @param named the argument from the view or the menu */
async function openScript({ local }: Services, named: unknown): Promise<void> {
  const { script, line = 1 } = (named ?? {}) as { readonly script?: string; readonly line?: number };
  if (local === undefined || script === undefined) return;
  const at = Uri.file(local.pathOf(script)).with({ fragment: `L${line}` });
  await commands.executeCommand('vscode.open', at);
}
