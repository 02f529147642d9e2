/** Selects the documents for the language server by their names. The engine then examines their content. */
import { languages, type TextDocument, workspace } from 'vscode';
import { configPatterns } from '../../server/shared/places.ts';
import { readSettings } from './settings.ts';

interface PathFilter {
  readonly scheme: string;
  readonly pattern: string;
}

/**
 * Returns files and the contents of workspace folders, including virtual ones. Other documents are left out. For example, the
 * left side of a diff has the same path under another scheme, but its problems are not relevant.
 */
export function documentSelector(additional: readonly string[]): PathFilter[] {
  const folders = workspace.workspaceFolders ?? [];
  const schemes = new Set(['file', ...folders.map(({ uri }) => uri.scheme)]);
  return [...schemes].flatMap((scheme) =>
    [...configPatterns, ...additional].map((pattern) => ({ scheme, pattern })),
  );
}

/** Whether the language server gets a document because of its name. This check is faster than one of the text. */
export function hasConfigName(document: TextDocument): boolean {
  return languages.match(documentSelector(readSettings().files), document) > 0;
}
