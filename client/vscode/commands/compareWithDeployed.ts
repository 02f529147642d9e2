/** Shows a comparison with the deployed config on the left and the file on the right. */
import { commands, l10n, ViewColumn, window } from 'vscode';
import { splitPath } from '../../../server/shared/uri.ts';
import { nameOfConfig } from '../../api/deployedConfig.ts';
import { rememberContents } from '../../deploying/history.ts';
import { chooseConfig } from '../configs.ts';
import type { Services } from '../services.ts';
import { deployedUri } from '../views/deployedDocuments.ts';
import { connectSelected } from './target.ts';
import { complain, say, untilAnswered, withProgress } from './telling.ts';

export async function compareWithDeployed(services: Services, named: unknown): Promise<void> {
  const { log, history } = services;
  const document = await chooseConfig(named, () => complain(log, l10n.t('Open the sync config to compare.')));
  if (document === undefined) return;
  await withProgress(log, l10n.t('Reading the deployed config'), async () => {
    const connected = await connectSelected(services);
    if (connected === undefined) return;
    const { target, api } = connected;
    const diagnosis = await untilAnswered(target.name, (signal) => api.diagnose({ content: true }, signal));
    await rememberContents(diagnosis, { history, target: target.id });
    const latest = diagnosis.pending ?? diagnosis.active;
    if (latest === undefined) return say(log, l10n.t('Nothing is deployed to {0}.', target.name));
    const state = diagnosis.pending ? l10n.t('being copied') : l10n.t('active');
    const name = splitPath(document.uri.path).name;
    const title = `${target.name} (${nameOfConfig(latest)}, ${state}) ↔ ${name}`;
    const deployed = deployedUri(target, latest);
    // The active group may be that of a page next to the file, such as the question before a deploy.
    const viewColumn = window.visibleTextEditors.find((each) => each.document === document)?.viewColumn;
    const options = { viewColumn: viewColumn ?? ViewColumn.Active };
    await commands.executeCommand('vscode.diff', deployed, document.uri, title, options);
  });
}
