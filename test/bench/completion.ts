/**
 * How often the wanted item is among the first three offers, and how long the offers take: at random places in the
 * words of finished sync configs, with the rest of the query there or not. Another folder of projects can be named:
 * `npm run bench -- completion FOLDER SEED`.
 */
import { join } from 'node:path';
import { root } from '../../scripts/root.ts';
import { randomFrom } from '../differential/random.ts';
import { projectsIn } from '../support/engine/projects.ts';
import { askFor, type OfferedPlace, type Writing, wordsOf } from '../support/engine/wanted.ts';
import { median, milliseconds, percentile, printTable } from './measure.ts';

const positions = 600;

interface Answer extends OfferedPlace {
  readonly typed: number;
  readonly writing: Writing;
  readonly hasSchema: boolean;
  readonly ms: number;
  readonly where: string;
}

export function bench(): void {
  const [folder, seed] = process.argv.slice(3);
  const projects = (folder === undefined ? ownFolders : [folder]).flatMap(projectsIn);
  const answers = askAround(projects, Number(seed ?? 1));
  printTable(
    `${answers.length} random places in ${projects.length} sync configs (target: 95 % among the first three)`,
    ['letters typed', 'places', 'first', 'first three', 'first five', 'not offered'],
    [
      ['all', answers] as const,
      ...['0', '1', '2', '3 or more'].map(
        (label, least) =>
          [label, answers.filter(({ typed }) => (least === 3 ? typed >= 3 : typed === least))] as const,
      ),
      ...(['new text', 'old text'] as const).map(
        (one) => [one, answers.filter(({ writing }) => writing === one)] as const,
      ),
      ['with a schema', answers.filter(({ hasSchema }) => hasSchema)] as const,
      ['without one', answers.filter(({ hasSchema }) => !hasSchema)] as const,
    ].map(([label, of]) => [
      label,
      `${of.length}`,
      ...[1, 3, 5].map((most) => shareOf(of, ({ place }) => place !== undefined && place <= most)),
      shareOf(of, ({ place }) => place === undefined),
    ]),
  );
  const times = answers.map(({ ms }) => ms);
  console.log(
    `\n  the config analyzed anew and the offers: median ${milliseconds(median(times))}, 95 % ${milliseconds(percentile(times, 95))}`,
  );
  const missed = answers.filter(({ place = 9 }) => place > 3);
  console.log('\n  Not among the first three:');
  for (const { where, place, offered } of missed)
    console.log(`  ${where}\n      ${place ?? 'not offered'}; first: ${offered.slice(0, 4).join(' · ')}`);
}

const ownFolders = [join(root, 'examples'), join(root, 'test/fixtures/projects')];

function askAround(projects: ReturnType<typeof projectsIn>, seed: number): readonly Answer[] {
  const random = randomFrom(seed);
  const words = projects
    .map((config) => ({ config, words: wordsOf(config) }))
    .filter((one) => one.words.length > 0);
  const answers: Answer[] = [];
  for (let tries = 0; answers.length < positions && tries < positions * 3; tries++) {
    const { config, words: of } = random.pick(words);
    const word = random.pick(of);
    const typed = random.int(word.span.end - word.span.start);
    const writing = random.pick<Writing>(['new text', 'old text']);
    const start = performance.now();
    const asked = askFor(config, word, typed, writing);
    const ms = performance.now() - start;
    if (asked === undefined) continue;
    const { text, input } = config;
    const at = word.span.start + typed;
    const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trimStart();
    const rest = text.slice(at, word.span.end);
    const where = `${config.name} (${writing}): ${line}¦${rest}`;
    answers.push({ ...asked, typed, writing, hasSchema: input.catalog !== undefined, ms, where });
  }
  return answers;
}

function shareOf(answers: readonly Answer[], isCounted: (answer: Answer) => boolean): string {
  if (answers.length === 0) return '';
  return `${((answers.filter(isCounted).length * 100) / answers.length).toFixed(1)} %`;
}
