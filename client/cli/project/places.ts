/**
 * The places that the service of a project may read and write: inside of the project, and others that the user has allowed. The
 * service config is part of a repository, so anyone may have written it.
 */
import { resolve } from 'node:path';
import { lookupIn, type ProjectFile, readProjectFile } from '../../project/projectFile.ts';
import { dataFolderOf, loadedPathOf } from '../../project/serviceConfig.ts';
import { isPlaceGrant } from '../../project/trust.ts';
import { harmless } from '../colours.ts';
import { explainFile } from '../failure.ts';
import type { World } from '../world.ts';
import { isInFolder, projectAround } from './inside.ts';

interface UsedConfig {
  /** The name for messages. */
  readonly name: string;
  /** The absolute folder of the config's file. For a config without a file: the working directory. */
  readonly folder: string;
  readonly text: string;
}

/** Asks about places outside of the project. Returns all places that the service may use, the project first. */
export async function agreeOnPlaces(config: UsedConfig, world: World): Promise<readonly string[]> {
  const around = { ...world, folder: config.folder };
  const own = projectAround(world);
  const isInOwn = isInFolder(world, own, world.files.real(config.folder));
  const project = isInOwn ? own : projectAround(around);
  // The working directory is allowed because the user has chosen it. The service keeps its probe files there.
  const places = [...new Set([project, own]), ...(await allowedIn(project, world))];
  const strays = namedPaths(config, around).filter(({ path }) =>
    places.every((place) => !isInFolder(world, place, path)),
  );
  if (strays.length === 0 || !(await world.confirm(questionOn(strays, config, project)))) return places;
  const agreed = strays.map(({ path }) => path);
  await allow(agreed, project, world);
  return [...places, ...agreed];
}

/** Remembers places that the user named on the command line. */
export async function allowNamedPlaces(named: readonly string[], world: World): Promise<void> {
  await allow(
    named.map((path) => world.files.real(resolve(world.folder, path))),
    projectAround(world),
    world,
  );
}

/** Whether a file of the working directory is in the project, or at a place that the user has allowed. */
export async function mayBeUsed(path: string, world: World): Promise<boolean> {
  const project = projectAround(world);
  const real = world.files.real(resolve(world.folder, path));
  return [project, ...(await allowedIn(project, world))].some((place) => isInFolder(world, place, real));
}

async function allowedIn(project: string, { grants }: World): Promise<readonly string[]> {
  return (await grants.read())
    .filter(isPlaceGrant)
    .flatMap(({ folder, place }) => (folder === project ? [place] : []));
}

async function allow(places: readonly string[], folder: string, world: World): Promise<void> {
  const known = await allowedIn(folder, world);
  for (const place of places.filter((each) => !known.includes(each)))
    await world.grants.add({ folder, place }).catch((error: unknown) => {
      world.complain(explainFile('write', world.grants.path, error));
    });
}

interface NamedPath {
  readonly key: string;
  /** The real path. */
  readonly path: string;
}

function namedPaths({ name, text }: UsedConfig, { folder, env, files }: World): readonly NamedPath[] {
  const file = readProjectFile(name, text, lookupIn(env));
  if (file.kind !== 'read') return [];
  const named: (readonly [key: string, path: string | undefined])[] = [
    ['storage.path', dataFolderOf(file)],
    ...schemasOf(file).map((path) => ['schema', path] as const),
    ['sync_config.path', loadedPathOf(file)],
  ];
  return named.flatMap(([key, path]) =>
    path === undefined ? [] : [{ key, path: files.real(resolve(folder, path)) }],
  );
}

function schemasOf({ count, text, texts }: ProjectFile): readonly string[] {
  const list = '/replication/connections';
  return Array.from({ length: count(list) }, (_, index) => `${list}/${index}/schema`).flatMap(
    (place) => text(place) ?? texts(place),
  );
}

/** Asks about places. Names may come from a stranger, so they must not control the terminal at which the user agrees. */
function questionOn(strays: readonly NamedPath[], { name }: UsedConfig, project: string): string {
  const lines = strays.map(({ key, path }) => `  ${harmless(key)}: ${harmless(path)}`);
  return `${harmless(name)} uses places outside of the project (${harmless(project)}):\n${lines.join('\n')}\nAllow the service to read and write there?`;
}
