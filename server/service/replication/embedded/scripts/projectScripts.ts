/** Reads the SQL files of a project that the config names. They create the tables of the embedded database. */
import { createHash } from 'node:crypto';
import { promises } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import type { SqlFile } from '../../../../engine/ddl/sqlFile.ts';
import { historiesIn, modelsIn, seedsIn } from '../../../../engine/project/histories.ts';
import { filesBelow, readSqlText } from '../../../../shared/files.ts';
import { fromNative } from '../../../../shared/uri.ts';
import type { SchemaPath } from '../../../config/settings.ts';
import { SourceFailure } from '../../source.ts';
import type { HashedScript } from '../database/protocol.ts';
import type { Script } from '../loading/run.ts';
import { type IncludedFiles, readIncludes } from './scriptIncludes.ts';

export interface ProjectScripts {
  /** The scripts in the order in which they run. */
  readonly scripts: readonly HashedScript[];
  /** The files that the scripts include. */
  readonly includes: readonly Script[];
  /** Sentences about the unreadable parts of the schema. */
  readonly problems: readonly string[];
}

export async function readProjectScripts(schema: readonly SchemaPath[]): Promise<ProjectScripts> {
  const found: SqlFile[] = [];
  const problems: string[] = [];
  for (const each of schema) {
    try {
      found.push(...(await readPath(each)));
    } catch (error) {
      problems.push(sentenceOf(error, each));
    }
  }
  const files = withModelsAsSql(found, problems);
  const included = await readIncludes(files, schema);
  const scripts = withoutParts(files, included).map((file) => toScript('schema', file, included));
  return { scripts, includes: included.files.map(({ path, text }) => ({ name: path, text })), problems };
}

/** Fails unless everything can be read. */
export async function refuseUnreadable(schema: readonly SchemaPath[]): Promise<void> {
  const { problems } = await readProjectScripts(schema);
  if (problems.length > 0) throw schemaFailure(problems);
}

export function schemaFailure(problems: readonly string[]): SourceFailure {
  return new SourceFailure('settings', 'SVC_S1101', `The schema cannot be loaded: ${problems.join(' ')}`);
}

/** Returns the scripts with initial rows. They are in the folders of the schema, or next to them, such as `supabase/seed.sql`. */
export async function readSeeds(schema: readonly SchemaPath[]): Promise<readonly HashedScript[]> {
  const found = new Map<string, SqlFile>();
  for (const { path, name, folder } of schema) {
    const isFolder = (await promises.stat(path).catch(() => undefined))?.isDirectory() === true;
    const within = isFolder ? await filesOf(path, /\.sql$/i) : [];
    const isOutside = posix.normalize(name).startsWith('..') || path === folder;
    const beside = isOutside ? [] : await seedFilesOf(dirname(path));
    const files = [
      ...within.map((each) => ({ path: posix.join(name, each), place: join(path, each) })),
      ...beside.map((each) => ({
        path: posix.join(posix.dirname(name), each),
        place: join(dirname(path), each),
      })),
    ];
    const seeds = new Set(
      seedsIn(files.map((file) => ({ path: file.path, text: '' }))).map((seed) => seed.path),
    );
    for (const file of files)
      if (seeds.has(file.path)) found.set(file.path, { path: file.path, text: await readSeed(file) });
  }
  return seedsIn([...found.values()]).map(toSeedScript);
}

async function readSeed({ path, place }: { readonly path: string; readonly place: string }): Promise<string> {
  try {
    return await readSqlText(place);
  } catch (error) {
    throw schemaFailure([sentenceOf(error, { path: place, name: path })]);
  }
}

/** Returns the script. Its includes are ignored. */
export function toSeedScript(file: SqlFile): HashedScript {
  return toScript('seed', file, { files: [], of: () => [] });
}

async function readPath({ path, name }: SchemaPath): Promise<readonly SqlFile[]> {
  if (!(await promises.stat(path)).isDirectory()) {
    return [{ path: name, text: await readSqlText(path) }];
  }
  const found = await filesOf(path, /\.sql$/i);
  const names = found.length > 0 ? found : await filesOf(path, /\.prisma$/i);
  const files: SqlFile[] = [];
  // Files are read one after the other, because a process may not open thousands of files at the same time.
  for (const each of names) files.push({ path: each, text: await readSqlText(join(path, each)) });
  // Files are ordered by their paths within the folder. The name of the folder does not matter, because the user has chosen it.
  const ordered = found.length > 0 ? historiesIn(files).flatMap((history) => history.files) : files;
  if (ordered.length === 0) throw new Unusable(`${name} contains no .sql file that creates tables.`);
  return ordered.map((file) => ({ path: posix.join(name, file.path), text: file.text }));
}

/** Replaces models by their SQL. One model may consist of several files. */
function withModelsAsSql(files: readonly SqlFile[], problems: string[]): readonly SqlFile[] {
  const models = modelsIn(files.filter(({ path }) => isModel(path)));
  for (const { path, sql } of models)
    if (sql === undefined) problems.push(`${path} describes no tables of PostgreSQL.`);
  const byPath = new Map(models.map((model) => [model.path, model]));
  return files.flatMap((file) => {
    if (!isModel(file.path)) return [file];
    const sql = byPath.get(file.path)?.sql;
    return sql === undefined ? [] : [{ path: file.path, text: sql }];
  });
}

class Unusable extends Error {}

function sentenceOf(error: unknown, { path, name }: Pick<SchemaPath, 'path' | 'name'>): string {
  if (error instanceof Unusable) return error.message;
  const { code, message, path: place = path } = error as NodeJS.ErrnoException;
  const named = posix.join(name, fromNative(relative(path, place), process.platform));
  return code === 'ENOENT' ? `${named} does not exist.` : `${named} cannot be read: ${message}`;
}

function isModel(path: string): boolean {
  return /(?:\.prisma|\.rb)$/i.test(path);
}

/** An unreadable file is an error, because ignoring it would lead to a missing table. */
const every = { most: Number.POSITIVE_INFINITY, unreadable: 'failure' } as const;

function filesOf(folder: string, kind: RegExp): Promise<readonly string[]> {
  return filesBelow(folder, { ...every, isWanted: (path) => kind.test(path) });
}

function seedFilesOf(folder: string): Promise<readonly string[]> {
  const isEntered = (path: string): boolean => seedFolder.test(path);
  return filesBelow(folder, { ...every, isWanted: (path) => /\.sql$/i.test(path), isEntered });
}

const seedFolder = /^seed(?:s|ers|ing)?(?:\/|$)/i;

/** Removes files that another one includes, because they run there. */
function withoutParts(files: readonly SqlFile[], included: IncludedFiles): readonly SqlFile[] {
  const isPart = ({ path }: SqlFile): boolean =>
    files.some(
      (other) =>
        other.path !== path &&
        included.of(other.path).includes(path) &&
        !included.of(path).includes(other.path),
    );
  return included.files.length === 0 ? files : files.filter((file) => !isPart(file));
}

function toScript(
  kind: HashedScript['kind'],
  { path, text }: SqlFile,
  included: IncludedFiles,
): HashedScript {
  const hash = createHash('sha256').update(text);
  const texts = new Map(included.files.map((file) => [file.path, file.text]));
  for (const each of included.of(path)) hash.update(`\0${each}\0${texts.get(each) ?? ''}`);
  return { name: path, text, hash: hash.digest('hex'), kind };
}
