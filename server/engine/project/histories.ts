/** Groups the SQL files of a project into histories, as its tools do. */

import { splitPath } from '../../shared/uri.ts';
import { compareNames, historyOf, isWayBack } from '../ddl/fold.ts';
import type { SqlFile } from '../ddl/sqlFile.ts';
import { oncePer } from '../ground/oncePer.ts';
import { prismaToSql } from './prisma.ts';
import { railsSchemaToSql } from './rails.ts';

export interface History {
  /** The folder of the history; '' for the folder of the project. */
  readonly folder: string;
  /** The files in the order in which their tool runs them. */
  readonly files: readonly SqlFile[];
}

/** Returns the histories. Files with initial rows are not part of a history; see {@link seedsIn}. */
export function historiesIn(files: readonly SqlFile[]): readonly History[] {
  const byFolder = new Map<string, SqlFile[]>();
  const foreign = new Set<string>();
  for (const file of files) {
    if (isModel(file) || isAside(file.path) || makesRows(file)) continue;
    const folder = historyOf(file.path);
    if (isForeign(file)) {
      if (isStep(file.path)) foreign.add(folder);
      continue;
    }
    const found = byFolder.get(folder);
    if (found) found.push(file);
    else byFolder.set(folder, [file]);
  }
  return [
    ...[...byFolder].map(([folder, found]) => {
      const own = foreign.has(folder) ? found.filter(({ path }) => !isStep(path)) : found;
      return { folder, files: own.toSorted(inRunningOrder) };
    }),
    ...modelsIn(files.filter(isModel)).flatMap(modelHistory),
  ];
}

/** Whether a file describes tables in a language other than SQL. */
export function isModel({ path }: SqlFile): boolean {
  return /(?:\.prisma|(?:^|\/)schema\.rb)$/i.test(path);
}

/** A schema in a language other than SQL. */
interface Model {
  readonly path: string;
  /** The paths of other files that belong to the schema. */
  readonly parts: readonly string[];
  /** The equivalent SQL; undefined if the file describes no PostgreSQL tables. */
  readonly sql: string | undefined;
}

/**
 * Returns the schemas of models. Prisma reads the files of a folder as one schema, and one of the files names the database.
 *
 * @param files must all be models
 */
export function modelsIn(files: readonly SqlFile[]): readonly Model[] {
  const main = files.filter(({ text }) => /^[ \t]*datasource\b/m.test(text));
  const partsOf = (file: SqlFile): readonly SqlFile[] =>
    main.some((other) => other !== file && isBeside(other, file))
      ? []
      : files.filter((part) => !main.includes(part) && folderOf(part.path).startsWith(folderOf(file.path)));
  const whole = main.map((file) => toModel(file, partsOf(file)));
  const parts = new Set(whole.flatMap((model) => model.parts));
  const alone = files.filter((file) => !main.includes(file) && !parts.has(file.path));
  return [...whole, ...alone.map((file) => toModel(file, []))];
}

function toModel({ path, text }: SqlFile, parts: readonly SqlFile[]): Model {
  const all = [text, ...parts.map((part) => part.text)].join('\n');
  const sql = /\.rb$/i.test(path) ? railsSchemaToSql(all) : prismaToSql(all);
  return { path, parts: parts.map((part) => part.path), sql };
}

function isBeside(a: SqlFile, b: SqlFile): boolean {
  return folderOf(a.path) === folderOf(b.path);
}

function folderOf(path: string): string {
  return path.replace(/[^/]*$/, '');
}

function modelHistory({ path, sql }: Model): readonly History[] {
  return sql === undefined ? [] : [{ folder: path, files: [{ path, text: sql }] }];
}

export function seedsIn(files: readonly SqlFile[]): readonly SqlFile[] {
  return files
    .filter((file) => makesRows(file) && !isAside(file.path) && !isForeign(file))
    .toSorted(inRunningOrder);
}

/** Whether the file is a down migration, a test, a query of a code generator, or a script that is not run again. */
function isAside(path: string): boolean {
  if (isWayBack(path)) return true;
  const { folders, name } = splitPath(path.toLowerCase());
  if (folders.some((folder) => aside.has(folder))) return true;
  return (
    !/^[v\d]/.test(name) &&
    /(?:^|[._-])(?:drop|reset|clean|cleanup|teardown|rollback|undo)(?:[._-]|$)/.test(name)
  );
}

const aside = new Set([
  ...['test', 'tests', '__tests__', 'queries', 'query', 'snippets', 'diagnostics', 'backup', 'backups'],
  ...['archive', 'rollback', 'rollbacks', 'down', 'examples', 'fixtures'],
]);

function makesRows(file: SqlFile): boolean {
  return isSeed(file.path) && !makesOnlyTables(file);
}

/** Whether a file only creates tables, because some projects keep the schema in a folder of seeds. */
const makesOnlyTables = oncePer(
  ({ text }: SqlFile): boolean =>
    /^\s*CREATE\s+TABLE\b/im.test(text) && !/\b(?:INSERT\s+INTO|COPY)\b/i.test(text),
);

/** Whether the name of a file shows that it inserts initial rows. */
export function isSeed(path: string): boolean {
  return /(?:^|\/)(?:seeds?|seeders?|seeding)(?:\/|[._-][^/]*\.sql$|\.sql$)|(?:^|[/_.-])seeds?\.sql$/i.test(
    path,
  );
}

/**
 * Whether the file is one of several migrations for the same database. The alternative is one of several variants for different
 * databases.
 */
function isStep(path: string): boolean {
  const name = path.replace(/^.*\//, '');
  return /^(?:v?\d|migration\.sql$|up\.sql$)/i.test(name) && !/sqlite|mysql|maria/i.test(name);
}

/** Whether a file is SQL of SQLite or MySQL, for example for the database on the device. */
const isForeign = oncePer(
  ({ text }: SqlFile): boolean => foreignWords.test(text) && foreignWords.test(text.replace(/--[^\n]*/g, '')),
);

const foreignWords =
  /\bAUTOINCREMENT\b|^\s*PRAGMA\b|\bENGINE\s*=\s*\w|\bAUTO_INCREMENT\b|^\s*CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?`/im;

/** Orders two files. Flyway runs repeatable scripts after all others. */
function inRunningOrder(a: SqlFile, b: SqlFile): number {
  return Number(isRepeatable(a.path)) - Number(isRepeatable(b.path)) || compareNames(a.path, b.path);
}

function isRepeatable(path: string): boolean {
  return /(?:^|\/)R__[^/]*$/.test(path);
}
