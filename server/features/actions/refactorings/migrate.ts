/** All bucket definitions and older streams of the file become streams of edition 3. */
import { oncePer } from '../../../engine/ground/oncePer.ts';
import { type Analysis, migrate } from '../../../engine/index.ts';
import { span } from '../../../engine/text/span.ts';
import type { Action } from '../action.ts';
import type { ActionPlace } from './place.ts';

const title = 'Migrate Sync Rules to Sync Streams';

export function migrateFile({ analysis }: ActionPlace): readonly Action[] {
  return actionsOf(analysis);
}

/** Editors ask at every move of the cursor. */
const actionsOf = oncePer(({ config, text }: Analysis): readonly Action[] => {
  if (!config || config.surroundings.options.edition === 3 || config.definitions.length === 0) return [];
  const { catalog, defaultSchema } = config.surroundings;
  const migration = migrate(text, { catalog, defaultSchema });
  switch (migration.kind) {
    case 'current':
      return [];
    case 'refused':
      return [{ title, kind: 'refactor.rewrite', edits: [], refusal: migration.reasons[0]?.sentence ?? '' }];
    case 'migrated':
      return [
        { title, kind: 'refactor.rewrite', edits: [{ span: span(0, text.length), text: migration.text }] },
      ];
  }
});
