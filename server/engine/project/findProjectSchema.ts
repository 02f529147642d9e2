/**
 * Finds the SQL files of a project that create the tables of a sync config. Files are recognised by their contents, not by their
 * names.
 */

import { namesIn, splitPath } from '../../shared/uri.ts';
import { readDdl } from '../ddl/read.ts';
import { type DdlPlace, emptyState, runStatement, type TableState } from '../ddl/runStatement.ts';
import type { SqlFile } from '../ddl/sqlFile.ts';
import { oncePer } from '../ground/oncePer.ts';
import { matchesTable } from '../plan/evaluate/patterns.ts';
import type { TablePattern } from '../plan/plan.ts';
import { type History, historiesIn, isModel, seedsIn } from './histories.ts';

export interface ProjectSchema {
  /** The scripts in the order in which they must run. */
  readonly scripts: readonly SqlFile[];
  /** The folders of the scripts' histories. */
  readonly folders: readonly string[];
  /** Files with initial rows, for callers that want them. */
  readonly seeds: readonly SqlFile[];
  /** Tables that no script creates, as far as the scripts can be read. */
  readonly missing: readonly TablePattern[];
  /** The statements of the scripts whose effect is unknown, so that they may create the missing tables. */
  readonly unclear: readonly DdlPlace[];
  /** Whether all other files certainly create and change no tables. */
  readonly isWhole: boolean;
}

/**
 * Chooses the history that creates most of the tables, and then the histories that create the remaining ones. Among equal
 * histories, the one nearest to the config is chosen, even if no history creates any of the tables.
 */
export function findProjectSchema(
  files: readonly SqlFile[],
  wanted: readonly TablePattern[],
  configPath: string,
): ProjectSchema {
  const candidates = candidatesIn(files);
  const chosen: Candidate[] = [];
  let missing = wanted;
  for (;;) {
    const best = candidates
      .filter((each) => !chosen.includes(each))
      .toSorted((a, b) => countMade(b, missing) - countMade(a, missing) || byNearness(configPath)(a, b))[0];
    // The only table may be misspelt, in which case the rest of the schema is still useful.
    const isUseful = best !== undefined && (countMade(best, missing) > 0 || chosen.length === 0);
    if (!isUseful || (best.made.size === 0 && best.unclear.length === 0)) break;
    chosen.push(best);
    missing = missing.filter((table) => !makes(best, table));
    if (missing.length === 0) break;
  }
  const inOrder = chosen.toSorted((a, b) => Number(changesTablesOf(a, b)) - Number(changesTablesOf(b, a)));
  const scripts = inOrder.flatMap(({ history }) => history.files);
  // One history may drop tables that another one has created.
  const [only, ...others] = inOrder;
  const together = only && others.length === 0 ? only : tablesMade({ folder: '', files: scripts });
  return {
    scripts,
    folders: inOrder.map(({ history }) => history.folder),
    seeds: seedsIn(files),
    missing: wanted.filter((table) => !makes(together, table)),
    unclear: chosen.flatMap(({ unclear }) => unclear),
    isWhole: files.every((file) => scripts.some(({ path }) => path === file.path) || !mayChangeTables(file)),
  };
}

/** Whether a file that is not part of the schema may create or change tables. Models are compared by their own names. */
const mayChangeTables = oncePer((file: SqlFile): boolean => !isModel(file) && changingWords.test(file.text));

const changingWords =
  /\b(?:create|alter)\s+(?:(?:or|replace|global|local|unlogged|foreign|materialized)\s+)*(?:table|view|schema)\b|\bexecute\b(?!\s+(?:on|function|procedure)\b)|^\s*\\i/im;

/** Caches the candidates, because all configs of a project use the same files. */
const candidatesIn = oncePer((files: readonly SqlFile[]) => historiesIn(files).map(tablesMade));

interface Candidate {
  readonly history: History;
  readonly made: ReadonlyMap<string, TableState>;
  /** The tables that the history changes without creating them. */
  readonly changed: ReadonlySet<string>;
  readonly unclear: readonly DdlPlace[];
}

function tablesMade(history: History): Candidate {
  const state = emptyState();
  for (const { path, text } of history.files) {
    state.schema = 'public';
    for (const statement of readDdl(text)) runStatement(state, path, statement, 'public');
  }
  const tables = [...state.tables.values()];
  return {
    history,
    made: new Map(tables.filter(({ isMade }) => isMade).map((table) => [nameOf(table), table])),
    changed: new Set(tables.filter(({ isMade }) => !isMade).map(nameOf)),
    unclear: state.unclear,
  };
}

function nameOf({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return JSON.stringify([schema, name]);
}

function countMade(candidate: Candidate, wanted: readonly TablePattern[]): number {
  return wanted.filter((table) => makes(candidate, table)).length;
}

function makes({ made }: Candidate, wanted: TablePattern): boolean {
  const { tag, schema: inSchema, name: called } = wanted;
  if (tag === 'default' && !inSchema.wildcard && !called.wildcard)
    return made.has(nameOf({ schema: inSchema.text, name: called.text }));
  return [...made.values()].some(({ schema, name }) =>
    matchesTable(wanted, { tag: wanted.tag, schema, name }),
  );
}

/** Whether a history changes tables of another one, and so must run after it. */
function changesTablesOf(candidate: Candidate, other: Candidate): boolean {
  return [...candidate.changed].some((name) => other.made.has(name));
}

function byNearness(configPath: string): (a: Candidate, b: Candidate) => number {
  const config = splitPath(configPath).folders;
  const sharedDepth = ({ history: { folder } }: Candidate): number => {
    const names = namesIn(folder);
    const length = config.findIndex((each, index) => each !== names[index]);
    return length < 0 ? config.length : length;
  };
  return (a, b) =>
    sharedDepth(b) - sharedDepth(a) ||
    b.made.size - a.made.size ||
    a.history.folder.length - b.history.folder.length ||
    (a.history.folder < b.history.folder ? -1 : 1);
}
