/**
 * The files of the workspace, for the extension and for a language server that cannot access them itself, for example on the
 * web.
 */
import {
  type CancellationToken,
  CancellationTokenSource,
  FileType,
  type GlobPattern,
  RelativePattern,
  Uri,
  workspace,
} from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  type ListFilesParams,
  listFilesRequest,
  mostListedFiles,
  type ReadFileParams,
  readFileRequest,
} from '../../server/protocol.ts';
import { isSkippedFolder } from '../../server/shared/places.ts';

const mostFolders = 1_000;
/** The maximum size in bytes. Larger files are dumps of data. */
const largest = 4 * 1024 * 1024;
/** The longest search, in milliseconds. */
const longestSearch = 2_000;

/**
 * Searches files. If no provider can search, for example in a workspace in memory, VS Code waits forever. Therefore, the
 * folders are listed after a while, and the first answer counts.
 */
export async function searchFiles(
  pattern: GlobPattern,
  most: number,
  otherwise: (token: CancellationToken) => Promise<readonly Uri[]> = async () => [],
): Promise<readonly Uri[]> {
  const search = new CancellationTokenSource();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, longestSearch);
  });
  try {
    return await Promise.race([
      workspace.findFiles(pattern, '**/node_modules/**', most, search.token),
      late.then(() => otherwise(search.token)),
    ]);
  } finally {
    clearTimeout(timer);
    search.cancel();
    search.dispose();
  }
}

export function answerFiles(client: BaseLanguageClient): void {
  client.onRequest(listFilesRequest, async ({ folder, pattern }: ListFilesParams) => {
    const at = Uri.parse(folder);
    const within = new RelativePattern(at, pattern);
    const found = await searchFiles(within, mostListedFiles, (token) => filesBelow(at, token));
    return found.map((uri) => uri.toString());
  });
  client.onRequest(readFileRequest, ({ uri }: ReadFileParams) => readText(Uri.parse(uri)));
}

/** Returns the files below a folder. Files of upper folders come first. */
async function filesBelow(folder: Uri, token: CancellationToken): Promise<readonly Uri[]> {
  const files: Uri[] = [];
  const folders = [folder];
  for (const [index, each] of folders.entries()) {
    if (token.isCancellationRequested || index >= mostFolders || files.length >= mostListedFiles) break;
    for (const [name, type] of await entriesOf(each)) {
      const uri = Uri.joinPath(each, name);
      // Links to folders are not followed, because they may point back to a parent folder.
      if (type === FileType.Directory && !isSkippedFolder(name)) folders.push(uri);
      else if ((type & FileType.File) !== 0) files.push(uri);
    }
  }
  return files;
}

async function entriesOf(folder: Uri): Promise<readonly [string, FileType][]> {
  try {
    return await workspace.fs.readDirectory(folder);
  } catch {
    return [];
  }
}

async function readText(uri: Uri): Promise<string | null> {
  try {
    const { size } = await workspace.fs.stat(uri);
    return size > largest ? null : new TextDecoder().decode(await workspace.fs.readFile(uri));
  } catch {
    return null;
  }
}
