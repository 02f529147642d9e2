/** Shows what is active, what is being copied, or what was deployed earlier. Deploy sends the shown one again. */
import { l10n, languages, type QuickPickItem, window, workspace } from 'vscode';
import type { DeployedConfig } from '../../deploying/history.ts';
import { rememberContents, type Services } from '../services.ts';
import { deployedUri } from '../views/deployedDocuments.ts';
import { connectSelected } from './target.ts';
import { say, withProgress } from './telling.ts';

interface Item extends QuickPickItem {
  readonly slot: string;
}

export async function showDeployed(services: Services): Promise<void> {
  const { log, history } = services;
  await withProgress(log, l10n.t('Reading what is deployed'), async () => {
    const connected = await connectSelected(services);
    if (connected === undefined) return;
    const { target, api } = connected;
    const diagnosis = await api.diagnose({ content: true });
    await rememberContents(diagnosis, target, history);
    const { active, pending } = diagnosis;
    const items = history.of(target.id).map((seen) => toItem(seen, active?.slot, pending?.slot));
    if (items.length === 0) return say(log, l10n.t('Nothing is deployed to {0}.', target.name));
    const picked =
      items.length === 1
        ? items[0]
        : await window.showQuickPick(inOrder(items, active?.slot), {
            title: l10n.t('Show Deployed Config'),
            placeHolder: l10n.t('Deploy sends the one that is shown again'),
          });
    if (picked === undefined) return;
    const document = await workspace.openTextDocument(deployedUri(target, picked.slot));
    await window.showTextDocument(await languages.setTextDocumentLanguage(document, 'yaml'), {
      preview: true,
    });
  });
}

function toItem(
  { slot, seenAt }: DeployedConfig,
  active: string | undefined,
  pending: string | undefined,
): Item {
  const states = { [String(pending)]: l10n.t('being copied'), [String(active)]: l10n.t('active') };
  return {
    slot,
    label: states[slot] ?? l10n.t('earlier'),
    description: `${slot} · ${new Date(seenAt).toLocaleString()}`,
  };
}

function inOrder(items: readonly Item[], active: string | undefined): readonly Item[] {
  return [...items.filter(({ slot }) => slot === active), ...items.filter(({ slot }) => slot !== active)];
}
