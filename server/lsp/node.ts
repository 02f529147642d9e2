/** The language server as a process: talks over Node's IPC or standard streams, as its arguments say. */
import { createConnection } from 'vscode-languageserver/node';
import { uriReader } from '../uri.ts';
import { serveLanguage } from './connection.ts';
import { diskFiles } from './host/disk.ts';
import { environmentNamesFrom } from './host/environment.ts';

serveLanguage(createConnection(), {
  environmentNames: environmentNamesFrom(process.env),
  files: diskFiles,
  readUri: uriReader(process.platform),
});
