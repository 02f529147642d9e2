/**
 * The shared rows of tests that come from SQL files. If a database is available, it runs the files with the tables of the project.
 * Otherwise, only constants can be read.
 */
import type { Catalog } from '../../model/catalog.ts';
import type { ValueOptions } from '../../plan/values/postgres/convert.ts';
import type { SqlValue } from '../../plan/values/value.ts';
import { rowId, type TestedRow } from '../rowIndex.ts';
import { nameInTests } from '../subject.ts';
import { readTestSeeds } from './readSeeds.ts';

/** Runs SQL files in a separate database. The same files have the same result, and are not run again. */
export type RunSeeds = (question: SeedQuestion, signal: AbortSignal) => Promise<SeedAnswer>;

export interface SeedQuestion {
  /** The SQL files that create the tables, and folders of such files, in order. */
  readonly schema: readonly SeedSchemaPath[];
  readonly seeds: readonly { readonly name: string; readonly text: string }[];
  /** The options of the config under test, which determine the form of values. */
  readonly options: ValueOptions;
}

interface SeedSchemaPath {
  /** The absolute path. */
  readonly path: string;
  /** The path relative to the project folder. */
  readonly name: string;
  /** The absolute path of the project. No file outside it is included. */
  readonly folder: string;
}

interface SeedAnswer {
  readonly tables: readonly {
    readonly schema: string;
    readonly name: string;
    readonly rows: readonly Readonly<Record<string, SqlValue>>[];
  }[];
  readonly refused: readonly {
    readonly file?: string;
    /** The line number, counted from 1. */
    readonly line?: number;
    /** The message, as a sentence. */
    readonly message: string;
  }[];
}

/** An SQL file that `from` names. */
export interface SeedFile {
  /** The path as written in the test. */
  readonly path: string;
  /** The path relative to the project folder. */
  readonly name: string;
  /** The content. `missing`: the file does not exist or cannot be read. `outside`: the file is not in the project. */
  readonly content:
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'missing' | 'outside' };
}

export interface Seeds {
  /** The way in which the rows were created. `run`: by a database. `read`: without a database, as far as that is possible. */
  readonly kind: 'run' | 'read';
  readonly rows: readonly TestedRow[];
  readonly problems: readonly SeedProblem[];
}

interface SeedProblem {
  /** The path as written in the test. Absent if the problem is not in any of the files that the test names. */
  readonly path?: string;
  readonly reason: string;
}

export const noSeeds: Seeds = { kind: 'read', rows: [], problems: [] };

/** Returns the files whose text can be run by a database. */
export function seedTextsOf(files: readonly SeedFile[]): SeedQuestion['seeds'] {
  return files.flatMap(({ name, content }) =>
    content.kind === 'text' ? [{ name, text: content.text }] : [],
  );
}

/** The maximum number of rejected statements that are reported. */
const mostTold = 10;

export function toSeeds(
  { tables, refused }: SeedAnswer,
  files: readonly SeedFile[],
  defaultSchema = 'public',
): Seeds {
  const pathOf = new Map(files.map(({ name, path }) => [name, path]));
  const told = refused.slice(0, mostTold).map(({ file, line, message }): SeedProblem => {
    const path = file === undefined ? undefined : pathOf.get(file);
    if (path !== undefined) return { path, reason: `line ${line} failed: ${message}` };
    return { reason: file === undefined ? message : `line ${line} of ${file} failed: ${message}` };
  });
  const more = refused.length - told.length;
  return {
    kind: 'run',
    rows: tables.flatMap(({ schema, name, rows }) => {
      const table = nameInTests({ schema, name }, defaultSchema);
      return rows.map((values) => ({ table, id: rowId(values), values }));
    }),
    problems: [
      ...unreadable(files),
      ...told,
      ...(more > 0 ? [{ reason: `Other failed statements: ${more}. Fix the reported ones first.` }] : []),
    ],
  };
}

/** @param hint advice about how to support more statements */
export function readSeedFiles(
  files: readonly SeedFile[],
  known: { readonly catalog: Catalog; readonly defaultSchema?: string } | undefined,
  hint: string,
): Seeds {
  const read = files.map(({ path, content }) => ({
    path,
    ...(content.kind === 'text'
      ? readTestSeeds(content.text, known?.catalog, known?.defaultSchema)
      : { rows: [] }),
  }));
  return {
    kind: 'read',
    rows: read.flatMap(({ rows }) => rows),
    problems: [
      ...unreadable(files),
      ...read.flatMap(({ path, problem }) =>
        problem === undefined ? [] : [{ path, reason: `${problem} ${hint}` }],
      ),
    ],
  };
}

const reasons = {
  missing: 'the file does not exist, or is too large to be read here.',
  outside: 'the file is outside the project. Copy it into the project.',
} as const;

function unreadable(files: readonly SeedFile[]): readonly SeedProblem[] {
  return files.flatMap(({ path, content: { kind } }) =>
    kind === 'text' ? [] : [{ path, reason: reasons[kind] }],
  );
}
