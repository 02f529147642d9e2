/** The service as a program of its own: started with what the command line says, and ended with it. */
import type { Call, ExitCode } from '../command.ts';

export type ServeCall = Pick<Call<'config' | 'host' | 'port'>, 'text' | 'has' | 'world' | 'paint'>;

export interface StartedService {
  /** Where it answers; undefined if it ended before. */
  readonly url: Promise<string | undefined>;
  readonly ended: Promise<ExitCode>;
}

/** Where the service looks for its config itself. */
const found = ['powersync.yaml', 'service.yaml'];
const variables = ['POWERSYNC_CONFIG_PATH', 'POWERSYNC_CONFIG_B64'];

/** Without a config, services leave files about their health in the folder that they were started in. */
const tidy = { healthcheck: { probes: { use_http: true } } };

/** @param fallback the service config where there is none, as JSON */
export function startService(call: ServeCall, fallback: object = {}): StartedService {
  const { world, text, has, paint } = call;
  const args = ['start', ...configArgs(call, { ...tidy, ...fallback })];
  for (const name of ['host', 'port'] as const) {
    const value = text(name);
    if (value !== undefined) args.push(`--${name}`, value);
  }
  let ready: (url: string | undefined) => void = () => {};
  const url = new Promise<string | undefined>((resolve) => {
    ready = resolve;
  });
  const running = world.startProgram('service', args, {
    onLine: (line) => {
      const address = readyAddress(line);
      if (has('json') || address === undefined) world.print(line);
      else world.print(`The service is ready at ${paint.bold(address)}`);
      if (address !== undefined) ready(address);
    },
  });
  world.signal.addEventListener('abort', running.stop);
  void running.ended.then(() => ready(undefined));
  return { url, ended: running.ended };
}

/** Undefined if it finds one itself. */
export function configPath({ text, world }: ServeCall): string | undefined {
  const { files, env } = world;
  const named = text('config');
  if (named !== undefined || variables.some((name) => env[name])) return named;
  return [...found, 'powersync/service.yaml'].find((path) => files.exists(path));
}

function configArgs(call: ServeCall, fallback: object): readonly string[] {
  const path = configPath(call);
  if (path !== undefined) return ['--config', path];
  if (variables.some((name) => call.world.env[name])) return [];
  return ['--config-base64', Buffer.from(JSON.stringify(fallback)).toString('base64')];
}

/** The service says once that it is ready: `{"ready":true,"port":8080,"url":"http://…"}`. */
function readyAddress(line: string): string | undefined {
  if (!line.startsWith('{"ready":true')) return undefined;
  const { url } = JSON.parse(line) as { url?: unknown };
  return typeof url === 'string' ? url : undefined;
}
