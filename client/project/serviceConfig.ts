/** The parts of a service config that clients of the service need: its port, its tokens, the keys of its clients. */
import { type ClientKey, isSecretAlgorithm } from './clientToken.ts';
import type { Environment, ProjectFile, ProjectValue } from './projectFile.ts';
import { isOwnVariable } from './trust.ts';

export const serviceConfigName = 'service.yaml';

/** The paths in the order in which they are looked for; the service itself does not know the last one. */
const usualPlaces = ['powersync.yaml', serviceConfigName, `powersync/${serviceConfigName}`];

/** A variable with the config in Base64, in place of a file. */
export const configVariable = 'POWERSYNC_CONFIG_B64';

/** A variable with the places of the values in {@link configVariable}, for messages: JSON. */
export const originVariable = 'HEADWATER_CONFIG_ORIGIN';

/** Finds the config as the service itself does. Returns undefined if there is none, or not in a file. */
export function findServiceConfig(env: Environment, exists: (path: string) => boolean): string | undefined {
  if (env[configVariable]) return undefined;
  return env.POWERSYNC_CONFIG_PATH || usualPlaces.find(exists);
}

/** Many programs have a `service.yaml`. */
export function isServiceConfig({ has }: ProjectFile): boolean {
  return has('/replication') || has('/storage') || has('/client_auth');
}

/** Returns undefined if it is not a valid port. */
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

/** The file with the sync config, if the service loads one by itself. */
export function loadedPathOf({ text }: ProjectFile): string | undefined {
  return text('/sync_config/path') ?? text('/sync_rules/path');
}

/** The sync config, if it is inside the service config. */
export function loadedTextOf({ text }: ProjectFile): string | undefined {
  return text('/sync_config/content') ?? text('/sync_rules/content');
}

/** The key that says where the sync config is, so that nothing can be deployed. */
export function ownSyncConfig({ has }: ProjectFile): string | undefined {
  return ['sync_config', 'sync_rules'].find((key) => has(`/${key}`));
}

/**
 * Secret keys for signatures; keys of others can be checked with, and not signed with. Values from variables of other
 * tools are left out: services accept none, and what signs a token gets around.
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
  /** Undefined: another one at each start. */
  readonly port: string | undefined;
  /** Undefined: the service makes one up. */
  readonly password: string | undefined;
}

/** Returns undefined if the service replicates another database. */
export function embeddedDatabaseOf({ count, text }: ProjectFile): EmbeddedDatabase | undefined {
  const list = '/replication/connections';
  const places = Array.from({ length: count(list) }, (_, index) => `${list}/${index}`);
  const place = places.find((each) => text(`${each}/type`) === 'embedded');
  return place === undefined
    ? undefined
    : { port: text(`${place}/port`), password: text(`${place}/password`) };
}

export const usualDataFolder = '.headwater';

/** Relative to the config. Undefined if the storage is another database, and has none. */
export function dataFolderOf({ text }: ProjectFile): string | undefined {
  return text('/storage/type') === 'postgresql' ? undefined : (text('/storage/path') ?? usualDataFolder);
}
