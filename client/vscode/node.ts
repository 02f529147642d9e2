/** The extension on the desktop and on a remote machine: the language server is a child process. */
import { Uri } from 'vscode';
import { serverId } from '../../server/protocol.ts';
import { extension } from './extension.ts';
import { reachServices } from './reach.ts';

export const { activate, deactivate } = extension(async ({ extensionUri }, options) => {
  const { LanguageClient, TransportKind } = await import('./languageClient.ts');
  const module = Uri.joinPath(extensionUri, 'dist/server.js').fsPath;
  return new LanguageClient(serverId, 'Headwater', { module, transport: TransportKind.ipc }, options);
}, reachServices);
