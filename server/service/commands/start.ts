import { startService } from '../assembly/service.ts';
import type { Command, CommandCall } from './command.ts';
import { exitCodes } from './failure.ts';

/** Milliseconds in which streams end, progress is acknowledged and files are closed. */
const longestStop = 30_000;

export const start: Command = {
  name: 'start',
  usage: '',
  summary: 'Run the service (usual)',
  run: async ({ settings, folder, world, terminal }) => {
    // Listened for before anything else: where this is the first process of a container, nobody else would end it.
    const stopping = stopRequested(terminal);
    const service = await Promise.race([startService(settings, folder, world), stopping]);
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
