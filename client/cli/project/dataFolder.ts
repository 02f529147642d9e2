/** Files that the command line keeps next to the data of its service, readable only by this user. */
import { dirname } from 'node:path';
import { namesBesideData } from '../../../server/shared/files.ts';
import { joinPath } from '../../../server/shared/uri.ts';
import { usualDataFolder } from '../../project/serviceConfig.ts';
import { CliFailure, explainFile } from '../failure.ts';
import type { World } from '../world.ts';
import { mayBeUsed } from './places.ts';

export async function readKept(name: string, { files }: Pick<World, 'files'>): Promise<unknown> {
  try {
    return JSON.parse(await files.read(pathOf(name)));
  } catch {
    return undefined;
  }
}

/** Writes a file that only this user can read, and that is not part of the repository. */
export async function keep(name: string, value: unknown, world: World): Promise<void> {
  const { files } = world;
  const path = pathOf(name);
  if (!(await mayBeUsed(usualDataFolder, world)))
    throw new CliFailure(
      `${usualDataFolder} points outside of this project, to ${files.real(usualDataFolder)}, so nothing was written there. Remove the link, or allow this place: headwater dev --allow ${usualDataFolder}`,
    );
  const text = `${JSON.stringify(value, undefined, 2)}\n`;
  try {
    await files.makeFolder(dirname(path), 'owner');
    await files.create(pathOf(namesBesideData.ignored), '*\n', 'owner');
    // A file keeps its mode when it is written again.
    if (!(await files.create(path, text, 'owner'))) await files.write(path, text);
  } catch (error) {
    throw new CliFailure(explainFile('write', path, error), 2, { cause: error });
  }
}

function pathOf(name: string): string {
  return joinPath(usualDataFolder, name);
}
