import { fromNative, joinPath, namesIn, type Platform } from '../../../server/shared/uri.ts';
import { command } from '../command.ts';
import { CliFailure, explainFile } from '../failure.ts';
import { adviceOnSource } from '../init/adviceOnSource.ts';
import { worldIn } from '../init/place.ts';
import { type InitPlan, planInit } from '../init/plan.ts';
import { insideProject } from '../project/inside.ts';
import type { Privacy, World } from '../world.ts';

export const init = command({
  name: 'init',
  summary: 'Set up a project, or add sync to an existing app',
  about: `Sets up a project: service.yaml, sync.yaml with access tests, schema.sql, and .env with new secrets for this machine. In an existing app, it
finds the sync config and the SQL, Prisma or Rails files that create its tables, and adds only the missing parts: lines in
.env and .gitignore, scripts in a package.json that has Headwater installed, a service config. Nothing else changes.

If there are tables already, the first sync config syncs to each user only the rows that contain their user id. Comments suggest
streams for rows that are related to these.

The service uses its own embedded database unless --postgres or --supabase names another one.`,
  words: { names: '[FOLDER]', least: 0, most: 1 },
  options: {
    postgres: {
      value: 'URI',
      summary:
        'Replicate this PostgreSQL database: its address, or a variable that contains the address. The address is saved in .env',
    },
    agents: {
      summary: 'Also write AGENTS.md, which tells coding agents how to write and check the sync config',
    },
    supabase: { summary: 'Replicate the database of `supabase start`, and accept the tokens of its sign-in' },
  },
  examples: ['init', 'init my-app/sync', 'init --postgres DATABASE_URL', 'init --supabase', 'init --agents'],
  run: async ({ words: [folder = '.'], text, has, world }) => {
    refuseReserved(folder, world.platform);
    await makeFolder(folder, world);
    const inside = await worldIn(folder, world);
    const plan = await planInit(
      { postgres: text('postgres'), supabase: has('supabase'), agents: has('agents') },
      inside,
    );
    refuseLinksOutside(plan, inside);
    const written = await write(plan, inside);
    const at = (path: string): string => joinPath(fromNative(folder, world.platform), path);
    const show = (path: string): string => world.files.shown(at(path));
    const { create, change, keep, advice } = plan;
    const source = await adviceOnSource({ postgres: text('postgres'), isSupabase: has('supabase') }, inside);
    return {
      code: 0,
      json: {
        created: create.map(({ path }) => at(path)),
        changed: change.map(({ path, added }) => ({ path: at(path), added })),
        kept: keep.map(at),
        advice: [...advice, ...written.advice, ...source],
      },
      lines: [
        ...create.map(({ path }) => `Created ${show(path)}.`),
        ...change.map(({ path, added }) => `Added to ${show(path)}: ${added.join(', ')}.`),
        ...written.restricted.map((path) => `${show(path)} is now readable only by its owner.`),
        ...keep.map((path) => `${show(path)} already exists and was not changed.`),
      ],
      advice: [...advice, ...written.advice, ...source, ...nextSteps(folder, world.platform)],
    };
  },
});

async function makeFolder(folder: string, { files }: World): Promise<void> {
  if (files.isFolder(folder)) return;
  if (files.exists(folder))
    throw new CliFailure(`Cannot create the folder ${folder}, because a file has this name.`);
  await files.makeFolder(folder, 'all').catch((error: unknown) => {
    throw new CliFailure(explainFile('write', folder, error));
  });
}

/** Refuses links to places outside of the project, because a repository could use them to change other files of the user. */
function refuseLinksOutside({ create, change }: InitPlan, world: World): void {
  const isInside = insideProject(world);
  for (const { path } of [...create, ...change])
    if (!isInside(path))
      throw new CliFailure(
        `${path} points outside of this project, to ${world.files.real(path)}. Nothing was written. Replace the link with a file or folder.`,
      );
}

interface WriteResult {
  /** The paths of files that other users could read before. */
  readonly restricted: readonly string[];
  readonly advice: readonly string[];
}

async function write({ create, change }: InitPlan, { files, folder }: World): Promise<WriteResult> {
  const explainFailure = (path: string) => (error: unknown) => {
    throw new CliFailure(explainFile('write', joinPath(folder, path), error));
  };
  for (const { path, text, readers } of create)
    if (!(await files.create(path, text, readers).catch(explainFailure(path))))
      throw new CliFailure(`${path} is a broken link, so it was not written.`);
  const privacies: [path: string, Privacy][] = [];
  for (const { path, text, readers } of change) {
    // If the path is a link, its target is changed.
    const place = files.real(path);
    if (readers === 'same') await files.write(place, text).catch(explainFailure(path));
    else privacies.push([path, await files.writePrivately(place, text).catch(explainFailure(path))]);
  }
  return {
    restricted: privacies.flatMap(([path, { kind }]) => (kind === 'made private' ? [path] : [])),
    advice: privacies.flatMap(([path, privacy]) =>
      privacy.kind === 'open'
        ? [`Other users of this machine may be able to read ${path}, because ${privacy.reason}.`]
        : [],
    ),
  };
}

/**
 * Returns the next steps. On Windows, these are two lines, because cmd and Windows PowerShell have no common way to chain
 * commands.
 */
function nextSteps(folder: string, platform: Platform): readonly string[] {
  if (folder === '.') return ['Next: headwater dev'];
  const quoted = /^[\w./\\:-]+$/.test(folder) ? folder : `"${folder}"`;
  if (platform !== 'win32') return [`Next: cd ${quoted} && headwater dev`];
  return [`Next: cd ${quoted}`, 'Then: headwater dev'];
}

/** Refuses names that Windows reserves. Some programs can create such a folder, but few can delete it. */
function refuseReserved(folder: string, platform: Platform): void {
  const names = namesIn(fromNative(folder, platform));
  const reserved = names.find((name) => /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])(?:\.|$)/i.test(name));
  if (platform === 'win32' && reserved !== undefined)
    throw new CliFailure(
      `Cannot create the folder ${folder}, because Windows reserves the name ${reserved}. Choose another name.`,
    );
}
