/** What `headwater dev` runs for a project: its sync config, what makes its tables, and the service for this machine. */
import { analyze } from '../../../server/engine/index.ts';
import { configVariable, ownSyncConfig } from '../../project/serviceConfig.ts';
import { CliFailure } from '../failure.ts';
import { type DevelopCall, type Development, developAsConfigured } from '../serve/develop.ts';
import { tell } from '../serve/following.ts';
import { startOf } from './localService.ts';
import { findRemedy } from './remedy.ts';
import { describeFound, findSchemaFiles, missingNames, seedsBeside } from './schema.ts';
import { findBase, findBeside, isMadeForHere } from './serviceConfig.ts';
import { holdsSyncText, readSyncText } from './syncConfig.ts';

interface Wishes {
  /** Instead of the embedded database. */
  readonly source: string | undefined;
  /** `seeds`: files that make rows to begin with are run, too. */
  readonly rows: 'seeds' | 'none';
}

export async function prepareDevelopment(
  call: DevelopCall,
  file: string,
  { source, rows }: Wishes,
): Promise<Development> {
  const { text, world, has, paint } = call;
  if (rows === 'seeds' && source !== undefined)
    throw new CliFailure('--seed is for the embedded database, and not for that of --source.');
  // Whoever starts us has said all of it.
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
      throw new CliFailure(`${base.file.path} says what its database is made of. ${reset}`);
    say(`The sync config is ${file}, the service config ${base.file.path}.`);
    return developAsConfigured(call, file, '');
  }
  const { config } = analyze(await readSyncText(file, world.files), { kind: 'sync', fileName: file });
  const found =
    config === undefined
      ? { scripts: [], folders: [], seeds: [], missing: [], paths: [] }
      : await findSchemaFiles(config, file, world);
  const seeds = rows === 'seeds' ? seedsBeside(found).map(({ path }) => path) : [];
  const schema = { ...found, paths: [...found.paths, ...seeds] };
  const isEmbedded = source === undefined;
  const { notice, secrets, port, ...local } = await startOf(
    { base, schema, source, port: text('port') },
    world,
  );
  const tables =
    schema.scripts.length === 0
      ? 'no file makes its tables'
      : `its tables come from ${describeFound(schema)}`;
  say(`The sync config is ${file}${isEmbedded ? `; ${tables}` : ''}.`);
  if (seeds.length > 0) say(`Its rows to begin with come from ${seeds.join(', ')}.`);
  else if (rows === 'seeds')
    say(paint.yellow('No SQL file here makes rows to begin with, as supabase/seed.sql does.'));
  if (notice !== undefined) say(notice);
  const missing = missingNames(schema);
  const remedy = isEmbedded
    ? await findRemedy(world)
    : 'Make them in the database of --source, then restart.';
  if (isEmbedded && missing.length > 0)
    say(paint.yellow(`No file here makes ${listTables(missing)}. ${remedy}`));
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

/** For a service that runs. */
const reset = 'While it runs, headwater reset --database --seed also runs the files that make rows.';

function listTables(names: readonly string[]): string {
  if (names.length > mostNamed) return `any of ${names.length} tables that it reads, such as ${names[0]}`;
  const [last = '', ...before] = names.toReversed();
  const tables = names.length === 1 ? 'the table' : 'the tables';
  return `${tables} ${before.length === 0 ? last : `${before.toReversed().join(', ')} and ${last}`}`;
}

/** Tables. */
const mostNamed = 12;
