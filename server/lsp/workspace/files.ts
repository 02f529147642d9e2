/** Chooses who reads files: the server reads those on this machine, and the client reads those of virtual workspaces if it can. */
import type { Connection, InitializeParams } from 'vscode-languageserver';
import {
  type ListFilesParams,
  listFilesRequest,
  mostListedFiles,
  type ReadFileParams,
  readFileRequest,
} from '../../protocol.ts';
import { pathFrom, type Uri, type UriReader } from '../../shared/uri.ts';
import { readClientOptions } from '../host/clientOptions.ts';
import type { Host, WorkspaceFiles } from '../host/host.ts';
import { wantedFiles } from '../host/wanted.ts';

export function filesOf(
  connection: Connection,
  client: InitializeParams,
  { files: own, readUri }: Host,
): WorkspaceFiles | undefined {
  if (!readClientOptions(client).files) return own;
  const asked = filesOfClient(connection, readUri);
  if (!own) return asked;
  const whose = ({ scheme }: Uri) => (scheme === 'file' ? own : asked);
  return {
    list: (folder, isWanted) => whose(folder).list(folder, isWanted),
    read: (uri) => whose(uri).read(uri),
    exists: (uri) => whose(uri).exists(uri),
  };
}

/** Reads files through the client. `exists` has no answer, because it cannot wait for the client. */
function filesOfClient(connection: Connection, readUri: UriReader): WorkspaceFiles {
  return {
    async list(folder, isWanted) {
      const params: ListFilesParams = { folder: folder.text, pattern: wantedFiles };
      const uris = await connection.sendRequest<readonly string[]>(listFilesRequest, params);
      const paths = uris.map(readUri).filter((uri) => {
        const path = pathFrom(folder, uri);
        return path !== undefined && isWanted(path);
      });
      const isCut = uris.length >= mostListedFiles;
      return { paths, ...(isCut && { cut: { kind: 'files', most: mostListedFiles } }) };
    },
    async read(uri) {
      const params: ReadFileParams = { uri: uri.text };
      return (await connection.sendRequest<string | null>(readFileRequest, params)) ?? undefined;
    },
    exists: () => undefined,
  };
}
