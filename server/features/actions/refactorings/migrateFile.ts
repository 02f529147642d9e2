/** Rewrites all bucket definitions and older streams of the file as streams of edition 3. */
import type { Action } from '../action.ts';
import { asStreams, migrationOf } from '../migration.ts';
import type { ActionPlace } from './place.ts';

const title = 'Migrate Sync Rules to Sync Streams';

export function migrateFile({ analysis }: ActionPlace): readonly Action[] {
  const { config } = analysis;
  if (!config || config.surroundings.options.edition === 3 || config.definitions.length === 0) return [];
  const migration = migrationOf(analysis);
  switch (migration.kind) {
    case 'current':
      return [];
    case 'refused':
      return [{ title, kind: 'refactor.rewrite', edits: [], refusal: migration.reasons[0]?.sentence ?? '' }];
    case 'migrated':
      return asStreams(analysis).map(({ edits }) => ({ title, kind: 'refactor.rewrite', edits }));
  }
}
