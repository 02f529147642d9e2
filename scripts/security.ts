/**
 * `npm run security [-- WORDS]`: breaks each promise of docs/SECURITY.md that contains these words, one at a time, and fails unless
 * one of the tests that the page names for it detects that. The working tree is not changed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sentencesOf } from '../test/support/docs/promises.ts';
import { root } from './root.ts';
import { takeMeasure } from './run/yardstick.ts';
import { breaches } from './security/breaches.ts';
import { TreeCopy } from './security/copy.ts';
import { tryBreach, type Verdict } from './security/trial.ts';

const [words = ''] = process.argv.slice(2);
await takeMeasure(1);
const copy = new TreeCopy();
const counts: Record<Verdict, number> = { noticed: 0, unnoticed: 0, skipped: 0, broken: 0 };
for (const { text, tests } of sentencesOf(readFileSync(join(root, 'docs/SECURITY.md'), 'utf8'))) {
  const edits = breaches[text];
  if (edits === undefined || !text.includes(words)) continue;
  const { verdict, output } = await tryBreach(copy, edits, tests);
  counts[verdict] += 1;
  console.log(`${verdict.padEnd(9)} ${text}`);
  if (verdict !== 'noticed') console.log(output.slice(-2_000).replaceAll(/^/gm, '    '));
}
const { noticed, unnoticed, skipped, broken } = counts;
console.log(`${noticed} noticed, ${unnoticed} unnoticed, ${skipped} skipped, ${broken} broken`);
process.exitCode = unnoticed + broken > 0 ? 1 : 0;
