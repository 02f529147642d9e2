/** Everything that reaches a service or starts a process: only in trusted workspaces, and not in browsers. */
import {
  commands,
  Disposable,
  type ExtensionContext,
  type LogOutputChannel,
  type TextDocument,
  window,
  workspace,
} from 'vscode';
import { deployQuietly } from './commands/deploy.ts';
import { registerCommands } from './commands/index.ts';
import { serviceTable } from './commands/services.ts';
import { forgetVerdicts } from './commands/validateOnService.ts';
import { contentOf, isSameConfig, looksLikeSyncConfig } from './configs.ts';
import type { LanguageServer } from './language.ts';
import { openServices, type Services } from './services.ts';
import { showStatus } from './statusBar.ts';
import { provideTasks } from './tasks.ts';
import { provideDeployed } from './views/deployedDocuments.ts';
import { provideExplanations } from './views/explanations.ts';
import { providePreviews } from './views/previews.ts';
import { showServiceTree } from './views/serviceTree.ts';

export function reachServices(
  context: ExtensionContext,
  log: LogOutputChannel,
  server: LanguageServer,
): Disposable {
  const open: Disposable[] = [];
  const start = (): void => {
    open.push(openAll(context, log, server));
  };
  if (workspace.isTrusted) start();
  else
    open.push(
      workspace.onDidGrantWorkspaceTrust(() => {
        start();
        // It offers in its lenses what was there when it started.
        void server.restart();
      }),
    );
  return { dispose: () => Disposable.from(...open).dispose() };
}

function openAll(context: ExtensionContext, log: LogOutputChannel, server: LanguageServer): Disposable {
  const services = openServices(context, log, server);
  return Disposable.from(
    services,
    registerCommands(serviceTable, services),
    showStatus(services),
    showServiceTree(services),
    provideDeployed(services.history),
    provideExplanations(),
    providePreviews(),
    provideTasks(context),
    forgetVerdicts(),
    deployOnSave(services),
    keepContextKeys(services),
  );
}

/** What `when` and `enablement` in package.json go by. */
function keepContextKeys({ targets, local, health, onDidChange }: Services): Disposable {
  const set = (key: string, value: unknown) =>
    commands.executeCommand('setContext', `headwater.${key}`, value);
  const update = (): void => {
    void set('target', targets.selected()?.kind);
    void set('local', local?.state().kind);
    const now = health.health();
    void set('health', now.kind);
    void set('refusal', now.kind === 'refused' ? now.why : undefined);
  };
  const notice = (document: TextDocument | undefined): void => {
    if (document && looksLikeSyncConfig(document)) void set('found', true);
  };
  void set('services', true);
  update();
  notice(window.activeTextEditor?.document);
  return Disposable.from(
    onDidChange(update),
    targets.onDidChange(update),
    window.onDidChangeActiveTextEditor((editor) => notice(editor?.document)),
  );
}

/** Only to the local service, and only when that is asked for. */
function deployOnSave(services: Services): Disposable {
  return workspace.onDidSaveTextDocument(async (document) => {
    const target = services.targets.selected();
    if (target?.kind !== 'local' || target.url === undefined) return;
    if (!services.local?.deploysOnSave() || !looksLikeSyncConfig(document)) return;
    const [latest] = services.history.of(target.id);
    if (latest !== undefined && isSameConfig(latest.content, contentOf(document))) return;
    await deployQuietly(services, document, target);
  });
}
