/** Checks a file that a workspace setting names. A stranger may have written the workspace, so the file has to be inside of it. */
import {
  inFolder,
  joinPath,
  namesIn,
  pathFrom,
  type RelativePath,
  readPath,
  uriReader,
} from '../../server/shared/uri.ts';

/**
 * Returns the path from the folder. Undefined if the file is outside of the folder, or is reached through a link.
 *
 * @param folder its URI
 */
export async function confinedFile(
  folder: string,
  file: string,
  isLink: (path: RelativePath) => Promise<boolean>,
): Promise<RelativePath | undefined> {
  const start = uriReader(process.platform)(folder);
  const place = inFolder(start, readPath(file));
  const path = place && pathFrom(start, place);
  if (path === undefined || path === '') return undefined;
  const names = namesIn(path);
  for (const index of names.keys())
    if (await isLink(joinPath(...names.slice(0, index + 1)))) return undefined;
  return path;
}
