/** The menu after a click on the status, which shows the problem with its remedy, and the next steps. */
import { commands, l10n, window } from 'vscode';
import type { Services } from '../services.ts';
import { isDeployed } from '../statusBar.ts';
import { menuOf } from '../views/menu.ts';
import { deployPhase } from './deploy.ts';
import { selectTarget } from './selectTarget.ts';

export async function showMenu(services: Services): Promise<void> {
  const { targets, local, health, shortfalls } = services;
  const target = targets.selected();
  if (target === undefined) return selectTarget(services);
  const isLocal = target.kind === 'local' && local !== undefined;
  const items = menuOf({
    health: health.health(),
    local: isLocal ? local.state() : undefined,
    ownsDatabase: isLocal && local.ownsDatabase(),
    shortfall: shortfalls.of(target),
    isDeployed: isDeployed(services, target),
    deploying: deployPhase(),
  });
  const picked = await window.showQuickPick(items, { title: l10n.t('Headwater: {0}', target.name) });
  if (picked) await commands.executeCommand(picked.command, picked.argument);
}
