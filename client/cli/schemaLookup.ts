/** The tables of the source database: from SQL files, a snapshot, or a service. */
import {
  analyze,
  type KnownSource,
  readServiceSchema,
  readSnapshot,
  readSqlFiles,
} from '../../server/engine/index.ts';
import { joinPath } from '../../server/shared/uri.ts';
import { CliFailure } from './failure.ts';
import { instanceOptions, withService } from './instance.ts';
import type { Options } from './options.ts';
import type { Progress } from './progress.ts';
import { sourceAt } from './project/databaseTables.ts';
import { tablesOfProject, tablesOfScripts } from './project/projectTables.ts';
import { findSchemaFiles } from './project/schemaFiles.ts';
import { textInService } from './project/syncConfig.ts';
import { readText } from './read.ts';
import { isDatabaseAddress } from './sql/address.ts';
import type { World } from './world.ts';

const schemaOption = {
  schema: {
    value: 'PATH',
    many: true,
    summary:
      'The tables of the source: an SQL file, a folder of SQL files, a snapshot (.json), postgresql://…, a variable that contains such an address, or `service` (default: the files of the project)',
  },
} as const satisfies Options;

export const schemaOptions = { ...schemaOption, ...instanceOptions } as const satisfies Options;

interface Question {
  readonly texts: (option: 'schema') => readonly string[];
  readonly text: (option: 'service' | 'directory') => string | undefined;
  readonly has: (option: 'quiet') => boolean;
  readonly world: World;
  readonly progress: Progress;
}

/**
 * Returns the known tables for a sync config: the tables of the requested source, otherwise the tables that the files of the
 * project create.
 */
export type SchemaLookup = (path: string, text: string) => Promise<FoundSource | undefined>;

export interface FoundSource extends KnownSource {
  /**
   * Files and folders that a database can run in this order to create the tables. Absent if the tables are known from a
   * different source.
   */
  readonly paths?: readonly string[];
  /** Why tables and columns may exist although they are unknown, as a sentence. */
  readonly doubt?: string;
}

export async function schemaLookup(asked: Question): Promise<SchemaLookup> {
  const named = await readSchema(asked);
  if (named !== undefined) return async () => named;
  const known = new Map<string, Promise<FoundSource | undefined>>();
  const find = async (path: string, text: string): Promise<FoundSource | undefined> => {
    const { kind, config } = analyze(textInService(path, text) ?? text, { fileName: path });
    if (kind !== 'sync' || config === undefined) return undefined;
    return tablesOfProject(config, path, asked.world);
  };
  return (path, text) => {
    const key = JSON.stringify([path, text]);
    const source = known.get(key) ?? find(path, text);
    known.set(key, source);
    return source;
  };
}

/** Returns the files that {@link schemaLookup} reads. */
export async function schemaPathsOf(asked: Question, configs: readonly string[]): Promise<readonly string[]> {
  const named = asked.texts('schema');
  if (named.length > 0) return (await Promise.all(named.map((path) => pathsAt(path, asked.world)))).flat();
  const found: string[] = [];
  for (const path of configs) {
    const text = await asked.world.files.read(path).catch(() => '');
    const { kind, config } = analyze(textInService(path, text) ?? text, { fileName: path });
    if (kind === 'sync' && config !== undefined)
      found.push(...(await findSchemaFiles(config, path, asked.world)).scripts.map((script) => script.path));
  }
  return found;
}

/** Reads the requested source. Undefined if none was requested. */
async function readSchema(asked: Question): Promise<FoundSource | undefined> {
  const paths = asked.texts('schema');
  const [first] = paths;
  if (first === undefined) return undefined;
  if (first === 'service') return askService(asked);
  const address = addressIn(first, asked.world);
  if (address !== undefined) return askDatabase(address, asked.world);
  if (/\.json$/i.test(first)) return readSnapshotFile(first, asked.world);
  const files = (await Promise.all(paths.map((path) => sqlFilesAt(path, asked.world)))).flat();
  const read = readSqlFiles(files);
  // If the reader finds no tables, code may create them, so a database runs it.
  const unclear = read?.unclear ?? files.map(({ path }) => ({ path, span: { start: 0, end: 0 } }));
  const source = await tablesOfScripts(read, { scripts: files, paths, unclear, isWhole: true }, asked.world);
  if (source === undefined || source.catalog.tables.length === 0)
    throw new CliFailure(`No tables are created in ${paths.join(', ')}.`);
  return source;
}

/** Returns the address of a database. A file takes precedence over a variable with the same name. */
function addressIn(named: string, { env, files }: World): string | undefined {
  const text = isDatabaseAddress(named) || files.exists(named) ? named : (env[named] ?? '');
  return isDatabaseAddress(text) ? text : undefined;
}

async function askDatabase(address: string, world: World): Promise<KnownSource> {
  // The message does not contain the text, because it may include a password.
  if (!URL.canParse(address))
    throw new CliFailure(
      '--schema must be an address such as postgresql://USER:PASSWORD@HOST:5432/DATABASE. In a password, write # as %23 and @ as %40.',
    );
  const source = await sourceAt(address, world);
  if (source === undefined) throw new CliFailure('The database of --schema has no tables.');
  return source;
}

async function askService(asked: Question): Promise<KnownSource> {
  const source = readServiceSchema(await withService(asked, (api) => api.schema(asked.world.signal)));
  if (source === undefined) throw new CliFailure('The service returned its schema in an unknown format.');
  return source;
}

async function readSnapshotFile(path: string, { files }: World): Promise<KnownSource> {
  const source = readSnapshot(await readText(path, files));
  if (source === undefined) throw new CliFailure(`${path} is not a schema snapshot: it has no \`tables\`.`);
  return source;
}

async function sqlFilesAt(path: string, { files }: World) {
  if (!files.isFolder(path)) return [{ path, text: await readText(path, files) }];
  return Promise.all(
    (await sqlNamesIn(path, files)).map(async (name) => ({
      path: joinPath(path, name),
      text: await readText(joinPath(path, name), files),
    })),
  );
}

async function pathsAt(path: string, { files }: World): Promise<readonly string[]> {
  if (!files.isFolder(path)) return [path];
  return (await sqlNamesIn(path, files)).map((name) => joinPath(path, name));
}

async function sqlNamesIn(folder: string, files: World['files']): Promise<readonly string[]> {
  return (await files.list(folder, (name) => /\.sql$/i.test(name))).paths;
}
