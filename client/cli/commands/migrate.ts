import { migrate as migrateText, positionsIn } from '../../../server/engine/index.ts';
import { command } from '../command.ts';
import { nameSyncConfig } from '../project/syncConfig.ts';
import { readText, writeText } from '../read.ts';
import { schemaLookup, schemaOptions } from '../schemaLookup.ts';

export const migrate = command({
  name: 'migrate',
  summary: 'Convert bucket definitions to sync streams',
  about: `Converts a sync config with bucket definitions, or with streams of edition 2, to streams of edition 3, either the whole file
or nothing. Every user gets the same rows as before. Prints the new config; --write replaces the file.

Exit code 0: converted, or nothing to convert; 1: a part cannot be converted, and the output names its position.`,
  words: { names: '[FILE]', least: 0, most: 1 },
  options: {
    write: { alias: '-w', summary: 'Replace the file' },
    output: { alias: '-o', value: 'FILE', summary: 'Write to this file' },
    ...schemaOptions,
  },
  examples: ['migrate sync.yaml > streams.yaml', 'migrate --write --schema schema.sql sync.yaml'],
  run: async (call) => {
    const { files } = call.world;
    const path = await nameSyncConfig(call);
    const text = await readText(path, files);
    const migration = migrateText(text, await (await schemaLookup(call))(path, text));
    const target = call.text('output') ?? (call.has('write') ? path : undefined);
    switch (migration.kind) {
      case 'current':
        if (call.text('output') !== undefined) await writeText(call.text('output') ?? '', text, files);
        return {
          code: 0,
          json: { kind: 'current', text },
          lines: target === undefined ? [text.replace(/\n$/, '')] : [],
          advice: [`${path} already has streams of edition 3, so there is nothing to migrate.`],
        };
      case 'refused': {
        const positionAt = positionsIn(text);
        const reasons = migration.reasons.map(({ sentence, span }) => ({
          message: sentence,
          range: { start: positionAt(span.start), end: positionAt(span.end) },
        }));
        for (const { message, range } of call.has('json') ? [] : reasons)
          call.world.complain(`${path}:${range.start.line + 1}:${range.start.character + 1} ${message}`);
        return { code: 1, json: { kind: 'refused', reasons } };
      }
      case 'migrated':
        if (target !== undefined) await writeText(target, migration.text, files);
        return {
          code: 0,
          json: { kind: 'migrated', text: migration.text, notes: migration.notes, written: target ?? null },
          lines: target === undefined ? [migration.text.replace(/\n$/, '')] : [`Wrote ${target}.`],
          advice: migration.notes,
        };
    }
  },
});
