/** Workspace files in memory, by their URIs. */
import type { WorkspaceFiles } from '../../../server/lsp/host/host.ts';
import { pathFrom, type Uri, uriReader } from '../../../server/shared/uri.ts';

export function memoryFiles(texts: Map<string, string>): WorkspaceFiles {
  const spellingOf = ({ text, key, platform }: Uri): string =>
    texts.has(text)
      ? text
      : ([...texts.keys()].find((each) => uriReader(platform)(each).key === key) ?? text);
  return {
    list: async (folder, isWanted) => ({
      paths: [...texts.keys()].map(uriReader(folder.platform)).filter((uri) => {
        const path = pathFrom(folder, uri);
        return path !== undefined && isWanted(path);
      }),
    }),
    read: async (uri) => texts.get(spellingOf(uri)),
    exists: (uri) => texts.has(spellingOf(uri)),
  };
}
