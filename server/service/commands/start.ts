import type { Workers } from '../assembly/crew.ts';
import { type RunningService, startService } from '../assembly/service.ts';
import type { ServiceSettings } from '../config/settings.ts';
import { ServiceError } from '../ground/errors.ts';
import type { LogFacts } from '../ground/log.ts';
import { StorageFailure } from '../storage/storageFailure.ts';
import type { Command, CommandCall } from './command.ts';
import { exitCodes } from './exitCodes.ts';

/** The time limit in milliseconds for ending streams, acknowledging progress and closing files. */
const longestStop = 30_000;

/** How often an unusable storage is opened again. After that, the process ends, because the disk or the memory must be broken. */
const mostRecoveries = 3;

export const start: Command = {
  name: 'start',
  usage: '[--workers N]',
  summary: 'Run the service (default)',
  run: async ({ settings, folder, world, terminal, arguments: { own } }) => {
    const workers = workersOf(Number(own.workers ?? 0), settings, terminal);
    // Requests to stop are listened for first. If this is the first process of a container, it does not end otherwise.
    const stopping = stopRequested(terminal);
    let asked = settings;
    for (let recoveries = 0; ; recoveries += 1) {
      const service = await Promise.race([startOnSoundStorage(asked, folder, world, workers), stopping]);
      if (service === undefined) return exitCodes.done;
      const { port, url, database } = service;
      if (recoveries === 0) terminal.print(JSON.stringify({ ready: true, port, url, database }));
      world.log.write('info', 'The service is ready', { url });
      const unusable = await Promise.race([service.unusable, stopping]);
      if (unusable === undefined) world.log.write('info', 'The service is stopping');
      else world.log.write('error', describeRestart(unusable), factsOf(unusable));
      const isStopped = await Promise.race([service.stop().then(() => true), tooLate(world.clock)]);
      if (!isStopped) {
        world.log.write('error', `The service did not stop within ${longestStop / 1000} s`);
        return exitCodes.failed;
      }
      if (unusable === undefined) return exitCodes.done;
      if (recoveries === mostRecoveries) throw unusable;
      asked = withPortsOf(service, asked);
    }
  },
};

function describeRestart({ kind, message }: StorageFailure): string {
  return `${message} The service restarts to ${kind === 'corrupt' ? 'replace it' : 'open it again'}.`;
}

function factsOf({ cause }: StorageFailure): LogFacts {
  return cause instanceof Error ? { found: cause.message } : {};
}

/**
 * Starts the service, and starts it again if the storage turns out to be corrupt, because the second start replaces the storage.
 */
async function startOnSoundStorage(...given: Parameters<typeof startService>): Promise<RunningService> {
  try {
    return await startService(...given);
  } catch (error) {
    if (!(error instanceof StorageFailure && error.kind === 'corrupt')) throw error;
    return startService(...given);
  }
}

/** Keeps the ports that clients already know, even if the settings ask for any free port. */
function withPortsOf({ port, database }: RunningService, settings: ServiceSettings): ServiceSettings {
  const { connection } = settings;
  const databasePort = database === undefined ? undefined : Number(new URL(database).port);
  return {
    ...settings,
    ...(port !== undefined && { port }),
    ...(connection.type === 'embedded' &&
      databasePort !== undefined && { connection: { ...connection, port: databasePort } }),
  };
}

function workersOf(
  count: number,
  { role }: CommandCall['settings'],
  { startWorker }: CommandCall['terminal'],
): Workers | undefined {
  if (count === 0) return undefined;
  if (role === 'sync')
    throw new ServiceError(
      'SVC_S3201',
      'A process with role sync serves no clients, so it has no workers: leave out --workers, or choose another role.',
    );
  return { count, start: startWorker };
}

function stopRequested({ onStop }: CommandCall['terminal']): Promise<undefined> {
  return new Promise((resolve) => {
    const ignore = onStop(() => {
      ignore();
      resolve(undefined);
    });
  });
}

async function tooLate(clock: CommandCall['world']['clock']): Promise<false> {
  await clock.sleep(longestStop);
  return false;
}
