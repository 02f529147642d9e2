/** Lets the language server see the files of workspaces that it cannot reach by itself, as on the web. */
import { RelativePattern, Uri, workspace } from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  type ListFilesParams,
  listFilesRequest,
  type ReadFileParams,
  readFileRequest,
} from '../../server/protocol.ts';

const mostFiles = 5_000;
/** In bytes. Larger files are dumps of data. */
const largest = 4 * 1024 * 1024;

export function answerFiles(client: BaseLanguageClient): void {
  client.onRequest(listFilesRequest, async ({ folder, pattern }: ListFilesParams) => {
    const within = new RelativePattern(Uri.parse(folder), pattern);
    const found = await workspace.findFiles(within, '**/node_modules/**', mostFiles);
    return found.map((uri) => uri.toString());
  });
  client.onRequest(readFileRequest, ({ uri }: ReadFileParams) => readText(Uri.parse(uri)));
}

async function readText(uri: Uri): Promise<string | null> {
  try {
    const { size } = await workspace.fs.stat(uri);
    return size > largest ? null : new TextDecoder().decode(await workspace.fs.readFile(uri));
  } catch {
    return null;
  }
}
