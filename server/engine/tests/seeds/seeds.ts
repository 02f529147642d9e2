/**
 * The shared rows of tests that come from SQL files. A database runs them where there is one, with the tables of the project;
 * elsewhere only constants can be read.
 */
import type { Catalog } from '../../model/catalog.ts';
import type { ValueOptions } from '../../plan/values/postgres/convert.ts';
import type { SqlValue } from '../../plan/values/value.ts';
import { rowId, type TestedRow } from '../rowIndex.ts';
import { readTestSeeds } from './readSeeds.ts';

/** Runs SQL files in a database that nobody else uses. The same files lead to the same answer, and are not run again. */
export type RunSeeds = (question: SeedQuestion, signal: AbortSignal) => Promise<SeedAnswer>;

export interface SeedQuestion {
  /** The SQL files that create the tables, and folders of such files, in their order. */
  readonly schema: readonly SeedSchemaPath[];
  readonly seeds: readonly { readonly name: string; readonly text: string }[];
  /** The options of the config under test. They decide the form of values. */
  readonly options: ValueOptions;
}

interface SeedSchemaPath {
  /** Absolute. */
  readonly path: string;
  /** The path from the folder. */
  readonly name: string;
  /** The absolute path of the project. No file outside of it is included. */
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
    /** Counted from 1. */
    readonly line?: number;
    /** A sentence. */
    readonly message: string;
  }[];
}

/** An SQL file that `from` names. */
export interface SeedFile {
  /** The path as the test writes it. */
  readonly path: string;
  /** The path from the folder of the project. */
  readonly name: string;
  /** `missing`: there is none, or none that can be read. `outside`: it is not in the project. */
  readonly content:
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'missing' | 'outside' };
}

export interface Seeds {
  /** `run`: by a database. `read`: as far as that can be done without one. */
  readonly kind: 'run' | 'read';
  readonly rows: readonly TestedRow[];
  readonly problems: readonly SeedProblem[];
}

interface SeedProblem {
  /** The path as the test writes it. Absent if the problem is in none of the files that the test names. */
  readonly path?: string;
  readonly reason: string;
}

export const noSeeds: Seeds = { kind: 'read', rows: [], problems: [] };

/** Returns the texts that a database can run. */
export function seedTextsOf(files: readonly SeedFile[]): SeedQuestion['seeds'] {
  return files.flatMap(({ name, content }) =>
    content.kind === 'text' ? [{ name, text: content.text }] : [],
  );
}

/** How many refused statements are reported. */
const mostTold = 10;

export function toSeeds(
  { tables, refused }: SeedAnswer,
  files: readonly SeedFile[],
  defaultSchema = 'public',
): Seeds {
  const pathOf = new Map(files.map(({ name, path }) => [name, path]));
  const told = refused.slice(0, mostTold).map(({ file, line, message }): SeedProblem => {
    const path = file === undefined ? undefined : pathOf.get(file);
    if (path !== undefined) return { path, reason: `line ${line} was refused: ${message}` };
    return { reason: file === undefined ? message : `line ${line} of ${file} was refused: ${message}` };
  });
  const more = refused.length - told.length;
  return {
    kind: 'run',
    rows: tables.flatMap(({ schema, name, rows }) => {
      const table = schema === defaultSchema ? name : `${schema}.${name}`;
      return rows.map((values) => ({ table, id: rowId(values), values }));
    }),
    problems: [
      ...unreadable(files),
      ...told,
      ...(more > 0 ? [{ reason: `${more} more were refused. Fix these first.` }] : []),
    ],
  };
}

/** @param hint what would make more possible */
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
  missing: 'there is no such file, or it is too large to be read here.',
  outside: 'it is outside of the project. Copy it into the project.',
} as const;

function unreadable(files: readonly SeedFile[]): readonly SeedProblem[] {
  return files.flatMap(({ path, content: { kind } }) =>
    kind === 'text' ? [] : [{ path, reason: reasons[kind] }],
  );
}
