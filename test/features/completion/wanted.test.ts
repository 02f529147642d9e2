/** The words of finished configs are among the first completions at their places. See `npm run bench -- completion`. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { projectsIn } from '../../support/engine/projects.ts';
import { askFor, type OfferedPlace, type Writing, wordsOf } from '../../support/engine/wanted.ts';
import { sizeOf, someOf } from '../../support/house/share.ts';

const writings: readonly Writing[] = ['new text', 'old text'];
const folders = ['../../../examples', '../../fixtures/projects'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

test('At 95 % of all places in the words of finished configs, the word is among the first three offers', {}, () => {
  const asked: (OfferedPlace & { readonly where: string })[] = [];
  const places = folders
    .flatMap(projectsIn)
    .flatMap((config) => wordsOf(config).map((word) => ({ config, word })));
  for (const { config, word } of someOf(places))
    for (const typed of [0, 1, 2].filter((count) => count < word.span.end - word.span.start))
      for (const writing of writings) {
        const answer = askFor(config, word, typed, writing);
        const at = word.span.start + typed;
        const where = `${config.name}: ${config.text.slice(at - 40, at)}¦${config.text.slice(at, word.span.end)}`;
        if (answer) asked.push({ ...answer, where });
      }
  expect(asked.length).toBeGreaterThan(sizeOf(1000));
  const missed = asked.filter(({ place = Number.POSITIVE_INFINITY }) => place > 3);
  const share = 1 - missed.length / asked.length;
  expect(share, missed.map(({ where }) => where).join('\n')).toBeGreaterThanOrEqual(0.95);
});
