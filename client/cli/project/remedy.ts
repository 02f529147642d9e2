/** Tools and databases that can create the tables that no file of a project creates. */
import { posix } from 'node:path';
import type { World } from '../world.ts';
import { addressesIn } from './localService.ts';
import { foldersToRoot, listFiles } from './location.ts';

/** Returns the remedy in sentences. */
export async function findRemedy(world: World): Promise<string> {
  const { paths } = await listFiles(world, isOfTool, foldersToRoot(world));
  const tool = toolIn(paths);
  const file =
    tool === undefined
      ? 'Add a file that creates them (pg_dump --schema-only > schema.sql)'
      : sentenceOf(tool);
  const database = (await runningSupabase(paths, world)) ?? addressIn(world.env);
  return `${file}. Or use ${database}.`;
}

/** Describes the tool with which the project creates tables without SQL files. Undefined if no such tool is known. */
export async function describeTool(world: World): Promise<string | undefined> {
  const tool = toolIn((await listFiles(world, isOfTool, foldersToRoot(world))).paths);
  return tool && sentenceOf(tool);
}

function sentenceOf({ name, path, remedy }: FoundTool): string {
  return `${name} seems to create them (${path}): ${remedy}`;
}

interface Tool {
  readonly name: string;
  /** A pattern for files that only this tool has. */
  readonly files: RegExp;
  readonly remedy: string;
}

const dump = 'dump a database that has them (pg_dump --schema-only > schema.sql)';

/** Tools that write SQL come first. They need no database unless their remedy mentions one. */
const tools: readonly Tool[] = [
  {
    name: 'Drizzle',
    files: /(?:^|\/)drizzle\.config\.\w+$/,
    remedy: 'npx drizzle-kit export > schema.sql writes them as SQL',
  },
  {
    name: 'Alembic',
    files: /(?:^|\/)alembic\.ini$/,
    remedy: 'alembic upgrade head --sql > schema.sql writes them as SQL',
  },
  {
    name: 'Entity Framework',
    files: /(?:^|\/)Migrations\/\w*ModelSnapshot\.cs$/,
    remedy: 'dotnet ef migrations script > schema.sql writes them as SQL',
  },
  {
    name: 'Rails',
    files: /(?:^|\/)db\/migrate\/\w+\.rb$/,
    remedy: 'bin/rails db:schema:dump writes db/schema.rb, which Headwater reads',
  },
  {
    name: 'Laravel',
    files: /(?:^|\/)artisan$/,
    remedy: 'php artisan schema:dump writes database/schema/pgsql-schema.sql',
  },
  {
    name: 'Ecto',
    files: /(?:^|\/)priv\/repo\/migrations\/\w+\.exs$/,
    remedy: 'mix ecto.dump writes priv/repo/structure.sql',
  },
  { name: 'Django', files: /(?:^|\/)manage\.py$/, remedy: `after manage.py migrate, ${dump}` },
  {
    name: 'Liquibase',
    files: /(?:^|\/)(?:db\.)?changelog[\w.-]*\.(?:xml|ya?ml|json)$/i,
    remedy: 'liquibase update-sql > schema.sql writes them as SQL',
  },
  {
    name: 'Atlas',
    files: /(?:^|\/)(?:schema|atlas)\.hcl$/,
    remedy: "atlas schema inspect --env local --format '{{ sql . }}' > schema.sql writes them as SQL",
  },
  { name: 'Knex', files: /(?:^|\/)knexfile\.\w+$/, remedy: `after knex migrate:latest, ${dump}` },
  {
    name: 'Sequelize',
    files: /(?:^|\/)\.sequelizerc$|(?:^|\/)sequelize\.config\.\w+$/,
    remedy: `after sequelize db:migrate, ${dump}`,
  },
  {
    name: 'TypeORM',
    files: /(?:^|\/)ormconfig\.\w+$|(?:^|\/)(?:typeorm|data-?source)[\w.-]*\.[jt]s$/i,
    remedy: `after typeorm migration:run, ${dump}`,
  },
  {
    name: 'Supabase',
    files: /(?:^|\/)supabase\/config\.toml$/,
    remedy: 'supabase db pull writes them into supabase/migrations',
  },
];

function isOfTool(path: string): boolean {
  return tools.some(({ files }) => files.test(path));
}

type FoundTool = Pick<Tool, 'name' | 'remedy'> & { readonly path: string };

function toolIn(paths: readonly string[]): FoundTool | undefined {
  for (const { name, files, remedy } of tools) {
    const path = paths.find((each) => files.test(each));
    if (path !== undefined) return { name, remedy, path };
  }
  return undefined;
}

/** Returns the database of `supabase start`, if a process is listening on the port in its config. */
async function runningSupabase(
  paths: readonly string[],
  { files, firstFreePort }: World,
): Promise<string | undefined> {
  const path = paths.find(
    (each) => posix.basename(posix.dirname(each)) === 'supabase' && /\/config\.toml$/.test(each),
  );
  if (path === undefined) return undefined;
  const text = await files.read(path).catch(() => '');
  const section = /^\[db\]([^[]*)/m.exec(text)?.[1] ?? '';
  const port = Number(/^\s*port\s*=\s*(\d{1,5})\b/m.exec(section)?.[1] ?? usualPort);
  if ((await firstFreePort([port])) === port) return undefined;
  return `--source postgresql://postgres:postgres@127.0.0.1:${port}/postgres to read the database of supabase start, which seems to be running`;
}

/** The port of the database of `supabase start`. */
const usualPort = 54_322;

function addressIn(env: World['env']): string {
  const [address] = addressesIn(env);
  return address === undefined
    ? '--source postgresql://… to read a database that has them'
    : `--source ${address} to read the database of this variable`;
}
