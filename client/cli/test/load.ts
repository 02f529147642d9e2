/** Loads a file of access tests, with the config that it tests, the known tables, and the rows of its SQL files. */
import { dirname, isAbsolute, posix } from 'node:path';
import {
  analyze,
  type PreparedTests,
  prepareTests,
  readSqlFiles,
  readTests,
  toTestSubject,
} from '../../../server/engine/index.ts';
import { fromNative, joinPath, readPath } from '../../../server/shared/uri.ts';
import { readSyncText } from '../project/syncConfig.ts';
import { readText } from '../read.ts';
import type { FoundSource, SchemaLookup } from '../schemaLookup.ts';
import type { World } from '../world.ts';
import { seedsOf } from './seeds.ts';

export interface LoadedTests extends PreparedTests {
  readonly path: string;
  readonly text: string;
  /** The config under test, if it can be read. */
  readonly config?: { readonly path: string; readonly text: string };
}

export async function loadTests(path: string, world: World, lookup: SchemaLookup): Promise<LoadedTests> {
  const text = await readText(path, world.files);
  const read = readTests(text);
  const { config, schema, seeds } = read.file;
  const configPath = config && besidePath(path, config.value, world);
  const isThere = configPath && world.files.exists(configPath) && !world.files.isFolder(configPath);
  const configText = isThere ? await readSyncText(configPath, world.files) : undefined;
  const found = configPath && configText !== undefined ? { path: configPath, text: configText } : undefined;
  const known = schema
    ? await readNamedSchema(besidePath(path, schema.value, world), world)
    : found && (await lookup(found.path, found.text));
  const named = seeds.map(({ value }) => ({ path: value, place: besidePath(path, value, world) }));
  const analysis = found && analyze(found.text, { ...known, fileName: found.path });
  const prepared = prepareTests(read, {
    analysis,
    known,
    subjectOf: toTestSubject,
    seeds: await seedsOf(path, named, { known, config: analysis?.config }, world),
  });
  return { ...prepared, path, text, ...(found && { config: found }) };
}

/** Returns the files that a file of tests depends on. */
export async function filesOfTests(path: string, world: World): Promise<readonly string[]> {
  if (!world.files.exists(path)) return [];
  const { config, seeds } = readTests(await readText(path, world.files)).file;
  return [...seeds, ...(config ? [config] : [])].map(({ value }) => besidePath(path, value, world));
}

/** Resolves a path next to a file. Both slashes are separators in paths in files, and on Windows also in typed paths. */
function besidePath(path: string, named: string, { platform }: Pick<World, 'platform'>): string {
  if (isAbsolute(named)) return named;
  return posix.normalize(joinPath(dirname(fromNative(path, platform)), readPath(named)));
}

async function readNamedSchema(path: string, { files }: World): Promise<FoundSource | undefined> {
  const names = files.isFolder(path)
    ? (await files.list(path, (name) => /\.sql$/i.test(name))).paths.map((name) => joinPath(path, name))
    : [path];
  const read = names.filter((name) => files.exists(name));
  const source = readSqlFiles(
    await Promise.all(read.map(async (name) => ({ path: name, text: await readText(name, files) }))),
  );
  return source && { ...source, paths: [path] };
}
