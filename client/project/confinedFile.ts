/** A file that a setting of a workspace names. The workspace comes with a repository, so the file has to be inside. */
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
 * Returns the path from the folder. Undefined if it leads out of the folder, by itself or by a link on the way.
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
