/** Everything that reaches a service or starts a process: only in trusted workspaces, and not in browsers. */
import {
  commands,
  Disposable,
  type ExtensionContext,
  type LogOutputChannel,
  languages,
  type TextDocument,
  workspace,
} from 'vscode';
import { provideAgents } from './agents/agents.ts';
import { deployQuietly } from './commands/deploy.ts';
import { registerCommands } from './commands/index.ts';
import { loadSeldom, serviceTable } from './commands/services.ts';
import { forgetVerdicts } from './commands/validateOnService.ts';
import { contentOf, deployedScheme, findConfigFile, isSameConfig, looksLikeSyncConfig } from './configs.ts';
import { provideConsole } from './console/offer.ts';
import type { LanguageServer } from './language.ts';
import { documentSelector } from './selector.ts';
import { openServices, type Services } from './services.ts';
import { readSettings } from './settings.ts';
import { showStatus } from './statusBar.ts';
import { provideTasks } from './tasks.ts';
import { provideAnswers } from './views/answers.ts';
import { provideDeployed } from './views/deployedDocuments.ts';
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
    provideAnswers(loadSeldom),
    provideTasks(context),
    provideConsole(services),
    provideAgents(context),
    forgetVerdicts(services),
    deployOnSave(services),
    keepContextKeys(services),
  );
}

/** What `when` and `enablement` in package.json go by. */
function keepContextKeys({ targets, local, health, onDidChange }: Services): Disposable {
  const known = new Map<string, string>();
  const set = (key: string, value: unknown): void => {
    if (known.get(key) === JSON.stringify(value)) return;
    known.set(key, JSON.stringify(value) ?? '');
    void commands.executeCommand('setContext', `headwater.${key}`, value);
  };
  const update = (): void => {
    set('target', targets.selected()?.kind);
    set('local', local?.state().kind);
    const now = health.health();
    set('health', now.kind);
    set('refusal', now.kind === 'refused' ? now.why : undefined);
    if (!('diagnosis' in now)) return;
    // The steps of the walkthrough stay done.
    if (now.diagnosis.active !== undefined) set('deployed', true);
    if ((now.diagnosis.clients?.length ?? 0) > 0) set('connected', true);
  };
  set('services', true);
  update();
  return Disposable.from(onDidChange(update), targets.onDidChange(update), keepConfigs(set));
}

/** Which open documents are sync configs, and whether there is one at all. */
function keepConfigs(set: (key: string, value: unknown) => void): Disposable {
  const named = documentSelector(readSettings().files);
  const isConfig = (document: TextDocument) =>
    document.uri.scheme !== deployedScheme &&
    languages.match(named, document) > 0 &&
    looksLikeSyncConfig(document);
  const update = (): void => {
    const open = workspace.textDocuments.filter(isConfig).map(({ uri }) => uri);
    // What `resourcePath` is depends on where the file is.
    set('configs', [...new Set(open.flatMap(({ path, fsPath }) => [path, fsPath]))]);
    if (open.length > 0) set('found', true);
  };
  update();
  void findConfigFile().then((found) => {
    if (found !== undefined) set('found', true);
  });
  return Disposable.from(
    workspace.onDidOpenTextDocument(update),
    workspace.onDidCloseTextDocument(update),
    workspace.onDidChangeTextDocument(({ document }) => {
      if (languages.match(named, document) > 0) update();
    }),
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
