/** The files of a project that create the tables of its sync config. */
import { dirname, join, posix, relative, resolve } from 'node:path';
import {
  analyze,
  type Config,
  type FoundSchema,
  findSchemaFor,
  nameOfPattern,
  readsOtherSources,
} from '../../../server/engine/index.ts';
import { cutSentence, isConfigName, isSchemaFile } from '../../../server/shared/places.ts';
import { fromNative, isBelow } from '../../../server/shared/uri.ts';
import { explainFile } from '../failure.ts';
import type { World } from '../world.ts';
import { foldersToRoot } from './location.ts';

/** The maximum number of characters of all files together. Larger files are data, and create no tables. */
const mostCharacters = 64 * 1024 * 1024;

export interface SearchedSchema extends FoundSchema {
  /** Why there may be more files, as a sentence. Absent: all files were found and read. */
  readonly cut?: string;
}

/** The schema of a config that is not read. */
export const noSchema: SearchedSchema = {
  scripts: [],
  folders: [],
  seeds: [],
  missing: [],
  unclear: [],
  isWhole: true,
  paths: [],
};

/** Looks in the working directory and below. If tables are missing, looks in the entire repository. */
export async function findSchemaFiles(
  config: Config,
  configPath: string,
  world: World,
): Promise<SearchedSchema> {
  if (await isOfOtherSource(configPath, world))
    return { ...findSchemaFor(config, [], configPath), missing: [] };
  const here = await findIn(0, config, configPath, world);
  const up = foldersToRoot(world);
  if (up === 0 || (here.missing.length === 0 && here.scripts.length > 0)) return here;
  const around = await findIn(up, config, configPath, world);
  return around.missing.length < here.missing.length || here.scripts.length === 0 ? around : here;
}

/** Whether a service config next to the sync config names a source that SQL files cannot describe, for example MongoDB. */
async function isOfOtherSource(configPath: string, { files }: World): Promise<boolean> {
  const folder = dirname(configPath);
  const isBeside = (name: string): boolean => !name.includes('/') && isConfigName(name);
  // A folder that cannot be read is reported when the sync config itself is read.
  const { paths } = await files.list(folder, isBeside).catch(() => ({ paths: [] }));
  for (const name of paths) {
    const text = await files.read(join(folder, name)).catch(() => '');
    const { service } = analyze(text, { fileName: name });
    if (service !== undefined && readsOtherSources(service)) return true;
  }
  return false;
}

/** Looks only in the working directory and below. */
export function findSchemaHere(config: Config, configPath: string, world: World): Promise<SearchedSchema> {
  return findIn(0, config, configPath, world);
}

/** @param up how many folders above the working directory the search begins */
async function findIn(up: number, config: Config, configPath: string, world: World): Promise<SearchedSchema> {
  const way = '../'.repeat(up);
  const folder = resolve(world.folder, way);
  const { files, cut } = await readSchemaFiles(way, world);
  const fromThere = fromNative(relative(folder, resolve(world.folder, configPath)), world.platform);
  const { scripts, folders, seeds, paths, ...found } = findSchemaFor(config, files, fromThere);
  const fromHere = ({ path, text }: { readonly path: string; readonly text: string }) => ({
    path: `${way}${path}`,
    text,
  });
  return {
    ...found,
    scripts: scripts.map(fromHere),
    folders: folders.map((each) => `${way}${each}`.replace(/\/$/, '')),
    seeds: seeds.map(fromHere),
    unclear: found.unclear.map(({ path, span }) => ({ path: `${way}${path}`, span })),
    paths: paths.map((each) => `${way}${each}`),
    ...(cut !== undefined && { cut }),
  };
}

interface SchemaFiles {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly cut?: string;
}

/** @param way the path to the folder */
async function readSchemaFiles(way: string, world: World): Promise<SchemaFiles> {
  const { paths, cut } = await world.files.list(resolve(world.folder, way), isSchemaFile);
  const files: { path: string; text: string }[] = [];
  let left = mostCharacters;
  let unread: string | undefined;
  for (const path of paths) {
    const shown = world.files.shown(`${way}${path}`);
    if (left <= 0) unread ??= `${shown} was not read, because the SQL files are too large together.`;
    if (left <= 0) continue;
    const text = await world.files.read(`${way}${path}`).catch((error: unknown) => {
      unread ??= explainFile('read', shown, error);
      return '';
    });
    left -= text.length;
    files.push({ path, text: text.replace(/^\ufeff/, '') });
  }
  const sentence = cut === undefined ? unread : cutSentence(cut);
  return { files, ...(sentence !== undefined && { cut: sentence }) };
}

/** Returns the seeds in the folders of the schema and next to them, for example `supabase/seed.sql` and `db/seeds/1.sql`. */
export function seedsBeside({ seeds, folders }: FoundSchema): FoundSchema['seeds'] {
  const parentOf = (path: string): string => posix.dirname(path).replace(/^\.$/, '');
  return seeds.filter(({ path }) => {
    const folder = parentOf(path);
    const around = /(?:^|\/)seed(?:s|ers|ing)?$/i.test(folder) ? parentOf(folder) : folder;
    return folders.some(
      (each) => around === parentOf(each) || around === each || path.startsWith(`${each}/`),
    );
  });
}

/** Describes the found files, for example `supabase/migrations (12 files)`. */
export function describeFound({ scripts, folders }: FoundSchema): string {
  return folders
    .map((folder) => {
      const inside = scripts.filter(({ path }) => path === folder || isBelow(folder, path));
      const [only] = inside;
      if (inside.length === 1 && only !== undefined) return only.path;
      return `${folder === '' ? 'this folder' : folder} (${inside.length} files)`;
    })
    .join(' and ');
}

/** Returns the beginning of a sentence that is followed by the tables that no script creates. */
export function noFileCreates({ isWhole }: Pick<SearchedSchema, 'isWhole'>): string {
  return isWhole ? 'No file here creates' : 'The files that create the tables do not create';
}

/** Returns the tables that certainly no script creates; none if files were not found, or cannot be read completely. */
export function missingNames({
  missing,
  unclear,
  cut,
}: Pick<SearchedSchema, 'missing' | 'unclear' | 'cut'>): readonly string[] {
  return cut === undefined && unclear.length === 0 ? missing.map(nameOfPattern) : [];
}
