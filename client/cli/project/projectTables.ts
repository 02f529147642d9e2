/**
 * The tables that the SQL files of a project create. If a statement cannot be read with certainty, for example a DO block, a
 * temporary database runs the files, as `headwater dev` does.
 */
import {
  afterRun,
  type Config,
  positionsIn,
  readScripts,
  type ScriptSource,
  withFileKnowledge,
} from '../../../server/engine/index.ts';
import type { World } from '../world.ts';
import { findSchemaFiles, type SearchedSchema } from './schemaFiles.ts';
import { nameIn, rootAround, schemaPathsIn } from './scriptPaths.ts';

interface ProjectTables extends ScriptSource {
  /** Files and folders that a database can run in this order to create the tables. */
  readonly paths: readonly string[];
  /** Why tables and columns may exist although they are unknown, as a sentence. Absent if everything is known. */
  readonly doubt?: string;
}

type Scripts = Pick<SearchedSchema, 'scripts' | 'paths' | 'unclear' | 'isWhole' | 'cut'>;

/**
 * Returns the tables that the files of the project create for a config; undefined if they create none.
 *
 * @param path the path of the config
 */
export async function tablesOfProject(
  config: Config,
  path: string,
  world: World,
): Promise<ProjectTables | undefined> {
  const found = await findSchemaFiles(config, path, world);
  return tablesOfScripts(readScripts(found.scripts), found, world);
}

/** @param read the tables that were read from the scripts */
export async function tablesOfScripts(
  read: ScriptSource | undefined,
  found: Scripts,
  world: World,
): Promise<ProjectTables | undefined> {
  const source = found.unclear.length === 0 ? read : ((await runAll(found, read, world)) ?? read);
  if (source === undefined) return undefined;
  const doubt = found.cut ?? doubtAbout(source, found, world);
  return {
    ...withFileKnowledge(source, { isWhole: found.isWhole, isCut: found.cut !== undefined }),
    paths: found.paths,
    ...(doubt !== undefined && { doubt }),
  };
}

/** Returns undefined if no database can be started, or if it could not run the scripts. */
async function runAll(
  { scripts, paths }: Scripts,
  source: ScriptSource | undefined,
  world: World,
): Promise<ScriptSource | undefined> {
  const [first] = paths;
  if (world.runScripts === undefined || first === undefined) return undefined;
  const root = rootAround(first, world);
  const run = await world.runScripts(schemaPathsIn(root, paths, world), world.signal);
  return run && afterRun({ scripts, source }, run, (each) => nameIn(root, each, world));
}

function doubtAbout({ unclear }: ScriptSource, { scripts }: Scripts, { files }: World): string | undefined {
  const [first, ...others] = unclear;
  if (first === undefined) return undefined;
  const text = scripts.find(({ path }) => path === first.path)?.text ?? '';
  const line = positionsIn(text)(first.span.start).line + 1;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `The effect of this statement on tables is unknown: ${files.shown(first.path)}:${line}${more}.`;
}
