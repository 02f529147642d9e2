/** Files of a machine that exists only in a test, by their URIs. */
import type { WorkspaceFiles } from '../../../server/lsp/host/host.ts';

export function memoryFiles(texts: Map<string, string>): WorkspaceFiles {
  return {
    list: async (folder, isWanted) =>
      [...texts.keys()].filter((uri) => uri.startsWith(folder) && isWanted(uri.slice(folder.length))),
    read: async (uri) => texts.get(uri),
    exists: (uri) => texts.has(uri),
  };
}
