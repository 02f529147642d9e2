/** Applies the fix of each finding that has exactly one. */
import { analyze, applyEdits, type KnownSource } from '../../../server/engine/index.ts';
import { sureFixes } from '../../../server/features/actions/sureFixes.ts';
import { CliFailure } from '../failure.ts';
import { readMarked, writeText } from '../read.ts';
import type { SchemaLookup } from '../schemaLookup.ts';
import type { World } from '../world.ts';
import { inputName, type NamedFile } from './named.ts';

/** The maximum number of rounds. One fix may reveal a problem that another fix can repair. */
const mostRounds = 20;

/** Repairs files, and returns the paths of those that were written. The check reports files that cannot be read. */
export async function fixFiles(
  named: readonly NamedFile[],
  lookup: SchemaLookup,
  world: World,
): Promise<readonly string[]> {
  if (named.some(({ path }) => path === inputName))
    throw new CliFailure('--fix cannot be used with standard input.');
  const written: string[] = [];
  for (const { path } of named) {
    world.signal.throwIfAborted();
    const before = await readMarked(path, world.files).catch(() => undefined);
    if (before === undefined) continue;
    const fixed = fixText(path, before.text, await lookup(path, before.text));
    if (fixed === before.text) continue;
    await writeText(path, before.mark + fixed, world.files);
    written.push(path);
  }
  return written;
}

export function fixText(path: string, before: string, known: KnownSource | undefined): string {
  let text = before;
  for (let round = 0; round < mostRounds; round++) {
    const edits = sureFixes(analyze(text, { ...known, fileName: path }));
    if (edits.length === 0) break;
    text = applyEdits(text, edits);
  }
  return text;
}
