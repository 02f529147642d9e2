/** Compares the tables that a sync config reads with the tables that exist, either in the SQL of its project or in a service. */

import { isBelow } from '../shared/uri.ts';
import type { KnownSource } from './catalog/reading.ts';
import { foldScripts } from './ddl/fold.ts';
import { readDdl } from './ddl/read.ts';
import type { SqlFile } from './ddl/sqlFile.ts';
import type { Finding } from './diagnostics/diagnostics.ts';
import { type Config, plansOf } from './file/sync.ts';
import type { Catalog, CatalogTable, RowlessForm } from './model/catalog.ts';
import { tablesOf } from './plan/evaluate/evaluate.ts';
import { matchesTable } from './plan/evaluate/patterns.ts';
import type { TablePattern } from './plan/plan.ts';
import { nameOfPattern } from './plan/tablePatterns.ts';
import { findProjectSchema, type ProjectSchema } from './project/findProjectSchema.ts';
import { historiesIn, isModel, modelsIn } from './project/histories.ts';

export interface FoundSchema extends ProjectSchema {
  /** The scripts in the form of a service config: the path of a folder means all its files, if it contains no other files. */
  readonly paths: readonly string[];
}

/**
 * @param config absent if there is none, in which case the history that creates the most tables is used
 * @param configPath relative to the same folder as the paths of the files
 */
export function findSchemaFor(
  config: Config | undefined,
  files: readonly SqlFile[],
  configPath: string,
): FoundSchema {
  const wanted = config === undefined ? [] : tablesOf(plansOf(config));
  const found = findProjectSchema(files, wanted, configPath);
  return { ...found, paths: pathsOf(found, files) };
}

function pathsOf({ scripts, folders }: ProjectSchema, files: readonly SqlFile[]): readonly string[] {
  const parts = new Map(modelsIn(files.filter(isModel)).map((model) => [model.path, model.parts]));
  const paths = scripts.flatMap(({ path }) => [path, ...(parts.get(path) ?? [])]);
  const [folder = ''] = folders;
  if (folders.length !== 1 || folder === '' || folder === paths[0]) return paths;
  const inside = files.filter(({ path }) => isBelow(folder, path) && /\.sql$/i.test(path));
  const inFolder = historiesIn(inside).flatMap((history) => history.files.map(({ path }) => path));
  return inFolder.join('\n') === paths.join('\n') ? [folder] : paths;
}

/** Returns the tables that a sync config reads, as patterns. */
export function patternsReadBy(config: Config): readonly TablePattern[] {
  return tablesOf(plansOf(config));
}

/** Returns the distinct tables that a sync config reads. */
export function tablesReadBy(config: Config): readonly string[] {
  return [...new Set(tablesOf(plansOf(config)).map(nameOfPattern))];
}

/** Returns the tables of a catalog that a sync config reads. */
export function sourceTablesOf(config: Config, { tables }: Catalog): readonly CatalogTable[] {
  const read = tablesOf(plansOf(config));
  return tables.filter((table) => read.some((pattern) => matchesTable(pattern, table)));
}

/** Returns the tables that the scripts create when they run in this order; undefined if they create none. */
export function readScripts(scripts: readonly SqlFile[], defaultSchema = 'public'): KnownSource | undefined {
  const read = scripts.map(({ path, text }) => ({ path, statements: readDdl(text) }));
  const folded = foldScripts(read, defaultSchema);
  return folded && { catalog: folded.catalog, defaultSchema };
}

export interface MissingName {
  readonly table: string;
  /** Absent: the whole table is missing. */
  readonly column?: string;
  /** Why the rows of the table are not replicated although the table exists. */
  readonly form?: RowlessForm;
  /** The streams or bucket definitions that read the table or column. */
  readonly readBy: readonly string[];
}

/** Returns the distinct tables and columns that a sync config reads but its catalog does not contain, in the order of the file. */
export function missingIn({
  findings,
  config,
}: {
  readonly findings: readonly Finding[];
  readonly config?: Config;
}): readonly MissingName[] {
  const byName = new Map<string, Omit<MissingName, 'readBy'> & { readBy: Set<string> }>();
  for (const { code, span, args } of findings) {
    if (code !== 'unknown-table' && code !== 'unknown-column') continue;
    const { table, column, form } = args as Pick<MissingName, 'table' | 'column' | 'form'>;
    const key = JSON.stringify([table, column]);
    const found = byName.get(key) ?? {
      table,
      ...(column !== undefined && { column }),
      ...(form && { form }),
      readBy: new Set(),
    };
    byName.set(key, found);
    const reader = config?.definitions.find(({ part, definition }) => {
      const inPart = span.start - part.base;
      return inPart >= definition.span.start && inPart <= definition.span.end;
    });
    if (reader !== undefined) found.readBy.add(reader.definition.name);
  }
  return [...byName.values()].map(({ readBy, ...name }) => ({ ...name, readBy: [...readBy] }));
}
