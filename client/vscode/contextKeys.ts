/** Sets the context keys that `when` and `enablement` in package.json name. */
import { commands, Disposable, type TextDocument, workspace } from 'vscode';
import { isConsole } from '../api/answers.ts';
import { deployedScheme, findConfigFile, looksLikeSyncConfig } from './configs.ts';
import { canRunService } from './nodeVersion.ts';
import { hasConfigName } from './selector.ts';
import type { Services } from './services.ts';
import { section } from './settings.ts';
import type { Walkthrough } from './walkthrough.ts';

type SetContext = (key: string, value: unknown) => void;

/** Returns a setter that passes on only values that have changed. */
function contextSetter(): SetContext {
  const known = new Map<string, string>();
  return (key, value) => {
    if (known.get(key) === JSON.stringify(value)) return;
    known.set(key, JSON.stringify(value) ?? '');
    void commands.executeCommand('setContext', `headwater.${key}`, value);
  };
}

/** Sets the keys for the target, the local service and the health. */
export function keepServiceKeys(
  { targets, local, health, onDidChange }: Services,
  walkthrough: Walkthrough,
): Disposable {
  const set = contextSetter();
  const update = (): void => {
    set('target', targets.selected()?.kind);
    set('local', local?.state().kind);
    if (local?.state().kind === 'running') walkthrough.tick('start');
    const now = health.health();
    set('health', now.kind);
    set('refusal', now.kind === 'refused' ? now.why : undefined);
    if (!('diagnosis' in now)) return;
    if (now.diagnosis.active !== undefined) walkthrough.tick('deploy');
    if (now.diagnosis.clients?.some((client) => !isConsole(client))) walkthrough.tick('connect');
  };
  set('services', true);
  set('outdated', !canRunService());
  update();
  return Disposable.from(onDidChange(update), targets.onDidChange(update));
}

/** Sets the keys for open documents that are sync configs, and for whether the workspace has any. */
export function keepConfigKeys(walkthrough: Walkthrough): Disposable {
  const set = contextSetter();
  const isConfig = (document: TextDocument) =>
    document.uri.scheme !== deployedScheme && hasConfigName(document) && looksLikeSyncConfig(document);
  const update = (): void => {
    const open = workspace.textDocuments.filter(isConfig).map(({ uri }) => uri);
    // The value of `resourcePath` depends on the location of the file.
    set('configs', [...new Set(open.flatMap(({ path, fsPath }) => [path, fsPath]))]);
    if (open.length === 0) return;
    set('found', true);
    walkthrough.tick('open');
  };
  update();
  void findConfigFile().then((found) => {
    if (found === undefined) return;
    set('found', true);
    walkthrough.tick('open');
  });
  return Disposable.from(
    workspace.onDidOpenTextDocument(update),
    workspace.onDidCloseTextDocument(update),
    workspace.onDidChangeTextDocument(({ document }) => {
      if (hasConfigName(document)) update();
    }),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${section}.files`)) update();
    }),
  );
}
