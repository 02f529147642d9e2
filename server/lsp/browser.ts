/** The language server as a web worker: talks to the page that started it. */
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser';
import { serveLanguage } from './connection.ts';

const connection = createConnection(new BrowserMessageReader(self), new BrowserMessageWriter(self));
// A process would end here; a worker has to be told.
connection.onExit(() => self.close());
serveLanguage(connection);
