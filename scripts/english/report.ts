/** Counts the hard constructions in each room. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.ts';
import { type Construction, constructionsIn } from './constructions.ts';
import { exceptions } from './exceptions.ts';
import { type PlacedText, projectTexts } from './texts.ts';

interface HardText extends PlacedText {
  readonly constructions: readonly Construction[];
}

/** @param prefix a file or folder; absent: the entire project */
export function hardTexts(prefix?: string): readonly HardText[] {
  return projectTexts(prefix)
    .map((text) => ({ ...text, constructions: constructionsIn(text.text, text.kind) }))
    .filter(({ constructions, text }) => constructions.length > 0 && !exceptions.has(text));
}

type Counts = Readonly<Record<string, number>>;

export function countByRoom(texts: readonly HardText[]): Counts {
  const counts: Record<string, number> = {};
  for (const { path } of texts) counts[roomOf(path)] = (counts[roomOf(path)] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function roomOf(path: string): string {
  const folders = path.split('/').slice(0, -1);
  return folders.slice(0, /^(?:server\/service|client\/vscode)\//.test(path) ? 3 : 2).join('/') || '.';
}

const recordPath = join(root, 'test/fixtures/english/counts.json');

/** Returns the recorded number of texts with such a construction in each room. */
export function readCounts(): Counts {
  return JSON.parse(readFileSync(recordPath, 'utf8'));
}

export function recordCounts(counts: Counts): void {
  writeFileSync(recordPath, `${JSON.stringify(counts, undefined, 2)}\n`);
}
