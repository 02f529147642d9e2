/** The rows of the SQL files of a test file. A database runs these files if the tables can be created in it. */
import {
  type Config,
  noSeeds,
  readSeedFiles,
  type SeedFile,
  type Seeds,
  seedTextsOf,
  toSeeds,
} from '../../../server/engine/index.ts';
import { isInside, nameIn, rootAround, schemaPathsIn } from '../project/scriptPaths.ts';
import { readText } from '../read.ts';
import type { FoundSource } from '../schemaLookup.ts';
import type { World } from '../world.ts';

interface NamedFile {
  /** The path as the test writes it. */
  readonly path: string;
  /** The path from the working directory. */
  readonly place: string;
}

interface SeedWorld {
  readonly known: FoundSource | undefined;
  /** The config under test. */
  readonly config: Config | undefined;
}

/** @param path the path of the test file that names the SQL files */
export async function seedsOf(
  path: string,
  named: readonly NamedFile[],
  { known, config }: SeedWorld,
  world: World,
): Promise<Seeds> {
  if (named.length === 0 || config === undefined) return noSeeds;
  const root = rootAround(path, world);
  const files: SeedFile[] = [];
  for (const each of named) files.push(await readSeed(each, root, world));
  const { paths = [], defaultSchema } = known ?? {};
  const texts = seedTextsOf(files);
  if (texts.length === 0 || paths.length === 0 || world.runSeeds === undefined)
    return readSeedFiles(files, known, withSchema);
  const schema = schemaPathsIn(root, paths, world);
  const { options } = config.surroundings;
  const answer = await world.runSeeds({ schema, seeds: texts, options }, world.signal);
  return toSeeds(answer, files, defaultSchema);
}

const withSchema =
  'Specify the SQL files that create the tables under `schema:`. Then a database runs the file, whatever it contains.';

async function readSeed({ path, place }: NamedFile, root: string, world: World): Promise<SeedFile> {
  const { files } = world;
  const name = nameIn(root, place, world);
  const refuse = (kind: 'missing' | 'outside'): SeedFile => ({ path, name, content: { kind } });
  if (!isInside(root, place, world)) return refuse('outside');
  if (!files.exists(place) || files.isFolder(place)) return refuse('missing');
  return { path, name, content: { kind: 'text', text: await readText(place, files) } };
}
