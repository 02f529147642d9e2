/** Migrates an entire file to Sync Streams. */
import { oncePer } from '../../engine/ground/oncePer.ts';
import { type Analysis, migrate } from '../../engine/index.ts';
import { span } from '../../engine/text/span.ts';
import type { Fix } from './fix.ts';

/** Caches the migration, because editors ask for actions at every move of the cursor. */
export const migrationOf = oncePer((analysis: Analysis) => migrateAs(analysis, analysis.text));

/** Returns the fix for a file that can be repaired only by migrating it to streams. */
export function asStreams(analysis: Analysis): readonly Fix[] {
  return fixBy(analysis, migrationOf(analysis));
}

/** Returns the fix for a file that can be migrated only after it has been changed to the given text. */
export function asStreamsFrom(analysis: Analysis, text: string): readonly Fix[] {
  return fixBy(analysis, migrateAs(analysis, text));
}

function migrateAs({ config }: Analysis, text: string): ReturnType<typeof migrate> {
  const { catalog, defaultSchema } = config?.surroundings ?? {};
  return migrate(text, { catalog, defaultSchema });
}

function fixBy({ text }: Analysis, migration: ReturnType<typeof migrate>): readonly Fix[] {
  if (migration.kind !== 'migrated') return [];
  return [
    { title: 'Migrate to Sync Streams', edits: [{ span: span(0, text.length), text: migration.text }] },
  ];
}
