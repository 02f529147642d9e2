/** The features that call a service or start a process. They exist only in trusted workspaces, and not in browsers. */
import { Disposable, workspace } from 'vscode';
import { provideAgents } from './agents/agents.ts';
import { deployQuietly } from './commands/deploy.ts';
import { registerCommands } from './commands/index.ts';
import { loadSeldom, serviceTable } from './commands/services.ts';
import { forgetVerdicts } from './commands/validateOnService.ts';
import { looksLikeSyncConfig } from './configs.ts';
import { provideConsole } from './console/offer.ts';
import { keepServiceKeys } from './contextKeys.ts';
import type { Host } from './extension.ts';
import { openServices, type Services } from './services.ts';
import { isDeployed, showStatus } from './statusBar.ts';
import { provideTasks } from './tasks.ts';
import { provideAnswers } from './views/answers.ts';
import { provideDeployed } from './views/deployedDocuments.ts';
import { closeReloadedPage } from './views/reloadedDeployPage.ts';
import { showServiceTree } from './views/serviceTree.ts';

export function reachServices(host: Host): Disposable {
  const open: Disposable[] = [];
  const start = (): void => {
    open.push(openAll(host));
  };
  if (workspace.isTrusted) start();
  else
    open.push(
      workspace.onDidGrantWorkspaceTrust(() => {
        start();
        // Restart the server, because its lenses offer only the commands that existed when it started.
        void host.server.restart();
      }),
    );
  return { dispose: () => Disposable.from(...open).dispose() };
}

function openAll({ context, log, server, walkthrough }: Host): Disposable {
  const services = openServices(context, log, server);
  return Disposable.from(
    services,
    registerCommands(serviceTable, services),
    showStatus(services),
    showServiceTree(services),
    provideDeployed(services.history),
    provideAnswers(loadSeldom),
    provideTasks(context),
    provideConsole(services),
    closeReloadedPage(),
    provideAgents(context),
    forgetVerdicts(services),
    deployOnSave(services),
    keepServiceKeys(services, walkthrough),
  );
}

/** Deploys on save, but only to the local service, and only if the user has enabled it. */
function deployOnSave(services: Services): Disposable {
  return workspace.onDidSaveTextDocument(async (document) => {
    const target = services.targets.selected();
    if (target?.kind !== 'local' || target.url === undefined) return;
    if (!services.local?.deploysOnSave() || !looksLikeSyncConfig(document)) return;
    if (isDeployed(services, target, document)) return;
    await deployQuietly(services, document, target);
  });
}
