/**
 * Groups the definitions of a file into runs of about a hundred. A run without changes is the same object as before, so a fact
 * about all definitions has to be computed again only for the changed run. See `ground/oncePer.ts`.
 */
import type { AnalyzedDefinition, AnalyzedEntries } from './definitions.ts';

export interface DefinitionRun {
  readonly definitions: readonly AnalyzedDefinition[];
  /** The entries from which the run was made. */
  readonly entries: readonly AnalyzedEntries[];
}

/** The usual number of entries in a run. Large files then have some hundred runs, and searching one run is fast. */
const usual = 128;
/** The maximum number of entries in a run that was edited. */
const most = 2 * usual;
/** The minimum number of entries. A smaller run is joined with its neighbour. */
const least = usual / 2;

export function runsOf(
  entries: readonly AnalyzedEntries[],
  before: readonly DefinitionRun[] = [],
): readonly DefinitionRun[] {
  const isAt = (run: DefinitionRun, at: number): boolean =>
    at >= 0 && run.entries.every((one, index) => one === entries[at + index]);
  const first: DefinitionRun[] = [];
  let [from, to] = [0, entries.length];
  for (const run of before) {
    if (!isAt(run, from)) break;
    first.push(run);
    from += run.entries.length;
  }
  const last: DefinitionRun[] = [];
  for (let index = before.length - 1; index >= first.length; index -= 1) {
    const run = before[index];
    if (run === undefined || to - run.entries.length < from || !isAt(run, to - run.entries.length)) break;
    last.unshift(run);
    to -= run.entries.length;
  }
  if (to > from && to - from < least) from -= first.pop()?.entries.length ?? 0;
  const changed = entries.slice(from, to);
  const isEdited = before.length > 0 && changed.length <= most;
  return [...first, ...newRuns(changed, isEdited ? most : usual), ...last];
}

function newRuns(entries: readonly AnalyzedEntries[], size: number): readonly DefinitionRun[] {
  const runs: DefinitionRun[] = [];
  for (let from = 0; from < entries.length; from += size) {
    const own = entries.slice(from, from + size);
    runs.push({ entries: own, definitions: own.flatMap(({ definitions }) => definitions) });
  }
  return runs;
}
