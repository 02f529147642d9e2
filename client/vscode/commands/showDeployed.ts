/** Shows one of the deployed configs: the active one, the pending one or an earlier one. Deploy sends it again. */
import { l10n, languages, type QuickPickItem, window, workspace } from 'vscode';
import { type DeployedConfig, type Version, versionsOf } from '../../deploying/history.ts';
import { rememberContents, type Services } from '../services.ts';
import { deployedUri } from '../views/deployedDocuments.ts';
import { connectSelected } from './target.ts';
import { say, withProgress } from './telling.ts';

interface Item extends QuickPickItem {
  readonly seen: DeployedConfig;
}

export async function showDeployed(services: Services): Promise<void> {
  const { log, history } = services;
  await withProgress(log, l10n.t('Reading the deployed config'), async () => {
    const connected = await connectSelected(services);
    if (connected === undefined) return;
    const { target, api } = connected;
    const diagnosis = await api.diagnose({ content: true });
    await rememberContents(diagnosis, target, history);
    const { active, pending } = diagnosis;
    const slots = { active: active?.slot, pending: pending?.slot };
    const items = versionsOf(history.of(target.id), slots).map(toItem);
    if (items.length === 0) return say(log, l10n.t('Nothing is deployed to {0}.', target.name));
    const picked =
      items.length === 1
        ? items[0]
        : await window.showQuickPick(items, {
            title: l10n.t('Show Deployed Config'),
            placeHolder: l10n.t('Select a version to show. Deploy then sends it again.'),
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

function toItem({ seen, state, name, at }: Version): Item {
  const labels = {
    active: l10n.t('active'),
    pending: l10n.t('being copied'),
    earlier: l10n.t('earlier'),
  };
  return { seen, label: labels[state], description: `${name} · ${new Date(at).toLocaleString()}` };
}
