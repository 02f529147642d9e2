import { adminTokenOf } from '../../project/serviceConfig.ts';
import { command } from '../command.ts';
import { prepareDevelopment } from '../project/development.ts';
import { readServiceConfig } from '../projectFiles.ts';
import { develop, developAsConfigured } from '../serve/develop.ts';
import { runWithResets, type Session } from '../serve/resets.ts';
import { type ServeCall, startService } from '../serve/service.ts';

export const serveOptions = {
  config: {
    alias: '-c',
    value: 'FILE',
    summary: 'The service config; usually service.yaml, if there is one',
  },
  host: { value: 'HOST', summary: 'Instead of the address in the service config' },
  port: { value: 'PORT', between: [0, 65_535], summary: 'Instead of the port in it; 0 is any free one' },
  'database-port': {
    value: 'PORT',
    between: [0, 65_535],
    summary: 'Instead of the port of the embedded database in it',
  },
} as const;

export const serve = command({
  name: 'serve',
  summary: 'Run the sync service',
  about: `Runs the sync service until Ctrl-C. Without a service config, it has a database of its own, and keeps its data
in .headwater. Its log is on standard error. With --json, it prints one line when it is ready.

Exit code: that of the service; 0 after Ctrl-C, 150 if it cannot run as it is configured.`,
  options: {
    ...serveOptions,
    watch: {
      alias: '-w',
      value: 'FILE',
      summary: 'Deploy this sync config whenever it is saved, if it is valid',
    },
  },
  examples: ['serve', 'serve -c service.yaml --port 9000'],
  run: async (call) => {
    const file = call.text('watch');
    if (file !== undefined)
      return develop(call, async () =>
        (await readServiceConfig(call.world, call.text('config'))) === undefined
          ? prepareDevelopment(call, file, { source: undefined, rows: 'none' })
          : developAsConfigured(call, file, ''),
      );
    return runWithResets(call, (port) => serveOnly(call, port));
  },
});

async function serveOnly(call: ServeCall, port: string | undefined): Promise<Session> {
  const service = startService(call, { port });
  const ready = service.addresses.then(async (addresses) =>
    addresses === undefined ? undefined : { url: addresses.url, token: await firstToken(call) },
  );
  return { ...service, ready };
}

async function firstToken({ text, world }: ServeCall): Promise<string | undefined> {
  const config = await readServiceConfig(world, text('config'));
  return config && adminTokenOf(config)?.text;
}
