/** A file of access tests, with the config that it tests, what is known of the tables, and the rows of its SQL files. */
import { dirname, isAbsolute, posix } from 'node:path';
import {
  analyze,
  type KnownSource,
  type PreparedTests,
  prepareTests,
  readSqlFiles,
  readTestSeeds,
  readTests,
  toTestSubject,
} from '../../../server/engine/index.ts';
import { joinPath } from '../../../server/uri.ts';
import { readSyncText } from '../project/syncConfig.ts';
import { readText } from '../read.ts';
import type { SchemaLookup } from '../schema.ts';
import type { World } from '../world.ts';

export interface LoadedTests extends PreparedTests {
  readonly path: string;
  readonly text: string;
  /** What is tested, if it can be read. */
  readonly config?: { readonly path: string; readonly text: string };
}

export async function loadTests(path: string, world: World, lookup: SchemaLookup): Promise<LoadedTests> {
  const text = await readText(path, world.files);
  const read = readTests(text);
  const { config, schema, seeds } = read.file;
  const configPath = config && besidePath(path, config.value);
  const isThere = configPath && world.files.exists(configPath) && !world.files.isFolder(configPath);
  const configText = isThere ? await readSyncText(configPath, world.files) : undefined;
  const found = configPath && configText !== undefined ? { path: configPath, text: configText } : undefined;
  const known = schema
    ? await readNamedSchema(besidePath(path, schema.value), world)
    : found && (await lookup(found.path, found.text));
  const rows = new Map<string, ReturnType<typeof readTestSeeds>>();
  for (const { value } of found === undefined ? [] : seeds) {
    const from = besidePath(path, value);
    if (!world.files.exists(from)) continue;
    rows.set(value, readTestSeeds(await readText(from, world.files), known?.catalog, known?.defaultSchema));
  }
  const prepared = prepareTests(read, {
    analysis: found && analyze(found.text, { ...known, fileName: found.path }),
    known,
    subjectOf: toTestSubject,
    seedsOf: (named) => rows.get(named),
  });
  return { ...prepared, path, text, ...(found && { config: found }) };
}

export function besidePath(path: string, named: string): string {
  return isAbsolute(named) ? named : posix.normalize(joinPath(dirname(path), named));
}

async function readNamedSchema(path: string, { files }: World): Promise<KnownSource | undefined> {
  const names = files.isFolder(path)
    ? (await files.list(path)).filter((name) => /\.sql$/i.test(name)).map((name) => joinPath(path, name))
    : [path];
  const read = names.filter((name) => files.exists(name));
  return readSqlFiles(
    await Promise.all(read.map(async (name) => ({ path: name, text: await readText(name, files) }))),
  );
}
