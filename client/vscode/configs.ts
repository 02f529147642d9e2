/** Finds the document for "the sync config" without the language server, which would be more precise. */
import { l10n, RelativePattern, type TextDocument, Uri, window, workspace } from 'vscode';
import { syncPatterns } from '../../server/shared/places.ts';

export function looksLikeSyncConfig(document: TextDocument): boolean {
  return document.languageId === 'yaml' && syncKeys.test(document.getText());
}

const syncKeys = /^(streams|bucket_definitions)[ \t]*:/m;

/** Whether a document looks like a sync config or a service config. */
export function looksLikeConfig(document: TextDocument): boolean {
  const keys = /^(streams|bucket_definitions|replication|sync_config|client_auth)[ \t]*:/m;
  return document.languageId === 'yaml' && keys.test(document.getText());
}

/** Returns the config that a lens or menu names, the config in the active editor, or the only open config. */
export async function findConfig(named: unknown): Promise<TextDocument | undefined> {
  const uri = uriOf(named);
  if (uri !== undefined) return workspace.openTextDocument(uri);
  const active = window.activeTextEditor?.document;
  if (active !== undefined && looksLikeSyncConfig(active)) return active;
  const visible = window.visibleTextEditors.map(({ document }) => document).filter(looksLikeSyncConfig);
  if (visible[0] !== undefined) return visible[0];
  const open = openConfigs();
  return open.length === 1 ? open[0] : undefined;
}

/**
 * Like `findConfig`, but lets the user choose if several configs are open, or none is. Returns undefined if the user chose none.
 *
 * @param refuse called if there is no config
 */
export async function chooseConfig(named: unknown, refuse: () => void): Promise<TextDocument | undefined> {
  const found = await findConfig(named);
  if (found !== undefined) return found;
  const open = openConfigs().map(({ uri }) => uri);
  const uris = open.length > 0 ? open.toSorted(byPath) : await findConfigFiles();
  const [only] = uris;
  if (only === undefined) {
    refuse();
    return undefined;
  }
  if (uris.length === 1) return workspace.openTextDocument(only);
  const rows = uris.map((uri) => ({ label: workspace.asRelativePath(uri), uri }));
  const chosen = await window.showQuickPick(rows, { title: l10n.t('Which sync config?') });
  return chosen && workspace.openTextDocument(chosen.uri);
}

/** Returns the open configs, without read-only ones such as a deployed or committed version of a file. */
function openConfigs(): readonly TextDocument[] {
  const isEditable = ({ scheme }: Uri): boolean =>
    scheme === 'untitled' || workspace.fs.isWritableFileSystem(scheme) === true;
  return workspace.textDocuments.filter((each) => isEditable(each.uri) && looksLikeSyncConfig(each));
}

function byPath(one: Uri, other: Uri): number {
  return one.path < other.path ? -1 : 1;
}

/** The maximum number of files. A workspace with more files of such names contains examples. */
const mostFiles = 20;

/** Returns a sync config of the workspace, or of a folder of it, open or not. */
export async function findConfigFile(folder?: Uri): Promise<Uri | undefined> {
  return (await findConfigFiles(folder))[0];
}

async function findConfigFiles(folder?: Uri): Promise<readonly Uri[]> {
  const found = await Promise.all(
    syncPatterns.map((pattern) => {
      const named = folder === undefined ? pattern : new RelativePattern(folder, pattern);
      return workspace.findFiles(named, '**/node_modules/**', mostFiles);
    }),
  );
  // The search returns files in any order.
  const uris = [...new Map(found.flat().map((uri) => [uri.toString(), uri])).values()].sort(byPath);
  const texts = await Promise.all(uris.map(readTextAt));
  return uris.filter((_uri, at) => syncKeys.test(texts[at] ?? ''));
}

/** Returns the text of a file; empty if it cannot be read. */
export async function readTextAt(uri: Uri): Promise<string> {
  try {
    return new TextDecoder().decode(await workspace.fs.readFile(uri));
  } catch {
    return '';
  }
}

/** Returns the config on the screen, for the status bar. */
export function shownConfig(): TextDocument | undefined {
  const document = window.activeTextEditor?.document;
  return document !== undefined && document.uri.scheme !== deployedScheme && looksLikeSyncConfig(document)
    ? document
    : undefined;
}

/** The scheme of read-only documents with deployed configs. */
export const deployedScheme = 'headwater-deployed';

/** Returns the content with the line ends of the file, which every service accepts. */
export function contentOf(document: TextDocument): string {
  return document.getText();
}

export function isSameConfig(one: string, other: string): boolean {
  return one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n');
}

function uriOf(named: unknown): Uri | undefined {
  if (named instanceof Uri) return named;
  return typeof named === 'string' ? Uri.parse(named, true) : undefined;
}
