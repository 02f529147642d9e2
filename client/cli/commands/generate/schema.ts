import { clientTablesOf } from '../../../../server/engine/index.ts';
import { languages, write } from '../../../clientSchema/languages.ts';
import { command } from '../../command.ts';
import { CliFailure } from '../../failure.ts';
import { nameSyncConfig, readSyncText } from '../../project/syncConfig.ts';
import { writeText } from '../../read.ts';
import { schemaLookup, schemaOptions } from '../../schemaLookup.ts';
import { analyzeValid } from '../../validate/valid.ts';

export const generateSchema = command({
  name: 'generate schema',
  summary: 'Generate the client schema in the language of the app',
  about: `Generates the client schema: the tables and columns that clients get from a sync config. Column types, and the columns of *,
come from the SQL, Prisma or Rails files of the project, or from --schema.`,
  words: { names: '[FILE]', least: 0, most: 1 },
  options: {
    output: { value: 'LANGUAGE', choices: Object.keys(languages), summary: 'The language (default: ts)' },
    package: {
      value: 'NAME',
      summary: 'The package that JavaScript and TypeScript import (default: @powersync/web)',
    },
    'output-path': { alias: '-o', value: 'FILE', summary: 'Write to this file' },
    ...schemaOptions,
  },
  examples: [
    'generate schema',
    'generate schema --output js --package @powersync/node --schema schema.sql sync.yaml',
    'generate schema --output kotlin --schema service --output-path AppSchema.kt',
  ],
  run: async (call) => {
    const { files } = call.world;
    const path = await nameSyncConfig(call);
    const text = await readSyncText(path, files);
    const source = await (await schemaLookup(call))(path, text);
    const { config } = analyzeValid(path, text, source);
    const found = clientTablesOf(config, source?.catalog);
    if (found.tables.length === 0) throw new CliFailure(`${path} defines no tables.`, 1);
    const language = (call.text('output') ?? 'ts') as keyof typeof languages;
    const sdk = call.text('package');
    if (sdk !== undefined && !/^(@[\w.-]+\/)?[\w.-]+$/.test(sdk))
      throw new CliFailure(`${sdk} is not a valid package name. Specify a name such as @powersync/node.`);
    const written = write(language, found.tables, sdk);
    const target = call.text('output-path');
    if (target !== undefined) await writeText(target, written, files);
    const stars = found.unknown.map(
      (table) => `The columns of ${table} are unknown. Specify its schema with --schema.`,
    );
    return {
      code: 0,
      json: {
        language,
        tables: found.tables,
        unknown: found.unknown,
        written: target ?? null,
        text: written,
      },
      lines: target === undefined ? [written.replace(/\n$/, '')] : [`Wrote ${target}.`],
      advice: stars,
    };
  },
});
