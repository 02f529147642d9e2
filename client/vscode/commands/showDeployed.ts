/** Shows one of the deployed configs: the active one, the pending one or an earlier one. Deploy sends it again. */
import { l10n, languages, type QuickPickItem, window, workspace } from 'vscode';
import { nameOfConfig } from '../../api/deployedConfig.ts';
import { present } from '../../api/reading.ts';
import { askConfigs, type ListedConfig } from '../../deploying/history.ts';
import { describeListed } from '../../deploying/historyWords.ts';
import type { Services } from '../services.ts';
import { deployedUri } from '../views/deployedDocuments.ts';
import { connectSelected } from './target.ts';
import { say, untilAnswered, withProgress } from './telling.ts';

interface Item extends QuickPickItem {
  readonly config: ListedConfig;
}

export async function showDeployed(services: Services): Promise<void> {
  const { log, history } = services;
  await withProgress(log, l10n.t('Reading the deployed config'), async () => {
    const connected = await connectSelected(services);
    if (connected === undefined) return;
    const { target, api } = connected;
    const own = { history, target: target.id };
    const configs = await untilAnswered(target.name, (signal) => askConfigs(api, own, signal));
    const items = configs.map(toItem);
    if (items.length === 0) return say(log, l10n.t('Nothing is deployed to {0}.', target.name));
    const picked =
      items.length === 1
        ? items[0]
        : await window.showQuickPick(items, {
            title: l10n.t('Show Deployed Config'),
            placeHolder: l10n.t('Select a version to show. Deploy then sends it again.'),
            matchOnDescription: true,
          });
    if (picked === undefined) return;
    const { slot, content, seenAt, configNumber, deployedAt } = picked.config;
    await history.remember(target.id, present({ slot, content, seenAt, configNumber, deployedAt }));
    const document = await workspace.openTextDocument(deployedUri(target, picked.config));
    await window.showTextDocument(await languages.setTextDocumentLanguage(document, 'yaml'), {
      preview: true,
    });
  });
}

function toItem(config: ListedConfig): Item {
  return { config, label: nameOfConfig(config), description: describeListed(config) };
}
