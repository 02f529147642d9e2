/**
 * The process of the service. When it is ready, it prints one line of JSON on standard output. Everything else that it prints is
 * log.
 */
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

/**
 * The signals and events that ask the process to stop. A closed terminal sends SIGHUP. This also happens on Windows, which ends
 * the process ten seconds later.
 */
const requests: readonly StopRequest[] = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK', 'SIGUSR2', 'disconnect'];
/** Whether the parent process started this one with a channel. Such a parent wants this process to end when the channel closes. */
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
    // The parent may have ended before the listeners were added.
    if (hasStarter && !process.connected) setImmediate(() => listener('disconnect'));
    return () => {
      for (const [request, call] of listeners) process.off(request, call);
      // A second Ctrl-C ends the process at once.
      process.once('SIGINT', () => process.exit(1));
    };
  },
  startWorker: startClusterWorker,
};

// A parent that has ended or no longer reads is not a reason to stop.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});
// A pending timer is needed because the clock's sleep does not keep the process alive, and a process that only replicates may
// have nothing else to do for a while.
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
