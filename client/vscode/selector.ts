/** The documents that the language server gets. The name selects; the engine then looks at the content. */
import { languages, type TextDocument, workspace } from 'vscode';
import { configPatterns } from '../../server/shared/places.ts';
import { readSettings } from './settings.ts';

interface PathFilter {
  readonly scheme: string;
  readonly pattern: string;
}

/**
 * Returns files and the contents of workspace folders, including virtual ones. The left side of a diff, for instance, has the
 * same path under another scheme, and nobody needs its problems.
 */
export function documentSelector(additional: readonly string[]): PathFilter[] {
  const folders = workspace.workspaceFolders ?? [];
  const schemes = new Set(['file', ...folders.map(({ uri }) => uri.scheme)]);
  return [...schemes].flatMap((scheme) =>
    [...configPatterns, ...additional].map((pattern) => ({ scheme, pattern })),
  );
}

/** Whether the language server would get a document by its name. That costs less than a look at its text. */
export function hasConfigName(document: TextDocument): boolean {
  return languages.match(documentSelector(readSettings().files), document) > 0;
}
