import { adminTokenOf } from '../../project/serviceConfig.ts';
import { command } from '../command.ts';
import { prepareDevelopment } from '../project/development.ts';
import { allowNamedPlaces } from '../project/places.ts';
import { readServiceConfig } from '../projectFiles.ts';
import { develop, developAsConfigured } from '../serve/develop.ts';
import { runWithResets, type Session } from '../serve/resets.ts';
import { type ServeCall, startService } from '../serve/serviceProgram.ts';

export const serveOptions = {
  config: {
    alias: '-c',
    value: 'FILE',
    summary: 'The service config (default: service.yaml, if it exists)',
  },
  host: { value: 'HOST', summary: 'Listen on this address instead of the one in the service config' },
  port: {
    value: 'PORT',
    between: [0, 65_535],
    summary: 'Listen on this port instead of the one in the service config; 0: any free port',
  },
  'database-port': {
    value: 'PORT',
    between: [0, 65_535],
    summary: 'The port of the embedded database, instead of the one in the service config',
  },
  workers: {
    value: 'N',
    summary:
      'The number of separate processes that serve clients (default: 0, the replicating process serves them)',
  },
  allow: {
    value: 'PLACE',
    many: true,
    summary:
      'Allow the service config to use this folder or file outside of the project. Headwater remembers this for your user',
  },
} as const;

export const serve = command({
  name: 'serve',
  summary: 'Run the sync service',
  about: `Runs the sync service until Ctrl-C. Without a service config, it uses its own embedded database and keeps its data in
.headwater. The log goes to standard error. With --json, it prints one line when it is ready.

Exit code: the exit code of the service. 0: stopped by Ctrl-C. 150: the service cannot run with this configuration.`,
  options: {
    ...serveOptions,
    watch: {
      alias: '-w',
      value: 'FILE',
      summary: 'Deploy this sync config each time it is saved without errors',
    },
  },
  examples: ['serve', 'serve -c service.yaml --port 9000', 'serve -c service.yaml --workers 2'],
  run: async (call) => {
    await allowNamedPlaces(call.texts('allow'), call.world);
    const file = call.text('watch');
    if (file !== undefined)
      return develop(call, async () =>
        (await readServiceConfig(call.world, call.text('config'))) === undefined
          ? prepareDevelopment(call, file, { source: undefined, rows: 'seeds if new' })
          : developAsConfigured(call, file, ''),
      );
    return runWithResets(call, (port) => serveOnly(call, port));
  },
});

async function serveOnly(call: ServeCall, port: number | undefined): Promise<Session> {
  const service = await startService(call, { port });
  const ready = service.addresses.then(async (addresses) =>
    addresses === undefined ? undefined : { url: addresses.url, token: await firstToken(call) },
  );
  return { ...service, ready };
}

async function firstToken({ text, world }: ServeCall): Promise<string | undefined> {
  const config = await readServiceConfig(world, text('config'));
  return config && adminTokenOf(config)?.text;
}
