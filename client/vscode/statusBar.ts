/** Shows the selected target in the status bar. Shows nothing if no target is selected. */
import { Disposable, l10n, MarkdownString, StatusBarAlignment, ThemeColor, window, workspace } from 'vscode';
import { troublesOf } from '../health/problems.ts';
import { type Situation, type StatusWords, spokenWords, wordsFor } from '../health/words.ts';
import { deployPhase } from './commands/deploy.ts';
import { contentOf, isSameConfig, shownConfig } from './configs.ts';
import type { Services } from './services.ts';
import { loadedInstead } from './targets/loaded.ts';
import type { Target } from './targets/target.ts';
import { stopDeploy, stopTitle } from './views/menu.ts';

export function showStatus(services: Services): Disposable {
  const { targets, local, health, shortfalls, onDidChange } = services;
  const item = window.createStatusBarItem('headwater.target', StatusBarAlignment.Left, 1);
  item.name = 'Headwater';
  item.command = 'headwater.showMenu';

  let shown = '';

  function update(): void {
    const target = targets.selected();
    if (target === undefined) {
      item.hide();
      shown = '';
      return;
    }
    const words = wordsFor({
      name: target.name,
      health: health.health(),
      local: target.kind === 'local' ? local?.state() : undefined,
      isDeployed: isDeployed(services, target),
      shortfall: shortfalls.of(target),
      loads: loadedBy(target),
    });
    const links = linksFor(services, target);
    const next = JSON.stringify([words, target, links]);
    // Change the item only if necessary, because setting a property closes an open tooltip, even if the value is the same.
    if (next === shown) return;
    shown = next;
    item.text = `$(${words.icon}) ${words.text}`;
    item.accessibilityInformation = { label: spokenWords(words) };
    item.tooltip = tooltipFor(target, words, links);
    item.backgroundColor = backgroundOf(words.tone);
    item.show();
  }

  const listeners = Disposable.from(
    item,
    onDidChange(update),
    targets.onDidChange(update),
    window.onDidChangeActiveTextEditor(update),
    workspace.onDidChangeTextDocument(({ document }) => {
      if (document === window.activeTextEditor?.document) update();
    }),
  );
  update();
  return listeners;
}

function backgroundOf(tone: StatusWords['tone']): ThemeColor | undefined {
  if (tone === 'bad') return new ThemeColor('statusBarItem.errorBackground');
  return tone === 'warning' ? new ThemeColor('statusBarItem.warningBackground') : undefined;
}

/** Whether the config on the screen is deployed. Undefined if there is nothing to compare, or if the deployed config is unknown. */
export function isDeployed(
  { history, health }: Services,
  target: Target,
  document = shownConfig(),
): boolean | undefined {
  const now = health.health();
  if (document === undefined || !('diagnosis' in now)) return undefined;
  const latest = now.diagnosis.pending ?? now.diagnosis.active;
  const content = latest && history.contentOf(target.id, latest);
  return content === undefined ? undefined : isSameConfig(content, contentOf(document));
}

function loadedBy(target: Target): Situation['loads'] {
  const document = shownConfig();
  const file = document && loadedInstead(target, workspace.asRelativePath(document.uri));
  return file === undefined ? undefined : { config: target.origin, file };
}

/** Whether the files have changed since they created the local database. */
function offersReset({ local, shortfalls }: Services, target: Target): boolean {
  const { scripts } = shortfalls.of(target) ?? {};
  const isOwn = target.kind === 'local' && local?.ownsDatabase() === true;
  return isOwn && scripts !== undefined && troublesOf(scripts).length > 0;
}

function tooltipFor(
  { name, url }: Target,
  { explanation }: StatusWords,
  links: readonly CommandLink[],
): MarkdownString {
  const title = `**${plainText(url === undefined ? name : `${name} · ${url}`)}**`;
  const last = links.map(({ markdown }) => markdown).join(' · ');
  const tooltip = new MarkdownString([title, ...explanation.map(plainText), last].join('\n\n'), true);
  tooltip.isTrusted = { enabledCommands: links.map(({ command }) => command) };
  return tooltip;
}

/** Returns a text as Markdown. `appendText` writes spaces that never break, so lines would end in the middle of words. */
function plainText(text: string): string {
  return new MarkdownString().appendText(text).value.replaceAll('&nbsp;', ' ');
}

interface CommandLink {
  readonly command: string;
  readonly markdown: string;
}

function linksFor(services: Services, target: Target): readonly CommandLink[] {
  const phase = deployPhase();
  return [
    ...(phase === undefined ? [] : [linkTo('deploy', stopTitle(phase), stopDeploy)]),
    ...(offersReset(services, target) ? [linkTo('resetLocalDatabase', l10n.t('Reset Local Database'))] : []),
    linkTo('deploy', l10n.t('Deploy')),
    linkTo('compareWithDeployed', l10n.t('Compare')),
    linkTo('selectTarget', l10n.t('Select Target')),
    linkTo('showLog', l10n.t('Show Log')),
    ...(target.kind === 'local'
      ? [linkTo('restartLocalService', l10n.t('Restart')), linkTo('stopLocalService', l10n.t('Stop'))]
      : []),
  ];
}

function linkTo(name: string, title: string, ...values: readonly string[]): CommandLink {
  const command = `headwater.${name}`;
  const query = values.length === 0 ? '' : `?${encodeURIComponent(JSON.stringify(values))}`;
  return { command, markdown: `[${title}](command:${command}${query})` };
}
