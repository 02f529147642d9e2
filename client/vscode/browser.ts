/** The extension in a browser: the language server is a web worker. */
import { Uri } from 'vscode';
import { serverId } from '../../server/protocol.ts';
import { extension } from './extension.ts';

export const { activate, deactivate } = extension(async ({ extensionUri }, options) => {
  const { LanguageClient } = await import('vscode-languageclient/browser');
  const worker = new Worker(Uri.joinPath(extensionUri, 'dist/web/server.js').toString(true));
  return new LanguageClient(serverId, 'Headwater', worker, options);
});
