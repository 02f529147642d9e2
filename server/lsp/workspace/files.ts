/** Files of this machine are read by the server, those of virtual workspaces by the client, if it offers that. */
import type { Connection, InitializeParams } from 'vscode-languageserver';
import {
  type ListFilesParams,
  listFilesRequest,
  type ReadFileParams,
  readFileRequest,
} from '../../protocol.ts';
import { readClientOptions } from '../host/clientOptions.ts';
import type { Host, WorkspaceFiles } from '../host/host.ts';
import { pathFrom, wantedFiles } from '../host/wanted.ts';

export function filesOf(
  connection: Connection,
  client: InitializeParams,
  { files: own }: Host,
): WorkspaceFiles | undefined {
  if (!readClientOptions(client).files) return own;
  const asked = filesOfClient(connection);
  if (!own) return asked;
  const whose = (uri: string) => (uri.startsWith('file:') ? own : asked);
  return {
    list: (folder, isWanted) => whose(folder).list(folder, isWanted),
    read: (uri) => whose(uri).read(uri),
    exists: (uri) => whose(uri).exists(uri),
  };
}

/** Whether a file is there cannot be asked while an answer is waited for: it is not known. */
function filesOfClient(connection: Connection): WorkspaceFiles {
  return {
    async list(folder, isWanted) {
      const params: ListFilesParams = { folder, pattern: wantedFiles };
      const uris = await connection.sendRequest<readonly string[]>(listFilesRequest, params);
      return uris.filter((uri) => uri.startsWith(folder) && isWanted(pathFrom(folder, uri)));
    },
    async read(uri) {
      const params: ReadFileParams = { uri };
      return (await connection.sendRequest<string | null>(readFileRequest, params)) ?? undefined;
    },
    exists: () => undefined,
  };
}
