/** The service as a separate program, which starts with the settings of the command line and ends with it. */
import { dirname, resolve } from 'node:path';
import { configVariable } from '../../project/serviceConfig.ts';
import type { Call } from '../command.ts';
import { CliFailure, type ExitCode } from '../failure.ts';
import { agreeOnPlaces } from '../project/places.ts';
import { serviceConfigIn } from '../project/serviceConfig.ts';
import type { World } from '../world.ts';
import type { LogScreen } from './logScreen.ts';

export type ServeCall = Pick<
  Call<'config' | 'host' | 'port' | 'database-port' | 'workers' | 'allow'>,
  'text' | 'texts' | 'has' | 'world' | 'paint'
>;

export type LaunchCall = Pick<Call<'config'>, 'text' | 'world'>;

export interface StartedService {
  /** Resolves when the service is ready; with undefined if it ended before. */
  readonly addresses: Promise<Addresses | undefined>;
  readonly ended: Promise<ExitCode>;
  readonly stop: () => void;
}

/**
 * A config for services without one, because they would leave files about their health in the folder in which they were
 * started.
 */
const tidy = { healthcheck: { probes: { use_http: true } } };

export interface Start {
  /** The service config instead of a file, with the variables that it names. */
  readonly config?: { readonly text: string; readonly env: Readonly<Record<string, string>> };
  /** The default port. If it is in use, the service picks another one; a port from the config is never replaced. */
  readonly port?: number | undefined;
  readonly databasePort?: number | undefined;
  /** Receives the log of the service line by line. Absent: the log goes to standard error. */
  readonly screen?: LogScreen | undefined;
}

export async function startService(
  call: ServeCall,
  { config, port, databasePort, screen }: Start = {},
): Promise<StartedService> {
  const { world, text, has, paint } = call;
  refuseOldNode(world);
  const { args, env } = await serviceLaunch(call, config);
  for (const [name, value] of [
    ['--host', text('host')],
    ['--port', port === undefined ? text('port') : `${port}+`],
    ['--database-port', databasePort === undefined ? text('database-port') : `${databasePort}+`],
    ['--workers', text('workers')],
  ] as const)
    if (value !== undefined) args.push(name, value);
  let ready: (addresses: Addresses | undefined) => void = () => {};
  const addresses = new Promise<Addresses | undefined>((resolve) => {
    ready = resolve;
  });
  const running = world.startProgram('service', ['start', ...args], {
    env: { ...screen?.env, ...env },
    ...(screen && { errors: screen.onLine }),
    onLine: (line) => {
      const told = readReady(line);
      if (has('json') || told === undefined) world.print(line);
      else world.print(`The service is ready at ${paint.bold(told.url)}`);
      if (told?.database !== undefined && !has('json'))
        world.print(`Its database is ${paint.bold(told.database)}. Rows that are written there are synced.`);
      if (told !== undefined) ready(told);
    },
  });
  world.signal.addEventListener('abort', running.stop);
  void running.ended.then(() => ready(undefined));
  return { addresses, ended: running.ended, stop: running.stop };
}

/** Returns the service config, and the places that the service may use, in the form that the service program expects. */
export async function serviceLaunch(
  call: LaunchCall,
  config?: Start['config'],
): Promise<Pick<Launch, 'args' | 'env'>> {
  const { world } = call;
  const { args, env, used } = config === undefined ? await configFor(call) : inVariable(config, world);
  const places = await agreeOnPlaces(used, world);
  return { args: [...args, ...places.flatMap((place) => ['--within', place])], env };
}

/** Refuses an old Node, because the service keeps its data in a database that is part of Node. */
function refuseOldNode({ nodeVersion }: World): void {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 16)) return;
  throw new CliFailure(`The service needs Node 22.16 or newer, but this is Node ${nodeVersion}.`);
}

interface Launch {
  readonly args: string[];
  readonly env: Readonly<Record<string, string>>;
  readonly used: Parameters<typeof agreeOnPlaces>[0];
}

async function configFor({ text, world }: LaunchCall): Promise<Launch> {
  const named = text('config');
  // The service itself would prefer the variable to the option.
  if (named !== undefined) return inFile(named, { [configVariable]: '' }, world);
  const base64 = world.env[configVariable];
  if (base64) {
    const content = Buffer.from(base64, 'base64').toString();
    return { args: [], env: {}, used: { name: configVariable, folder: world.folder, text: content } };
  }
  const path = serviceConfigIn(world);
  return path === undefined
    ? inVariable({ text: JSON.stringify(tidy), env: {} }, world)
    : inFile(path, {}, world);
}

async function inFile(path: string, env: Launch['env'], world: World): Promise<Launch> {
  // The service itself reports why it cannot read the file.
  const text = await world.files.read(path).catch(() => '');
  const folder = dirname(resolve(world.folder, path));
  return { args: ['--config', path], env, used: { name: path, folder, text } };
}

/** Passes a config in a variable. The config may contain a token, and all users can read the arguments of a process. */
function inVariable({ text, env }: NonNullable<Start['config']>, { folder }: World): Launch {
  return {
    args: [],
    env: { ...env, [configVariable]: Buffer.from(text).toString('base64') },
    used: { name: 'The service config', folder, text },
  };
}

interface Addresses {
  readonly url: string;
  /** The address of the embedded database. */
  readonly database?: string;
}

/**
 * Reads the line with which the service reports that it is ready:
 * `{"ready":true,"port":8080,"url":"http://…","database":"postgresql://…"}`.
 */
function readReady(line: string): Addresses | undefined {
  if (!line.startsWith('{"ready":true')) return undefined;
  const told = JSON.parse(line) as Partial<Addresses>;
  return told.url === undefined ? undefined : { ...told, url: told.url };
}
