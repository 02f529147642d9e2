/** The language server as a process. Its arguments choose Node's IPC or standard streams. */
import { Console } from 'node:console';
import { Transform } from 'node:stream';
import type { Connection } from 'vscode-languageserver';
import { createConnection } from 'vscode-languageserver/node';
import { openJudge } from '../shared/claimJudge.ts';
import { scriptDatabase, seedDatabase } from '../shared/temporaryDatabases.ts';
import { uriReader } from '../shared/uri.ts';
import { serveLanguage } from './connection.ts';
import { diskFiles } from './host/disk.ts';
import { environmentNamesFrom } from './host/environment.ts';
import { readFrames } from './host/frames.ts';
import { usualClock } from './host/host.ts';
import { lifetimeOptions } from './host/lifetime.ts';

serveLanguage(process.argv.includes('--stdio') ? onStreams() : createConnection(lifetimeOptions()), {
  environmentNames: environmentNamesFrom(process.env),
  files: diskFiles,
  readUri: uriReader(process.platform),
  // Node before version 22 has no SQLite.
  openJudge: () => openJudge().catch(() => undefined),
  runSeeds: seedDatabase(),
  runScripts: scriptDatabase(),
  clock: usualClock,
});

function onStreams(): Connection {
  // Standard output belongs to the protocol, so console output of libraries goes to standard error.
  globalThis.console = new Console(process.stderr);
  return createConnection(process.stdin.pipe(wholeMessages()), process.stdout, lifetimeOptions());
}

/** Passes on only the messages that the protocol library can read. */
function wholeMessages(): Transform {
  const frames = readFrames((trouble) => process.stderr.write(`${trouble}\n`));
  return new Transform({
    transform(bytes: Buffer, _, done) {
      for (const body of frames.take(bytes)) {
        this.push(`Content-Length: ${body.length}\r\n\r\n`);
        this.push(body);
      }
      done();
    },
  });
}
