/** The language server as a process: talks over Node's IPC or standard streams, as its arguments say. */
import { Console } from 'node:console';
import { Transform } from 'node:stream';
import type { Connection } from 'vscode-languageserver';
import { createConnection } from 'vscode-languageserver/node';
import { openJudge } from '../shared/claimJudge.ts';
import { seedDatabase } from '../shared/seedDatabase.ts';
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
  // There is no SQLite before Node 22.
  openJudge: () => openJudge().catch(() => undefined),
  runSeeds: seedDatabase(),
  clock: usualClock,
});

function onStreams(): Connection {
  // Standard output belongs to the protocol, whatever a library prints.
  globalThis.console = new Console(process.stderr);
  return createConnection(process.stdin.pipe(wholeMessages()), process.stdout, lifetimeOptions());
}

/** Lets through what the protocol library can read. */
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
