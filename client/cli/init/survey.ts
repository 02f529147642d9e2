/** The present contents of a folder, before `headwater init` adds the missing files. */
import { analyze, type KnownSource, readScripts } from '../../../server/engine/index.ts';
import { tablesOfScripts } from '../project/projectTables.ts';
import { findSchemaFiles, findSchemaHere, noSchema, type SearchedSchema } from '../project/schemaFiles.ts';
import { type BaseFile, findBase } from '../project/serviceConfig.ts';
import { findSyncConfigs, readSyncText } from '../project/syncConfig.ts';
import type { World } from '../world.ts';

export interface Surroundings {
  /** The paths of possible sync configs. There are several if it is not clear which one is used. */
  readonly syncConfigs: readonly string[];
  readonly service: BaseFile | undefined;
  readonly schema: SearchedSchema;
  /** The tables that the schema files create. */
  readonly source: KnownSource | undefined;
  /** The folder for configs, with a slash; empty for the folder itself. */
  readonly place: string;
}

const nothing = analyze('config: { edition: 3 }\nstreams: {}\n', { kind: 'sync' }).config;

/** Examines the folder. The surroundings of an empty folder are ignored. */
export async function lookAround(world: World): Promise<Surroundings> {
  const service = await findBase({ ...world, env: {} }, undefined);
  const syncConfigs = await findSyncConfigs(world);
  const [first] = syncConfigs;
  const config =
    first === undefined
      ? nothing
      : analyze(await readSyncText(first, world.files), { kind: 'sync', fileName: first }).config;
  const isBegun = (await world.files.list('.', () => true)).paths.length > 0;
  const find = isBegun ? findSchemaFiles : findSchemaHere;
  const schema = config === undefined ? noSchema : await find(config, first ?? 'sync.yaml', world);
  const isInOwnFolder = first?.startsWith('powersync/') || world.files.isFolder('powersync');
  return {
    syncConfigs,
    service,
    schema,
    source: await tablesOfScripts(readScripts(schema.scripts), schema, world),
    place: isInOwnFolder ? 'powersync/' : '',
  };
}
