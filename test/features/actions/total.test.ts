/** For any incomplete text, actions and formatting return edits that can be applied. */
import { expect, test } from 'vitest';
import { analyze } from '../../../server/engine/index.ts';
import { migrateToStreams } from '../../../server/engine/migrate/migrate.ts';
import { applyEdits, areDisjoint } from '../../../server/engine/text/edit.ts';
import { span } from '../../../server/engine/text/span.ts';
import { actions } from '../../../server/features/actions/actions.ts';
import { formatConfig, formatLine } from '../../../server/features/formatting/formatting.ts';
import { readExamples } from '../../support/engine/examples.ts';
import { strideOf } from '../../support/house/share.ts';

const step = strideOf(23);
const examples = readExamples().filter((_, index) => index % 4 === 0);
const files = { exists: () => false, text: () => undefined };

test.each(examples)(
  '$name: at the end and in the middle of every prefix',
  ({ text, defaultSchema, catalog }) => {
    for (let length = text.length % step; length <= text.length; length += step) {
      const half = text.slice(0, length);
      const analysis = analyze(half, { kind: 'sync', defaultSchema, catalog });
      for (const at of [length, length >> 1]) {
        const selection = span(at, at);
        for (const { edits } of actions(analysis, { selection, wants: () => true, files, askedBy: 'user' })) {
          expect(areDisjoint(edits)).toBe(true);
          expect(edits.every(({ span: { start, end } }) => start >= 0 && start <= end && end <= length)).toBe(
            true,
          );
        }
        formatLine(analysis, selection);
      }
      expect(typeof applyEdits(half, formatConfig(analysis))).toBe('string');
      migrateToStreams(half, { defaultSchema, catalog });
    }
  },
);
