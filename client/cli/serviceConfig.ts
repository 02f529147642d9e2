/** Which service config is meant where none is named: the order is that of the service itself. */
import { readText } from './read.ts';
import { readValues, type Values } from './values.ts';
import type { World } from './world.ts';

/** Where it is, in the order in which they are looked for; the service itself does not know the last one. */
const usualPlaces = ['powersync.yaml', 'service.yaml', 'powersync/service.yaml'];

type Surroundings = Pick<World, 'env' | 'files'>;

export interface ServiceConfig {
  /** For messages: a path, or the name of a variable. */
  readonly path: string;
  readonly values: Values;
}

/** Undefined if there is none, or none in a file. */
export function findServiceConfig({ env, files }: Surroundings): string | undefined {
  if (env.POWERSYNC_CONFIG_B64) return undefined;
  return env.POWERSYNC_CONFIG_PATH || usualPlaces.find((path) => files.exists(path));
}

/** Undefined if none is named, and there is none. */
export async function readServiceConfig(
  world: Surroundings,
  named?: string,
): Promise<ServiceConfig | undefined> {
  const { env, files } = world;
  const base64 = env.POWERSYNC_CONFIG_B64;
  if (named === undefined && base64) {
    const path = 'POWERSYNC_CONFIG_B64';
    return { path, values: readValues(path, Buffer.from(base64, 'base64').toString(), env) };
  }
  const path = named ?? findServiceConfig(world);
  return path === undefined
    ? undefined
    : { path, values: readValues(path, await readText(path, files), env) };
}
