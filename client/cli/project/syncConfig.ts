/** Finds the sync config of a project by its usual names, otherwise by the contents of files. */
import { dirname, join } from 'node:path';
import { analyze } from '../../../server/engine/index.ts';
import { syncConfigNames } from '../../../server/shared/places.ts';
import { fromNative, readPath, splitPath } from '../../../server/shared/uri.ts';
import { readProjectFile } from '../../project/projectFile.ts';
import { loadedPathOf, loadedTextOf } from '../../project/serviceConfig.ts';
import type { Call } from '../command.ts';
import { CliFailure } from '../failure.ts';
import { findSyncConfig, readText } from '../read.ts';
import type { Files, World } from '../world.ts';
import { readChoice, rememberChoice } from './choice.ts';
import { foldersToRoot, listFiles } from './location.ts';
import { findRunning } from './running.ts';
import { findBase } from './serviceConfig.ts';

/**
 * Returns a path relative to the working directory. If `headwater dev` is running here, this is the config that it deploys. If
 * there are several configs, the user chooses one at a terminal, and the choice is remembered.
 */
export async function locateSyncConfig(
  world: World,
  named?: string,
  serviceConfig?: string,
): Promise<string> {
  if (named !== undefined) return named;
  const running = (await findRunning(world))?.file;
  if (running !== undefined && world.files.exists(running)) return running;
  const chosen = await readChoice(world);
  if (chosen !== undefined && world.files.exists(chosen)) return chosen;
  for (const up of new Set([0, foldersToRoot(world)])) {
    const found = await findSyncConfigs(world, serviceConfig, up);
    if (found.length > 1) return choose(found, world);
    if (found[0] !== undefined) return found[0];
  }
  const [mixed] = await mixedConfigs(world);
  throw new CliFailure(
    mixed === undefined
      ? 'No sync config found here: no YAML file has `streams` or `bucket_definitions`. Specify the file, or create a project with headwater init.'
      : `${mixed} has \`streams\` or \`bucket_definitions\` next to the keys of a service config, where no service reads them. Move them to a separate file, such as sync-config.yaml.`,
  );
}

/** Returns the service configs that contain keys of a sync config. */
async function mixedConfigs(world: World): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of (await listFiles(world, isYaml, foldersToRoot(world))).paths) {
    const text = await world.files.read(path).catch(() => '');
    if (holdsDefinitions.test(text) && analyze(text).kind === 'service') found.push(path);
  }
  return found;
}

/**
 * Returns the config in its usual place, if there is one; otherwise all configs.
 *
 * @param up how many folders above the working directory the search begins
 */
export async function findSyncConfigs(
  world: World,
  serviceConfig?: string,
  up = 0,
): Promise<readonly string[]> {
  const usual = ['powersync/', ''].flatMap((folder) => syncConfigNames.map((name) => `${folder}${name}`));
  const nearest =
    (await pathInService(world, serviceConfig)) ??
    usual.find((path) => world.files.exists(path) && !world.files.isFolder(path));
  return nearest === undefined ? syncConfigsIn(world, up) : [nearest];
}

/** Returns the other files in the same folder that have a usual name. */
export function otherSyncConfigs(path: string, { files }: Pick<World, 'files'>): readonly string[] {
  const folder = dirname(path);
  return syncConfigNames
    .map((name) => join(folder, name))
    .filter((other) => other !== join(path) && files.exists(other) && !files.isFolder(other));
}

/** Reads the text of a sync config, which may be inside of a service config. */
export async function readSyncText(path: string, files: Files): Promise<string> {
  const text = await readText(path, files);
  return textInService(path, text) ?? text;
}

/** Whether the file is a service config with a sync config inside. */
export async function holdsSyncText(path: string, files: Files): Promise<boolean> {
  return textInService(path, await readText(path, files)) !== undefined;
}

/** Returns the sync config inside of a service config. */
export function textInService(path: string, text: string): string | undefined {
  if (!/^["']?(?:sync_config|sync_rules)["']?\s*:/m.test(text)) return undefined;
  const file = readProjectFile(path, text, () => undefined);
  return file.kind === 'read' ? loadedTextOf(file) : undefined;
}

/** Returns the path of the sync config, for commands with the option `--directory`. */
export async function nameSyncConfig({
  words,
  text,
  world,
}: Pick<Call<'directory'>, 'words' | 'text' | 'world'>): Promise<string> {
  const directory = text('directory');
  return directory === undefined
    ? locateSyncConfig(world, words[0])
    : findSyncConfig(words[0], world.files, directory);
}

/**
 * Returns the path that the project's service would load. Also looks next to the service config, because the folder can differ
 * in a container.
 */
async function pathInService(world: World, named: string | undefined): Promise<string | undefined> {
  const base = await findBase(world, named);
  if (base === undefined) return undefined;
  if (loadedTextOf(base.file) !== undefined) return base.file.path;
  const path = loadedPathOf(base.file);
  if (path === undefined) return undefined;
  const folder = dirname(base.file.path);
  const { name } = splitPath(readPath(path));
  return [join(folder, path), join(folder, name)]
    .map((each) => fromNative(each, world.platform))
    .find((each) => world.files.exists(each) && !world.files.isFolder(each));
}

/** Finds sync configs by their contents. Copies of a config count once, with the shortest path. */
async function syncConfigsIn(world: World, up: number): Promise<readonly string[]> {
  const byText = new Map<string, string>();
  for (const path of (await listFiles(world, isYaml, up)).paths) {
    const whole = await world.files.read(path).catch(() => undefined);
    const text = whole === undefined ? undefined : (textInService(path, whole) ?? whole);
    if (text === undefined || !isSyncConfig(text)) continue;
    const known = byText.get(text);
    if (known === undefined || path.length < known.length) byText.set(text, path);
  }
  return [...byText.values()];
}

function isYaml(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

const holdsDefinitions = /^\ufeff?["']?(?:streams|bucket_definitions)["']?\s*:/m;

function isSyncConfig(text: string): boolean {
  if (!holdsDefinitions.test(text)) return false;
  const { kind, config } = analyze(text);
  return kind === 'sync' && (config?.definitions.length ?? 0) > 0;
}

async function choose(paths: readonly string[], world: World): Promise<string> {
  const chosen = await world.choose('Which sync config does this project use?', paths);
  if (chosen !== undefined) {
    await rememberChoice(chosen, world);
    return chosen;
  }
  throw new CliFailure(`There are several sync configs here. Specify one of them: ${paths.join(', ')}.`);
}
