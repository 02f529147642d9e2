/**
 * Keeps the extension `redhat.vscode-yaml` from reporting problems and completions a second time. The language status of our
 * files offers this change and a way to undo it. The choice is stored in the settings of the workspace.
 */
import {
  Disposable,
  extensions,
  type LanguageStatusItem,
  LanguageStatusSeverity,
  type LogOutputChannel,
  l10n,
  languages,
  Range,
  type TextDocument,
  type Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import { configPatterns, isTestName } from '../../../server/shared/places.ts';
import { complain, say } from '../commands/telling.ts';
import { looksLikeConfig } from '../configs.ts';
import { searchFiles } from '../files.ts';
import { documentSelector, hasConfigName } from '../selector.ts';
import { readSettings, readYamlSettings, writeYamlSettings } from '../settings.ts';
import {
  formerEntries,
  isQuiet,
  type NamedFiles,
  quietEntries,
  schemaInModeline,
  withoutQuiet,
  withQuiet,
  type YamlSettings,
} from './sharing.ts';

const other = 'redhat.vscode-yaml';
const quietCommand = 'headwater.quietYamlExtension';

/** Shows the offer while the other extension is installed and enabled. */
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
    describe(item, sharingOf(document));
  };
  update();
  return Disposable.from(
    { dispose: () => item?.dispose() },
    extensions.onDidChange(update),
    window.onDidChangeActiveTextEditor(update),
    workspace.onDidChangeTextDocument(({ document }) => {
      // The name is checked first, because this code runs after each keystroke in any file.
      if (hasConfigName(document) && document === window.activeTextEditor?.document) update();
    }),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('yaml')) update();
    }),
  );
}

/**
 * The extensions that check a file. A comment that names a schema, or an old YAML extension, makes both extensions check the
 * file.
 */
type Sharing = 'alone' | 'both' | 'both by a comment' | 'both without a setting';

function sharingOf(document: TextDocument): Sharing {
  const { effective, canDisable } = readYamlSettings();
  // Old versions read `none` in a comment as the name of a schema.
  if (!canDisable) return 'both without a setting';
  if (schemaInModeline(document.getText()) !== undefined) return 'both by a comment';
  return isIgnored(document, effective) ? 'alone' : 'both';
}

function isIgnored(document: TextDocument, settings: YamlSettings): boolean {
  const { scheme } = document.uri;
  return isQuiet(settings, (pattern) => languages.match({ scheme, pattern }, document) > 0);
}

function textOf(sharing: Sharing): string {
  switch (sharing) {
    case 'alone':
      return l10n.t('Checked by Headwater alone');
    case 'both':
      return l10n.t('Also checked by the YAML extension');
    case 'both by a comment':
      return l10n.t('Also checked by the YAML extension, because a comment names a schema');
    case 'both without a setting':
      return l10n.t('Also checked by the YAML extension, which is too old to leave files alone');
  }
}

function describe(item: LanguageStatusItem, sharing: Sharing): void {
  const isAlone = sharing === 'alone';
  item.name = l10n.t('Headwater and the YAML extension');
  item.text = textOf(sharing);
  item.severity = isAlone ? LanguageStatusSeverity.Information : LanguageStatusSeverity.Warning;
  item.command =
    sharing === 'both without a setting'
      ? undefined
      : {
          command: quietCommand,
          title: isAlone ? l10n.t('Undo') : l10n.t('Leave It to Headwater'),
          tooltip: l10n.t(
            'Changes yaml.disableSchemaDetection and yaml.customTags in the settings of the workspace, and the schema in a comment to `none`.',
          ),
        };
}

/** Whether the other extension reports invalid YAML, so that we do not have to. */
export function othersReportSyntax(): boolean {
  return extensions.getExtension(other) !== undefined && readYamlSettings().validates;
}

/**
 * Changes the settings for all our files in the workspace. A second call undoes the change. If a comment in the active file
 * names a schema, the comment is handled first.
 */
export async function toggleQuiet(log: LogOutputChannel): Promise<void> {
  const document = window.activeTextEditor?.document;
  if (document === undefined || !looksLikeConfig(document))
    return complain(log, l10n.t('Open the file that the YAML extension should not check.'));
  if (extensions.getExtension(other) === undefined)
    return say(log, l10n.t('The YAML extension is not installed, so only Headwater checks this file.'));
  if (sharingOf(document) === 'both without a setting')
    return complain(
      log,
      l10n.t('This YAML extension is too old to leave files alone. Update it, and run this again.'),
    );
  const schema = schemaInModeline(document.getText());
  if (schema !== undefined) {
    const edit = new WorkspaceEdit();
    const place = new Range(document.positionAt(schema.start), document.positionAt(schema.end));
    edit.replace(document.uri, place, 'none');
    await workspace.applyEdit(edit);
  }
  const named = [...(await filesByName()), { pattern: '', ours: [pathOf(document.uri)], hasOthers: true }];
  const { effective } = readYamlSettings();
  const isUndone = schema === undefined && isIgnored(document, effective);
  await writeYamlSettings(
    isUndone ? withoutQuiet(effective, formerEntries(named)) : withQuiet(effective, quietEntries(named)),
  );
  say(log, textOf(sharingOf(document)));
}

/** The maximum number of files with the same names. A workspace with more is not about sync configs. */
const mostFiles = 200;

/** The pattern of names that other programs also use for their files. */
const sharedNames = '**/service.{yaml,yml}';

async function filesByName(): Promise<readonly NamedFiles[]> {
  const patterns = [...configPatterns, ...readSettings().files];
  return Promise.all(
    patterns.map(async (pattern): Promise<NamedFiles> => {
      const found = await searchFiles(pattern, mostFiles);
      const opened = await Promise.allSettled(found.map((uri) => workspace.openTextDocument(uri)));
      const documents = opened.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
      const ours = documents.filter(isOurs).map(({ uri }) => pathOf(uri));
      const isWhole = ours.length === found.length && found.length < mostFiles;
      return { pattern, ours, hasOthers: pattern === sharedNames || !isWhole };
    }),
  );
}

/** Whether no other program reads a file with one of our names. An empty file may become a config. */
function isOurs(document: TextDocument): boolean {
  return looksLikeConfig(document) || isTestName(document.uri.path) || document.getText().trim() === '';
}

/** Returns the path without the name of the workspace folder, because the other extension compares it in any folder. */
function pathOf(uri: Uri): string {
  return workspace.asRelativePath(uri, false);
}
