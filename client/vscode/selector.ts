/** Which documents the language server gets. The name selects; the engine then looks at the content. */
import { workspace } from 'vscode';
import { configPatterns } from '../../server/shared/places.ts';

interface PathFilter {
  readonly scheme: string;
  readonly pattern: string;
}

/**
 * Only files and the contents of workspace folders, also virtual ones. The left side of a diff, for instance,
 * has the same path under another scheme, and nobody needs its problems.
 */
export function documentSelector(additional: readonly string[]): PathFilter[] {
  const folders = workspace.workspaceFolders ?? [];
  const schemes = new Set(['file', ...folders.map(({ uri }) => uri.scheme)]);
  return [...schemes].flatMap((scheme) =>
    [...configPatterns, ...additional].map((pattern) => ({ scheme, pattern })),
  );
}
