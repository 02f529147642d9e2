/**
 * The parts that `headwater dev` runs for a project: its sync config, the files that create its tables, and the service for
 * this machine.
 */
import { analyze } from '../../../server/engine/index.ts';
import { configVariable, ownSyncConfig } from '../../project/serviceConfig.ts';
import { CliFailure } from '../failure.ts';
import { type DevelopCall, type Development, developAsConfigured } from '../serve/develop.ts';
import { tell } from '../serve/following.ts';
import { startOf } from './localService.ts';
import { findRemedy } from './remedy.ts';
import {
  describeFound,
  findSchemaFiles,
  missingNames,
  noFileCreates,
  noSchema,
  seedsBeside,
} from './schemaFiles.ts';
import { findBase, findBeside, isMadeForHere } from './serviceConfig.ts';
import { holdsSyncText, otherSyncConfigs, readSyncText } from './syncConfig.ts';

interface Wishes {
  /** Replaces the embedded database. */
  readonly source: string | undefined;
  /** Whether SQL files with seed data are run: in any database, only in a new one, or not at all. */
  readonly rows: 'seeds' | 'seeds if new' | 'none';
}

export async function prepareDevelopment(
  call: DevelopCall,
  file: string,
  { source, rows }: Wishes,
): Promise<Development> {
  const { text, world, has, paint } = call;
  if (rows === 'seeds' && source !== undefined)
    throw new CliFailure('--seed works only with the embedded database, not with --source.');
  // The environment already contains the entire service config.
  if (source === undefined && text('config') === undefined && world.env[configVariable])
    return developAsConfigured(call, file, '');
  const usual = await findBase(
    world,
    text('config') ?? ((await holdsSyncText(file, world.files)) ? file : undefined),
  );
  const base = usual ?? (await findBeside(file, world));
  if (
    source === undefined &&
    base !== undefined &&
    isMadeForHere(base.file) &&
    ownSyncConfig(base.file) === undefined
  ) {
    if (rows === 'seeds')
      throw new CliFailure(`${base.file.path} determines how its database is created. ${reset}`);
    say(`The sync config is ${file}, and the service config is ${base.file.path}.`);
    return developAsConfigured(call, file, '');
  }
  const { config } = analyze(await readSyncText(file, world.files), { kind: 'sync', fileName: file });
  const found = config === undefined ? noSchema : await findSchemaFiles(config, file, world);
  const seeds = seedsBeside(found).map(({ path }) => path);
  const schema = { ...found, paths: [...found.paths, ...(rows === 'seeds' ? seeds : [])] };
  const isEmbedded = source === undefined;
  const { notice, secrets, port, ...local } = await startOf(
    { base, schema, source, seed: rows !== 'none', port: text('port') },
    world,
  );
  const tables =
    schema.scripts.length > 0
      ? `its tables come from ${describeFound(schema)}`
      : schema.cut === undefined
        ? 'no file creates its tables'
        : 'no file that creates its tables was found';
  say(`The sync config is ${file}${isEmbedded ? `; ${tables}` : ''}.`);
  for (const other of otherSyncConfigs(file, world))
    say(
      paint.yellow(
        `${other} is also a sync config, but it is not used. To use it instead, run headwater dev with its name.`,
      ),
    );
  if (isEmbedded) {
    const sentence = sentenceAboutSeeds(seeds, rows);
    if (sentence !== undefined) say(sentence);
  }
  if (notice !== undefined) say(notice);
  if (isEmbedded && schema.cut !== undefined) say(paint.yellow(schema.cut));
  const missing = missingNames(schema);
  const remedy = isEmbedded
    ? await findRemedy(world)
    : 'Create them in the database of --source, then restart.';
  if (isEmbedded && missing.length > 0)
    say(paint.yellow(`${noFileCreates(schema)} ${listTables(missing)}. ${remedy}`));
  return {
    file,
    start: { config: local, port },
    token: secrets.token,
    secrets,
    remedy: isEmbedded && missing.length > 0 ? '' : remedy,
  };

  function say(line: string): void {
    if (!has('quiet')) tell(call, [line]);
  }
}

function sentenceAboutSeeds(seeds: readonly string[], rows: Wishes['rows']): string | undefined {
  const files = seeds.join(', ');
  if (seeds.length === 0)
    return rows === 'seeds'
      ? 'No SQL file with seed data was found, for example supabase/seed.sql.'
      : undefined;
  switch (rows) {
    case 'seeds':
      return `The database gets the rows of ${files}.`;
    case 'seeds if new':
      return `A new database gets the rows of ${files}.`;
    case 'none':
      return `The rows of ${files} are not added.`;
  }
}

/** Advice for a running service. */
const reset =
  'While the service is running, headwater reset --database --seed also runs the files with seed data.';

function listTables(names: readonly string[]): string {
  if (names.length > mostNamed) return `any of ${names.length} tables that it reads, such as ${names[0]}`;
  const [last = '', ...before] = names.toReversed();
  const tables = names.length === 1 ? 'the table' : 'the tables';
  return `${tables} ${before.length === 0 ? last : `${before.toReversed().join(', ')} and ${last}`}`;
}

/** The maximum number of tables that are named. */
const mostNamed = 12;
