/** The files of this machine. */
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { projectFilesBelow, readProjectText } from '../../shared/files.ts';
import type { FoundFiles } from '../../shared/places.ts';
import { inFolder, pathOfUri, type RelativePath } from '../../shared/uri.ts';
import type { WorkspaceFiles } from './host.ts';

/** The maximum size of a file in bytes. Larger files are dumps of data, not schemas. */
const largest = 4 * 1024 * 1024;
/** The maximum number of wanted files in a folder of the workspace. */
const most = 5_000;

export const diskFiles: WorkspaceFiles = {
  async list(folder, isWanted) {
    const root = pathOfUri(folder);
    if (root === undefined) return { paths: [] };
    const unreadable: FoundFiles<RelativePath> = { paths: [], cut: { kind: 'unreadable', path: '.' } };
    const { paths, cut } = await projectFilesBelow(root, { isWanted, most }).catch(() => unreadable);
    return { paths: paths.flatMap((path) => inFolder(folder, path) ?? []), ...(cut && { cut }) };
  },
  async read(uri) {
    const path = pathOfUri(uri);
    if (path === undefined) return undefined;
    try {
      const { size } = await stat(path);
      return size > largest ? undefined : await readProjectText(path);
    } catch {
      return undefined;
    }
  },
  exists(uri) {
    const path = pathOfUri(uri);
    return path === undefined ? undefined : existsSync(path);
  },
};
