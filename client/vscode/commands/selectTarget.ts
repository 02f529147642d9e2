/** Lets the user pick a known service, or enter another token for it. */
import { l10n, type QuickInputButton, type QuickPickItem, ThemeIcon, window } from 'vscode';
import type { Services } from '../services.ts';
import type { Target } from '../targets/target.ts';
import { complain, say } from './telling.ts';

interface Item extends QuickPickItem {
  readonly target: Target;
}

export async function selectTarget(services: Services): Promise<void> {
  const { targets, log } = services;
  const items = (await targets.list()).map((target) => toItem(target, targets.selected()));
  const picked = await pick(items, (target) => askForToken(services, target));
  if (picked === undefined) return;
  await targets.select(picked.target);
  say(log, l10n.t('{0} is selected.', picked.target.name));
}

/** Asks for a token after the service has refused or required one. */
export async function giveToken(services: Services): Promise<void> {
  const { targets, log } = services;
  const target = targets.selected();
  if (target === undefined) return selectTarget(services);
  const { token, origin, name } = target;
  if (token.kind === 'variable')
    return complain(
      log,
      l10n.t(
        '{0} takes its token from the variable {1}, as {2} says. Set it there.',
        name,
        token.name,
        origin,
      ),
    );
  if (token.kind === 'written')
    return complain(log, l10n.t('{0} takes its token from {1}. Change it there.', name, token.file));
  if (token.kind === 'local') return say(log, l10n.t('{0} needs no token from you.', name));
  await askForToken(services, target);
}

async function askForToken({ tokens, health, log }: Services, target: Target): Promise<void> {
  if ((await tokens.askAgain(target, 'wanted')) === undefined) return;
  health.retarget();
  say(log, l10n.t('The new token for {0} is used from now on.', target.name));
}

const tokenButton: QuickInputButton = {
  iconPath: new ThemeIcon('key'),
  tooltip: l10n.t('Enter Another Token'),
};

function toItem(target: Target, selected: Target | undefined): Item {
  const isSelected = target.id === selected?.id;
  return {
    target,
    label: `${isSelected ? '$(check)' : '$(blank)'} ${target.name}`,
    description: target.url ?? l10n.t('off'),
    detail: `      ${target.origin}`,
    buttons: target.token.kind === 'stored' ? [tokenButton] : [],
  };
}

function pick(items: readonly Item[], onToken: (target: Target) => void): Promise<Item | undefined> {
  const picker = window.createQuickPick<Item>();
  picker.title = l10n.t('Select Target');
  picker.placeholder = l10n.t(
    'The service to deploy to and watch. To add more, use the setting headwater.targets',
  );
  picker.items = items;
  return new Promise((resolve) => {
    picker.onDidAccept(() => {
      resolve(picker.selectedItems[0]);
      picker.hide();
    });
    picker.onDidTriggerItemButton(({ item }) => {
      onToken(item.target);
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}
