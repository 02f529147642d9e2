/** The service config of a project, read without its variables, because it may be meant for another machine. */

import { basename, dirname } from 'node:path';
import { fromNative, joinPath, splitPath } from '../../../server/shared/uri.ts';
import { lookupIn, type ProjectFile, readProjectFile } from '../../project/projectFile.ts';
import {
  configVariable,
  embeddedDatabaseOf,
  findServiceConfig,
  isServiceConfig,
  loadedPathOf,
} from '../../project/serviceConfig.ts';
import { CliFailure } from '../failure.ts';
import { readText } from '../read.ts';
import type { World } from '../world.ts';
import { insideProject } from './inside.ts';

export interface BaseFile {
  readonly file: ProjectFile;
  readonly text: string;
}

type Place = Pick<World, 'env' | 'userEnv' | 'files' | 'folder' | 'platform'>;

/**
 * Returns the path that the service itself would find. Undefined if there is no config in a file. Throws a failure if a file of
 * the project names a config outside of the project, because the project must not access the data and the tokens of that
 * config.
 */
export function serviceConfigIn(world: Place): string | undefined {
  const { env, userEnv, files } = world;
  const path = findServiceConfig(env, files.exists);
  if (path === undefined || userEnv[pathVariable] === path || insideProject(world)(path)) return path;
  throw new CliFailure(
    `The service config ${files.real(path)} is outside of this project. To use it, set ${pathVariable} yourself instead of in .env.`,
  );
}

const pathVariable = 'POWERSYNC_CONFIG_PATH';

/** Finds the service config. Undefined if there is none. A file of another program does not count. */
export async function findBase(world: Place, named: string | undefined): Promise<BaseFile | undefined> {
  const { env, files } = world;
  if (named === undefined && env[configVariable]) return undefined;
  const path = named ?? serviceConfigIn(world);
  if (path === undefined || (named === undefined && files.isFolder(path))) return undefined;
  const text = await readText(path, files);
  const file = readProjectFile(path, text, lookupIn(env));
  if (file.kind === 'read') return named !== undefined || isServiceConfig(file) ? { file, text } : undefined;
  if (named === undefined && !/^\s*(?:replication|client_auth|storage)\s*:/m.test(text)) return undefined;
  throw new CliFailure(`${path} is not valid YAML. See headwater validate ${path}.`);
}

/** Returns the service config in the folder of a sync config, if it loads that sync config. Services do not look for it there. */
export async function findBeside(
  syncConfig: string,
  { env, files, platform }: Pick<World, 'env' | 'files' | 'platform'>,
): Promise<BaseFile | undefined> {
  const folder = dirname(syncConfig);
  const isBeside = (name: string): boolean => /^[^/]*\.ya?ml$/i.test(name) && name !== basename(syncConfig);
  for (const name of (await files.list(folder, isBeside)).paths) {
    const path = joinPath(fromNative(folder, platform), name);
    const text = await files.read(path).catch(() => '');
    const file = readProjectFile(path, text, lookupIn(env));
    if (file.kind !== 'read' || !isServiceConfig(file)) continue;
    if (splitPath(loadedPathOf(file) ?? '').name === basename(syncConfig)) return { file, text };
  }
  return undefined;
}

/** Returns the types of the sources that our service does not replicate, such as `mongodb`. */
export function foreignSourcesOf({ count, text }: ProjectFile): readonly string[] {
  const list = '/replication/connections';
  return Array.from({ length: count(list) }, (_, index) => text(`${list}/${index}/type`) ?? '').filter(
    (type) => !['', 'postgresql', 'embedded'].includes(type),
  );
}

/** Whether the config has a database or a storage that only our service has, so that it is meant to run here. */
export function isMadeForHere(file: ProjectFile): boolean {
  return embeddedDatabaseOf(file) !== undefined || file.text('/storage/type') === 'embedded';
}
