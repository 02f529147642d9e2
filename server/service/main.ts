/** The process of the service. Its answer is on standard output: when it is ready, one line of JSON. All else is log. */
import { existsSync, readFileSync } from 'node:fs';
import { firstLinkIn, realPath } from '../shared/files.ts';
import type { StopRequest, Terminal } from './commands/command.ts';
import { runService } from './commands/run.ts';
import { runWorker } from './commands/worker.ts';
import { limitGarbage } from './garbage.ts';
import { writePrivately } from './ground/privateFiles.ts';
import { openLineWriter } from './lineWriter.ts';
import { channelToPrimary, startClusterWorker } from './workers/processes.ts';

limitGarbage();
writePrivately();

/** A terminal that is closed sends SIGHUP, on Windows, too; there the process is ended ten seconds later. */
const requests: readonly StopRequest[] = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK', 'SIGUSR2', 'disconnect'];
/** Whether the parent process started this one with a channel, and so wants it to end with the channel. */
const hasStarter = process.connected === true;

const complaints = openLineWriter(process.stderr);
process.on('exit', complaints.flush);

const terminal: Terminal = {
  print: (line) => process.stdout.write(`${line}\n`),
  complain: complaints.write,
  files: { readFile, exists: existsSync, real: realPath, firstLinkIn },
  env: process.env,
  folder: process.cwd(),
  onStop: (listener) => {
    const listeners = requests.map((request) => [request, () => listener(request)] as const);
    for (const [request, call] of listeners) process.on(request, call);
    // The parent may have ended before this.
    if (hasStarter && !process.connected) setImmediate(() => listener('disconnect'));
    return () => {
      for (const [request, call] of listeners) process.off(request, call);
      // A second Ctrl-C ends the process at once.
      process.once('SIGINT', () => process.exit(1));
    };
  },
  startWorker: startClusterWorker,
};

// A parent that is gone, or reads no more, is not a reason to stop.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});
// Sleeping keeps no process alive, and one that only replicates may have nothing else to do for a while.
const alive = setInterval(() => {}, 1 << 30);

const primary = channelToPrimary();
const ended =
  primary === undefined ? runService(process.argv.slice(2), terminal) : runWorker(primary, terminal);
ended.then((code) => {
  clearInterval(alive);
  process.exit(code);
});

function readFile(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
