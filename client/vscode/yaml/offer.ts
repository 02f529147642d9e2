/**
 * Beside the extension `redhat.vscode-yaml` our files would get problems and completions twice. Their language status
 * offers to end that, and then to take it back; the workspace's settings remember what was chosen.
 */
import {
  Disposable,
  extensions,
  type LanguageStatusItem,
  LanguageStatusSeverity,
  l10n,
  languages,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { configPatterns } from '../../../server/shared/places.ts';
import { looksLikeConfig } from '../configs.ts';
import { searchFiles } from '../files.ts';
import { documentSelector } from '../selector.ts';
import { readSettings, readYamlSettings, writeYamlSettings } from '../settings.ts';
import { isQuiet, withoutQuiet, withQuiet } from './sharing.ts';

const other = 'redhat.vscode-yaml';
const quietCommand = 'headwater.quietYamlExtension';

/** For as long as the other extension is there and not disabled. */
export function offerQuiet(): Disposable {
  let item: LanguageStatusItem | undefined;
  const update = (): void => {
    const document = window.activeTextEditor?.document;
    const isShared =
      extensions.getExtension(other) !== undefined && document !== undefined && looksLikeConfig(document);
    if (!isShared) {
      item?.dispose();
      item = undefined;
      return;
    }
    item ??= languages.createLanguageStatusItem(
      'headwater.yamlExtension',
      documentSelector(readSettings().files),
    );
    describe(item, isQuiet(readYamlSettings().effective, pathOf(document.uri)));
  };
  update();
  return Disposable.from(
    { dispose: () => item?.dispose() },
    extensions.onDidChange(update),
    window.onDidChangeActiveTextEditor(update),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('yaml')) update();
    }),
  );
}

function describe(item: LanguageStatusItem, isAlone: boolean): void {
  item.name = l10n.t('Headwater and the YAML extension');
  item.text = isAlone ? l10n.t('Checked by Headwater alone') : l10n.t('Also checked by the YAML extension');
  item.severity = isAlone ? LanguageStatusSeverity.Information : LanguageStatusSeverity.Warning;
  item.command = {
    command: quietCommand,
    title: isAlone ? l10n.t('Undo') : l10n.t('Leave It to Headwater'),
    tooltip: l10n.t(
      'Changes yaml.disableSchemaDetection and yaml.customTags in the settings of the workspace.',
    ),
  };
}

/** Whether it reports invalid YAML, so that we need not. */
export function othersReportSyntax(): boolean {
  return extensions.getExtension(other) !== undefined && readYamlSettings().validates;
}

/** For all our files in the workspace; a second call undoes it. */
export async function toggleQuiet(): Promise<void> {
  const document = window.activeTextEditor?.document;
  if (document === undefined || !looksLikeConfig(document)) return;
  const paths = [...new Set([pathOf(document.uri), ...(await pathsInWorkspace())])];
  const { effective } = readYamlSettings();
  const change = isQuiet(effective, pathOf(document.uri)) ? withoutQuiet : withQuiet;
  await writeYamlSettings(change(effective, paths));
}

/** More than that is not a workspace of configs. */
const mostFiles = 200;

async function pathsInWorkspace(): Promise<readonly string[]> {
  const patterns = [...configPatterns, ...readSettings().files];
  const found = await Promise.all(patterns.map((pattern) => searchFiles(pattern, mostFiles)));
  const texts = await Promise.allSettled(found.flat().map((uri) => workspace.openTextDocument(uri)));
  return texts.flatMap((opened) =>
    opened.status === 'fulfilled' && looksLikeConfig(opened.value) ? pathOf(opened.value.uri) : [],
  );
}

/** That extension looks for it in any folder. */
function pathOf(uri: Uri): string {
  return workspace.asRelativePath(uri, false);
}
