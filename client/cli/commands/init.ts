import { command } from '../command.ts';
import { CliFailure, explainFile } from '../failure.ts';
import { worldIn } from '../init/place.ts';
import { type InitPlan, planInit } from '../init/plan.ts';
import type { World } from '../world.ts';

export const init = command({
  name: 'init',
  summary: 'Begin a project, or add what an app needs to sync',
  about: `Writes what a first sync needs: service.yaml, sync.yaml, schema.sql, and .env with fresh secrets for this
machine. In an app, it finds the sync config and the SQL, Prisma or Rails files that make its tables, and adds only what
is missing: lines of .env and .gitignore, scripts of package.json, a service config. It changes nothing else.

A first sync config for tables that are there gives everybody the rows with their user id, and nobody anything else.

The service has a database of its own, unless --postgres or --supabase names one.`,
  words: { names: '[FOLDER]', least: 0, most: 1 },
  options: {
    postgres: {
      value: 'URI',
      summary: 'Read this PostgreSQL: its address, or a variable that holds it. It is kept in .env',
    },
    supabase: { summary: 'Read the database of `supabase start`, and accept tokens of its sign-in' },
  },
  examples: ['init', 'init my-app/sync', 'init --postgres DATABASE_URL', 'init --supabase'],
  run: async ({ words: [folder = '.'], text, has, world }) => {
    await makeFolder(folder, world);
    const inside = await worldIn(folder, world);
    const plan = await planInit({ postgres: text('postgres'), supabase: has('supabase') }, inside);
    await write(plan, inside);
    const show = (path: string): string => (folder === '.' ? path : `${folder.replace(/\/$/, '')}/${path}`);
    const { create, change, keep, advice } = plan;
    return {
      code: 0,
      json: {
        created: create.map(({ path }) => show(path)),
        changed: change.map(({ path, added }) => ({ path: show(path), added })),
        kept: keep.map(show),
      },
      lines: [
        ...create.map(({ path }) => `${show(path)} is written.`),
        ...change.map(({ path, added }) => `${show(path)} has new lines: ${added.join(', ')}.`),
        ...keep.map((path) => `${show(path)} is there already, and stays as it is.`),
      ],
      advice: [...advice, `Next: ${folder === '.' ? '' : `cd ${folder} && `}headwater dev`],
    };
  },
});

async function makeFolder(folder: string, { files }: World): Promise<void> {
  if (files.isFolder(folder)) return;
  if (files.exists(folder)) throw new CliFailure(`${folder} is a file.`);
  await files.makeFolder(folder).catch((error: unknown) => {
    throw new CliFailure(explainFile('write', folder, error));
  });
}

async function write({ create, change }: InitPlan, { files, folder }: World): Promise<void> {
  const explained = (path: string) => (error: unknown) => {
    throw new CliFailure(explainFile('write', `${folder}/${path}`, error));
  };
  for (const { path, text, readers } of create)
    await files.create(path, text, readers).catch(explained(path));
  for (const { path, text } of change) await files.write(path, text).catch(explained(path));
}
