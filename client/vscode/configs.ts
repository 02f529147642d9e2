/** Which document is meant by "the sync config". The language server knows better; this decides without it. */
import { RelativePattern, type TextDocument, Uri, window, workspace } from 'vscode';
import { configPatterns } from '../../server/shared/places.ts';

export function looksLikeSyncConfig(document: TextDocument): boolean {
  return document.languageId === 'yaml' && syncKeys.test(document.getText());
}

const syncKeys = /^(streams|bucket_definitions)[ \t]*:/m;

/** A sync config or a service config. */
export function looksLikeConfig(document: TextDocument): boolean {
  const keys = /^(streams|bucket_definitions|replication|sync_config|client_auth)[ \t]*:/m;
  return document.languageId === 'yaml' && keys.test(document.getText());
}

/** The one that a lens or menu names, or the one in the active editor, or the only one that is open. */
export async function findConfig(named: unknown): Promise<TextDocument | undefined> {
  const uri = uriOf(named);
  if (uri !== undefined) return workspace.openTextDocument(uri);
  const active = window.activeTextEditor?.document;
  if (active !== undefined && looksLikeSyncConfig(active)) return active;
  const visible = window.visibleTextEditors.map(({ document }) => document).filter(looksLikeSyncConfig);
  if (visible[0] !== undefined) return visible[0];
  const open = workspace.textDocuments.filter(looksLikeSyncConfig);
  return open.length === 1 ? open[0] : undefined;
}

/** More files with such names are examples of something. */
const mostFiles = 20;

/** The first of the workspace, or of a folder of it, that is a sync config: whether it is open or not. */
export async function findConfigFile(folder?: Uri): Promise<Uri | undefined> {
  for (const pattern of configPatterns) {
    const named = folder === undefined ? pattern : new RelativePattern(folder, pattern);
    for (const uri of await workspace.findFiles(named, '**/node_modules/**', mostFiles)) {
      if (syncKeys.test(await readText(uri))) return uri;
    }
  }
  return undefined;
}

async function readText(uri: Uri): Promise<string> {
  try {
    return new TextDecoder().decode(await workspace.fs.readFile(uri));
  } catch {
    return '';
  }
}

/** Only what is on the screen counts for the status bar. */
export function shownConfig(): TextDocument | undefined {
  const document = window.activeTextEditor?.document;
  return document !== undefined && document.uri.scheme !== deployedScheme && looksLikeSyncConfig(document)
    ? document
    : undefined;
}

/** The scheme of read-only documents with deployed configs. */
export const deployedScheme = 'headwater-deployed';

/** With the line ends of the file, which every service takes. */
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
