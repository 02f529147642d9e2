/** The language server as a web worker: talks to the page that started it. */
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser';
import { serveLanguage } from './connection.ts';
import { lifetimeOptions } from './host/lifetime.ts';

const connection = createConnection(
  new BrowserMessageReader(self),
  new BrowserMessageWriter(self),
  lifetimeOptions(),
);
// A process would exit here, but a worker has to be closed.
connection.onExit(() => self.close());
serveLanguage(connection);
