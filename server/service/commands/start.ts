import type { Workers } from '../assembly/crew.ts';
import { startService } from '../assembly/service.ts';
import { ServiceError } from '../ground/errors.ts';
import type { Command, CommandCall } from './command.ts';
import { exitCodes } from './failure.ts';

/** Milliseconds in which streams end, progress is acknowledged and files are closed. */
const longestStop = 30_000;

export const start: Command = {
  name: 'start',
  usage: '[--workers N]',
  summary: 'Run the service (usual)',
  run: async ({ settings, folder, world, terminal, arguments: { own } }) => {
    const workers = workersOf(Number(own.workers ?? 0), settings, terminal);
    // Listened for before anything else: where this is the first process of a container, nobody else would end it.
    const stopping = stopRequested(terminal);
    const service = await Promise.race([startService(settings, folder, world, workers), stopping]);
    if (service === undefined) return exitCodes.done;
    const { port, url, database } = service;
    terminal.print(JSON.stringify({ ready: true, port, url, database }));
    world.log.write('info', 'The service is ready', { url });
    await stopping;
    world.log.write('info', 'The service is stopping');
    const isStopped = await Promise.race([service.stop().then(() => true), tooLate(world.clock)]);
    if (isStopped) return exitCodes.done;
    world.log.write('error', `The service did not stop within ${longestStop / 1000} s`);
    return exitCodes.failed;
  },
};

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
