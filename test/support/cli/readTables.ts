/** The command line in a project on the disk, and what it says about tables without a database. */
import { openApi } from '../../../client/api/api.ts';
import { worldIn } from '../../../client/cli/init/place.ts';
import { disk } from '../../../client/cli/process/disk.ts';
import { resetsIn } from '../../../client/cli/process/resets.ts';
import type { World } from '../../../client/cli/world.ts';
import { analyze, type KnownSource } from '../../../server/engine/index.ts';
import { cliWorld } from './cliWorld.ts';

/** Returns the world of the command line in the folder, with the real disk and the service that is running there. */
export function cliIn(folder: string, more: Partial<World> = {}): Promise<World> {
  const world: Partial<World> = {
    files: disk,
    folder: '/',
    fetch,
    openApi: async (endpoint) => openApi(endpoint),
    resets: resetsIn(folder, process.env),
    ...more,
  };
  return worldIn(folder, cliWorld({ world }, new Map(), [], []));
}

export function configOf(text: string) {
  const { config } = analyze(text, { kind: 'sync' });
  if (config === undefined) throw new Error('The config cannot be read.');
  return config;
}

/** Returns the tables and columns that count as missing although the database has them. */
export function wronglyMissing(read: KnownSource | undefined, run: KnownSource): readonly string[] {
  if (read === undefined || read.catalog.open) return [];
  return run.catalog.tables
    .filter(({ schema }) => schema === 'public')
    .flatMap(({ schema, name, columns }) => {
      const known = read.catalog.tables.find((each) => each.schema === schema && each.name === name);
      if (known === undefined) return [name];
      return known.open
        ? []
        : [...columns.keys()].filter((each) => !known.columns.has(each)).map((each) => `${name}.${each}`);
    });
}
