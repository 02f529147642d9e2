/** Compares the tables that a sync config reads with the tables that exist, either in the SQL of its project or in a service. */

import { isBelow } from '../shared/uri.ts';
import { joinSources, withTriggers } from './catalog/join.ts';
import type { KnownSource } from './catalog/reading.ts';
import { readServiceSchema } from './catalog/serviceSchema.ts';
import { foldScripts } from './ddl/fold.ts';
import { readDdl } from './ddl/read.ts';
import type { DdlPlace } from './ddl/runStatement.ts';
import type { SqlFile } from './ddl/sqlFile.ts';
import type { Finding } from './diagnostics/diagnostics.ts';
import { type Config, plansOf } from './file/sync.ts';
import {
  type Catalog,
  type CatalogTable,
  filesCatalog,
  openCatalog,
  type RowlessForm,
} from './model/catalog.ts';
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

/** The tables that the scripts of a project create. */
export interface ScriptSource extends KnownSource {
  /** The statements with an unknown effect. If there are any, the catalog is open. */
  readonly unclear: readonly DdlPlace[];
}

/** Returns the tables that the scripts create when they run in this order; undefined if they create none. */
export function readScripts(scripts: readonly SqlFile[], defaultSchema = 'public'): ScriptSource | undefined {
  const read = scripts.map(({ path, text }) => ({ path, statements: readDdl(text) }));
  const folded = foldScripts(read, defaultSchema);
  return folded && { catalog: folded.catalog, defaultSchema, unclear: folded.unclear };
}

/** Facts about the files of a project, apart from their tables. */
export interface FileKnowledge extends Pick<ProjectSchema, 'isWhole'> {
  /** Whether there may be files that were not found or not read. */
  readonly isCut: boolean;
}

/** Returns the source with a catalog that claims no more than is known about the files. */
export function withFileKnowledge<T extends KnownSource>(source: T, { isWhole, isCut }: FileKnowledge): T {
  const { tables, from, open } = source.catalog;
  // The version of a large catalog takes time, and nothing has to be changed here.
  if (isWhole && from === 'files' && (open || !isCut)) return source;
  const catalog = filesCatalog(tables, isWhole ? 'files' : 'schema');
  return { ...source, catalog: isCut || open ? openCatalog(catalog) : catalog };
}

/**
 * Runs the scripts of a project in a separate database. The same scripts have the same result, and are not run again. Resolves to
 * undefined if the database cannot run them.
 */
export type RunScripts = (
  schema: readonly ScriptPath[],
  signal: AbortSignal,
) => Promise<TablesOfScripts | undefined>;

/** An SQL file, or a folder of such files. */
interface ScriptPath {
  /** The absolute path. */
  readonly path: string;
  /** The path in the project, which is also the beginning of the names of its scripts. */
  readonly name: string;
  /** The absolute path of the project. */
  readonly folder: string;
}

/** The tables of a database that has run scripts. */
export interface TablesOfScripts {
  /** The answer of a service that has the database as its source. */
  readonly answer: unknown;
  /** The statements that did not run. */
  readonly skipped: readonly {
    /** The name of the script, and the offset in it. */
    readonly script: string;
    readonly start: number;
    readonly statement: string;
  }[];
}

/**
 * Returns the tables that a database has after it has run the scripts. Only if it could not run a statement, the tables and columns
 * that this reader finds count too, and a statement that neither could read leaves the catalog open.
 *
 * @param nameOf returns the name of a script in the result by its path
 */
export function afterRun(
  { scripts, source: read }: ReadScripts,
  { answer, skipped }: TablesOfScripts,
  nameOf: (path: string) => string,
): ScriptSource | undefined {
  const source = readServiceSchema(answer);
  if (source === undefined) return undefined;
  const joined = skipped.length > 0 && read ? joinSources(source, read).source : source;
  const all = read ? withTriggers(joined, read) : joined;
  const places = new Set(skipped.map(({ script, start }) => placeKey(script, start)));
  const names = new Set(scripts.map(({ path }) => nameOf(path)));
  const left = (read?.unclear ?? []).filter(({ path, span }) =>
    places.has(placeKey(nameOf(path), span.start)),
  );
  const unread = skipped.filter(({ script, statement }) => !names.has(script) && changesTables(statement));
  const whole = skipped.filter(({ script, statement }) => names.has(script) && statement === '');
  const unclear = [
    ...left,
    ...[...unread, ...whole].map(({ script, start }) => ({ path: script, span: { start, end: start } })),
  ];
  const catalog = filesCatalog(all.catalog.tables);
  return {
    catalog: unclear.length > 0 ? openCatalog(catalog) : catalog,
    defaultSchema: all.defaultSchema,
    unclear,
  };
}

interface ReadScripts {
  readonly scripts: readonly SqlFile[];
  /** The tables that were read from the scripts. */
  readonly source: ScriptSource | undefined;
}

function placeKey(script: string, start: number): string {
  return JSON.stringify([script, start]);
}

/** Whether a statement of a script that was not read may change tables. */
function changesTables(statement: string): boolean {
  return readDdl(statement).some(({ kind }) => kind !== 'use tables' && kind !== 'search path');
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
