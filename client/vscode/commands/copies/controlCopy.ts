/** Pauses, resumes, slows or gives up the copy of the target. */
import { l10n, type QuickPickItem, window } from 'vscode';
import type { CopyStatus } from '../../../api/answers.ts';
import type { CopyRequest } from '../../../api/api.ts';
import { nameOfConfig } from '../../../api/deployedConfig.ts';
import { countText } from '../../../health/amounts.ts';
import { describeCopyOutcome } from '../../../health/copyWords.ts';
import type { Services } from '../../services.ts';
import { connectSelected } from '../target.ts';
import { chooseButton, complain, say, withProgress } from '../telling.ts';

interface Choice extends QuickPickItem {
  readonly action: CopyRequest['action'];
}

export async function controlCopy(services: Services): Promise<void> {
  const { log, health } = services;
  await withProgress(log, l10n.t('Controlling the copy'), async () => {
    const connected = await connectSelected(services);
    if (connected === undefined) return;
    const { target, api } = connected;
    const { pending } = await api.diagnose();
    if (pending === undefined) return say(log, l10n.t('{0} is not copying anything.', target.name));
    if (pending.copy === undefined)
      return complain(log, l10n.t('{0} does not support pausing, slowing or giving up a copy.', target.name));
    const title = l10n.t('{0} copies {1}', target.name, nameOfConfig(pending));
    const choice = await window.showQuickPick(choicesOf(pending.copy), { title });
    if (choice === undefined) return;
    const order = await complete(choice.action, pending.slot, pending.copy);
    if (order === undefined) return;
    say(log, describeCopyOutcome(order, await api.controlCopy(order), target.name));
    await health.askNow();
  });
}

function choicesOf({ isPaused, limit }: CopyStatus): readonly Choice[] {
  return [
    isPaused
      ? { action: 'resume', label: `$(play) ${l10n.t('Resume')}` }
      : {
          action: 'pause',
          label: `$(debug-pause) ${l10n.t('Pause')}`,
          detail: l10n.t('The copy reads nothing until you resume it. The active config continues.'),
        },
    {
      action: 'rate',
      label: `$(dashboard) ${l10n.t('Slow Down')}`,
      detail:
        limit === undefined
          ? l10n.t('The copy runs at full speed.')
          : l10n.t('At most {0} rows a second are copied.', countText(limit)),
    },
    {
      action: 'give-up',
      label: `$(trash) ${l10n.t('Give Up')}`,
      detail: l10n.t('The copied rows are deleted. The active config stays.'),
    },
  ];
}

/** Asks for the missing details of a request. Undefined if the user cancels. */
async function complete(
  action: CopyRequest['action'],
  slot: string,
  { limit }: CopyStatus,
): Promise<CopyRequest | undefined> {
  if (action === 'give-up') {
    const [question, yes] = [l10n.t('Give up the copy?'), l10n.t('Give Up')];
    const detail = l10n.t('The copied rows are deleted. The active config stays.');
    return (await chooseButton(question, detail, [yes])) === undefined ? undefined : { action, slot };
  }
  if (action !== 'rate') return { action, slot };
  const text = await window.showInputBox({
    title: l10n.t('Maximum number of rows per second'),
    prompt: l10n.t('Empty: full speed'),
    value: limit === undefined ? '' : String(limit),
    validateInput: (typed) =>
      typed === '' || /^[1-9]\d{0,8}$/.test(typed)
        ? undefined
        : l10n.t('Enter a whole number, or leave this empty.'),
  });
  if (text === undefined) return undefined;
  return { action, slot, rowsPerSecond: text === '' ? null : Number(text) };
}
