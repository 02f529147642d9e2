/** The parts of a service config that clients of the service need: its port, its tokens, the keys of its clients. */
import { type ClientKey, isSecretAlgorithm } from './clientToken.ts';
import type { Environment, ProjectFile, ProjectValue } from './projectFile.ts';
import { isOwnVariable } from './trust.ts';

export const serviceConfigName = 'service.yaml';

/** The paths in the order in which they are searched. The service itself does not search the last one. */
const usualPlaces = ['powersync.yaml', serviceConfigName, `powersync/${serviceConfigName}`];

/** A variable that contains the config in Base64 and replaces the file. */
export const configVariable = 'POWERSYNC_CONFIG_B64';

/** A variable with the original places of the values in {@link configVariable}, as JSON for messages. */
export const originVariable = 'HEADWATER_CONFIG_ORIGIN';

/** Finds the config as the service itself does. Returns undefined if there is no config in a file. */
export function findServiceConfig(env: Environment, exists: (path: string) => boolean): string | undefined {
  if (env[configVariable]) return undefined;
  return env.POWERSYNC_CONFIG_PATH || usualPlaces.find(exists);
}

/** Whether the file is a service config of ours, because many programs have a `service.yaml`. */
export function isServiceConfig({ has }: ProjectFile): boolean {
  return has('/replication') || has('/storage') || has('/client_auth');
}

/** Returns the port, or undefined if it is not valid. */
export function portOf({ text }: ProjectFile): number | undefined {
  const port = text('/port') ?? '8080';
  return /^\d{1,5}$/.test(port) && Number(port) <= 65_535 ? Number(port) : undefined;
}

export function urlOn(port: number): string {
  return `http://127.0.0.1:${port}`;
}

export function adminTokenOf({ count, value }: ProjectFile): ProjectValue | undefined {
  const places = Array.from({ length: count('/api/tokens') }, (_, index) => `/api/tokens/${index}`);
  return places.map(value).find((token) => token !== undefined);
}

/** Returns the path of the sync config, if the service loads it from a file. */
export function loadedPathOf({ text }: ProjectFile): string | undefined {
  return text('/sync_config/path') ?? text('/sync_rules/path');
}

/** Returns the sync config, if it is inside of the service config. */
export function loadedTextOf({ text }: ProjectFile): string | undefined {
  return text('/sync_config/content') ?? text('/sync_rules/content');
}

/** Returns the key that names the sync config. If there is one, nothing can be deployed. */
export function ownSyncConfig({ has }: ProjectFile): string | undefined {
  return ['sync_config', 'sync_rules'].find((key) => has(`/${key}`));
}

/**
 * Returns the secret keys, with which tokens can be signed. Public keys are left out, because they can only verify tokens.
 * Values from variables of other tools are also left out, because services do not accept them and a signed token is passed on
 * to other programs.
 */
export function clientKeysOf(file: ProjectFile): readonly ClientKey[] {
  const own = (pointer: string): string | undefined => {
    const { text, variable } = file.value(pointer) ?? {};
    return variable === undefined || isOwnVariable(variable) ? text : undefined;
  };
  const each = (list: string) => Array.from({ length: file.count(list) }, (_, index) => `${list}/${index}`);
  const audience = each('/client_auth/audience').flatMap((place) => own(place) ?? []);
  return each('/client_auth/jwks/keys').flatMap((place): readonly ClientKey[] => {
    if (own(`${place}/kty`) !== 'oct') return [];
    const [alg = 'HS256', k, kid] = ['alg', 'k', 'kid'].map((name) => own(`${place}/${name}`));
    return k !== undefined && isSecretAlgorithm(alg) ? [{ alg, k, kid, audience }] : [];
  });
}

interface EmbeddedDatabase {
  /** Undefined: a different port at each start. */
  readonly port: string | undefined;
  /** Undefined: the service generates a password. */
  readonly password: string | undefined;
}

/** Returns the embedded database. Undefined if the service replicates another database. */
export function embeddedDatabaseOf({ count, text }: ProjectFile): EmbeddedDatabase | undefined {
  const list = '/replication/connections';
  const places = Array.from({ length: count(list) }, (_, index) => `${list}/${index}`);
  const place = places.find((each) => text(`${each}/type`) === 'embedded');
  return place === undefined
    ? undefined
    : { port: text(`${place}/port`), password: text(`${place}/password`) };
}

export const usualDataFolder = '.headwater';

/** Returns the data folder relative to the config. Undefined if the storage is a different database, which needs no folder. */
export function dataFolderOf({ text }: ProjectFile): string | undefined {
  return text('/storage/type') === 'postgresql' ? undefined : (text('/storage/path') ?? usualDataFolder);
}
