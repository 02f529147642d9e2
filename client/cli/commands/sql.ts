import { dirname, isAbsolute, join } from 'node:path';
import { drawTable } from '../../drawTable.ts';
import type { ProjectFile } from '../../project/projectFile.ts';
import { dataFolderOf, embeddedDatabaseOf, usualDataFolder } from '../../project/serviceConfig.ts';
import type { Paint } from '../colours.ts';
import { type Answer, command } from '../command.ts';
import { CliFailure, isCliFailure } from '../failure.ts';
import { findRunning } from '../project/running.ts';
import { readServiceConfig } from '../projectFiles.ts';
import { readText } from '../read.ts';
import type { SqlResult, World } from '../world.ts';

export const sql = command({
  name: 'sql',
  summary: 'Run SQL on the embedded database of a service',
  about: `Runs statements on the embedded database of a running service, in one transaction, and prints the resulting rows, with
values in PostgreSQL's text format. You can write a row and watch it sync without installing anything.

Exit code 1: the database refused the statements, and nothing changed.`,
  words: { names: '[SQL]', least: 0, most: 1 },
  options: {
    file: { alias: '-f', value: 'FILE', summary: 'Read the statements from a file' },
    database: {
      alias: '-d',
      value: 'URL',
      summary: 'A PostgreSQL database (default: the embedded one of the service config)',
    },
    config: { alias: '-c', value: 'FILE', summary: 'The service config (default: service.yaml)' },
  },
  examples: [`sql "INSERT INTO lists (name) VALUES ('Groceries')"`, 'sql --file more.sql'],
  run: async ({ words, text, world, paint }) => {
    const statements = await readStatements(words[0], text('file'), world);
    const named = text('database');
    const url = named ?? (await embeddedDatabase(world, text('config')));
    const results = await world.runSql(url, statements).catch((error: unknown) => {
      const isAway = named === undefined && isCliFailure(error) && error.code === 2;
      throw isAway ? new CliFailure(`${error.message} Is the service running? See headwater dev.`) : error;
    });
    return answerOf(results, paint);
  },
});

async function readStatements(word: string | undefined, file: string | undefined, { files }: World) {
  if ((word === undefined) === (file === undefined))
    throw new CliFailure('Specify either SQL in quotes or one file with --file FILE.');
  return word ?? readText(file ?? '', files);
}

/** Returns the address of the embedded database, which listens only on this machine. */
async function embeddedDatabase(world: World, named: string | undefined): Promise<string> {
  const running = named === undefined ? await findRunning(world) : undefined;
  if (running?.database !== undefined) return running.database;
  const config = await readServiceConfig(world, named);
  if (config === undefined)
    throw new CliFailure('No service.yaml found here. Specify the service config with --config FILE.');
  const embedded = embeddedDatabaseOf(config);
  if (embedded === undefined)
    throw new CliFailure(
      `${config.path} has no embedded database, because it replicates another one. Specify a database with --database URL.`,
    );
  const { port, password: written } = embedded;
  if (port === undefined)
    throw new CliFailure(
      `The embedded database of ${config.path} has no fixed port, so its port changes at each start. Set a port (port: 5499), or use the address that headwater dev prints: --database URL.`,
    );
  const password = written ?? (await keptPassword(config, world));
  return `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
}

/**
 * Returns the password that the service has generated if the config has none, from the folder of its database. A data folder is
 * next to the config. If the config has no data folder, because its storage is another database, the folder is in the directory
 * where the service was started.
 */
async function keptPassword(config: ProjectFile, { files }: World): Promise<string> {
  const named = dataFolderOf(config);
  const beside = named !== undefined && files.exists(config.path) ? dirname(config.path) : '.';
  const folder = named !== undefined && isAbsolute(named) ? named : join(beside, named ?? usualDataFolder);
  const file = join(folder, 'source', 'headwater.password');
  try {
    return (await files.read(file)).trim();
  } catch {
    throw new CliFailure(
      `The password of the embedded database is not in ${file}. Is the service running? See headwater dev.`,
    );
  }
}

function answerOf(results: readonly SqlResult[], { dim }: Paint): Answer {
  const lines = results.flatMap(({ command, rowCount, columns, rows }) =>
    columns.length > 0
      ? [...drawTable(columns, rows), dim(`${rowCount} ${rowCount === 1 ? 'row' : 'rows'}`)]
      : [rowCount === undefined ? command : `${command}: ${rowCount} ${rowCount === 1 ? 'row' : 'rows'}`],
  );
  return { code: 0, json: { results }, lines };
}
