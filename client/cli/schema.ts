/** What is known of the source database: from SQL files, a snapshot, or a service. */
import {
  analyze,
  type KnownSource,
  readScripts,
  readServiceSchema,
  readSnapshot,
  readSqlFiles,
} from '../../server/engine/index.ts';
import { joinPath } from '../../server/uri.ts';
import { CliFailure } from './failure.ts';
import { instanceOptions, withService } from './instance.ts';
import type { Options } from './options.ts';
import type { Progress } from './progress.ts';
import { findSchemaFiles } from './project/schema.ts';
import { readText } from './read.ts';
import type { World } from './world.ts';

const schemaOption = {
  schema: {
    value: 'PATH',
    many: true,
    summary:
      'Tables of the source: an SQL file, a folder of them, a snapshot (.json), or `service`; usually what the files of the project make',
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

/** What is known for each sync config: what was asked for, else what the files of the project make. */
export type SchemaLookup = (path: string, text: string) => Promise<KnownSource | undefined>;

export async function schemaLookup(asked: Question): Promise<SchemaLookup> {
  const named = await readSchema(asked);
  if (named !== undefined) return async () => named;
  return async (path, text) => {
    const { kind, config } = analyze(text, { fileName: path });
    if (kind !== 'sync' || config === undefined) return undefined;
    const found = await findSchemaFiles(config, path, asked.world);
    return readScripts(found.scripts);
  };
}

/** Undefined if nobody asked for one. */
async function readSchema(asked: Question): Promise<KnownSource | undefined> {
  const paths = asked.texts('schema');
  const [first] = paths;
  if (first === undefined) return undefined;
  if (first === 'service') return askService(asked);
  if (/\.json$/i.test(first)) return readSnapshotFile(first, asked.world);
  const files = (await Promise.all(paths.map((path) => sqlFilesAt(path, asked.world)))).flat();
  const source = readSqlFiles(files);
  if (source === undefined) throw new CliFailure(`No table is made in ${paths.join(', ')}.`);
  return source;
}

async function askService(asked: Question): Promise<KnownSource> {
  const source = readServiceSchema(await withService(asked, (api) => api.schema(asked.world.signal)));
  if (source === undefined)
    throw new CliFailure('The service answers the question for its schema in a form that is not known.');
  return source;
}

async function readSnapshotFile(path: string, { files }: World): Promise<KnownSource> {
  const source = readSnapshot(await readText(path, files));
  if (source === undefined) throw new CliFailure(`${path} is no snapshot of a schema: it has no \`tables\`.`);
  return source;
}

async function sqlFilesAt(path: string, { files }: World) {
  if (!files.isFolder(path)) return [{ path, text: await readText(path, files) }];
  const names = (await files.list(path)).filter((name) => /\.sql$/i.test(name));
  return Promise.all(
    names.map(async (name) => ({ path: name, text: await readText(joinPath(path, name), files) })),
  );
}
