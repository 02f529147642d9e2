/** Finds the service config. The first source that has one is used; configs are not merged. */
import { basename, dirname, resolve } from 'node:path';
import { ServiceError } from '../ground/errors.ts';
import type { ConfigOptions, ConfigWorld } from './surroundings.ts';

export interface ConfigSource {
  /** The origin, for messages. */
  readonly origin: string;
  /** The name that precedes line and column in messages: `service.yaml`. */
  readonly name: string;
  /** The folder to which relative paths in the config refer. */
  readonly folder: string;
  readonly format: 'yaml' | 'json' | 'either';
  readonly text: string;
  /** Places in other files from which values were taken, by their JSON pointers. */
  readonly places?: Readonly<Record<string, string>>;
}

/** The names of the default file. The command line uses the second one. */
const fallbacks = ['powersync.yaml', 'service.yaml'];

export function discoverConfig(options: ConfigOptions, world: ConfigWorld): ConfigSource {
  const base64 = options.configBase64 || world.env.POWERSYNC_CONFIG_B64;
  if (base64) {
    const origin = 'the service config in Base64';
    const text = readBase64(base64, origin);
    const told = toldOrigin(world.env.HEADWATER_CONFIG_ORIGIN);
    return { origin, name: 'config', folder: world.folder, format: 'either', text, ...told };
  }
  const path = options.configPath || world.env.POWERSYNC_CONFIG_PATH;
  if (path) {
    const source = readSource(resolve(world.folder, path), path, world);
    if (source === undefined) throw unusable(`There is no file ${path}.`);
    return source;
  }
  for (const name of fallbacks) {
    const source = readSource(resolve(world.folder, name), name, world);
    if (source !== undefined) return source;
  }
  throw unusable(
    `There is no service config: name its file with --config, or write ${fallbacks.join(' or ')} in ${world.folder}. It may be empty.`,
  );
}

/** Reads the origin of a config that another program created from a file. */
function toldOrigin(json: string | undefined): Partial<Pick<ConfigSource, 'origin' | 'places'>> {
  if (json === undefined) return {};
  const { origin, name, places } = JSON.parse(json) as Record<'origin' | 'name', string> &
    Required<Pick<ConfigSource, 'places'>>;
  const named = Object.entries(places).map(([pointer, place]) => [pointer, `${name}:${place}`]);
  return { origin, places: Object.fromEntries(named) };
}

/** Decodes a complete config from Base64. */
export function readBase64(base64: string, origin: string): string {
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(base64)) throw unusable(`${capital(origin)} is not Base64.`);
  return decode(Buffer.from(base64, 'base64'), origin);
}

function readSource(path: string, origin: string, world: ConfigWorld): ConfigSource | undefined {
  let bytes: Uint8Array | undefined;
  try {
    bytes = world.readFile(path);
  } catch (error) {
    throw unusable(`${origin} cannot be read (${(error as NodeJS.ErrnoException).code}).`, error);
  }
  if (bytes === undefined) return undefined;
  return {
    origin,
    name: basename(path),
    folder: dirname(path),
    format: formatOf(path),
    text: decode(bytes, origin),
  };
}

function formatOf(path: string): ConfigSource['format'] {
  if (/\.ya?ml$/i.test(path)) return 'yaml';
  return /\.json$/i.test(path) ? 'json' : 'either';
}

function decode(bytes: Uint8Array, origin: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unusable(`${capital(origin)} is not UTF-8.`);
  }
}

function capital(text: string): string {
  return text.startsWith('the ') ? `T${text.slice(1)}` : text;
}

function unusable(sentence: string, cause?: unknown): ServiceError {
  return new ServiceError('SVC_S3201', sentence, { cause });
}
