/** Shows what is active, what is being copied, or what was deployed earlier. Deploy sends the shown one again. */
import { l10n, languages, type QuickPickItem, window, workspace } from 'vscode';
import type { DeployedConfig } from '../../deploying/history.ts';
import { rememberContents, type Services } from '../services.ts';
import { deployedUri } from '../views/deployedDocuments.ts';
import { connectSelected } from './target.ts';
import { say, withProgress } from './telling.ts';

interface Item extends QuickPickItem {
  readonly seen: DeployedConfig;
  readonly isActive: boolean;
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
    const all = history.of(target.id);
    const items = all.map((seen) => {
      const isLatest = all.find(({ slot }) => slot === seen.slot) === seen;
      return isLatest ? toItem(seen, active?.slot, pending?.slot) : toItem(seen, undefined, undefined);
    });
    if (items.length === 0) return say(log, l10n.t('Nothing is deployed to {0}.', target.name));
    const picked =
      items.length === 1
        ? items[0]
        : await window.showQuickPick(inOrder(items), {
            title: l10n.t('Show Deployed Config'),
            placeHolder: l10n.t('Deploy sends the one that is shown again'),
          });
    if (picked === undefined) return;
    const document = await workspace.openTextDocument(
      deployedUri(target, picked.seen.slot, picked.seen.seenAt),
    );
    await window.showTextDocument(await languages.setTextDocumentLanguage(document, 'yaml'), {
      preview: true,
    });
  });
}

function toItem(seen: DeployedConfig, active: string | undefined, pending: string | undefined): Item {
  const { slot, seenAt } = seen;
  const states = { [String(pending)]: l10n.t('being copied'), [String(active)]: l10n.t('active') };
  return {
    seen,
    isActive: slot === active,
    label: states[slot] ?? l10n.t('earlier'),
    description: `${slot} · ${new Date(seenAt).toLocaleString()}`,
  };
}

function inOrder(items: readonly Item[]): readonly Item[] {
  return [...items.filter(({ isActive }) => isActive), ...items.filter(({ isActive }) => !isActive)];
}
